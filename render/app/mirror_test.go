package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

func button(id string, focus int) scene.Shape {
	return scene.Shape{
		Kind: scene.Rect, X: 10, Y: 20, W: 30, H: 40, ID: id, Role: scene.Button, Label: "the " + id, Focus: focus,
	}
}

func pictureOf(shapes ...scene.Shape) *scene.Scene {
	return &scene.Scene{Width: 100, Height: 100, Shapes: shapes}
}

func TestTheMirrorSendsDifferencesAlone(t *testing.T) {
	var m Mirror
	first := m.Show(pictureOf(button("a", 1), button("b", 2)))
	require.Len(t, first.Set, 2)
	require.Equal(t, []string{"a", "b"}, first.Order)

	require.True(t, m.Show(pictureOf(button("a", 1), button("b", 2))).Empty())

	moved := button("b", 2)
	moved.X += 5
	change := m.Show(pictureOf(button("a", 1), moved))
	require.Equal(t, []string{"b"}, []string{change.Set[0].ID})
	require.Len(t, change.Set, 1)
	require.Nil(t, change.Order)

	gone := m.Show(pictureOf(moved))
	require.Equal(t, MirrorChange{Drop: []string{"a"}, Order: []string{"b"}}, gone)
}

func TestAGlideBelowAPixelIsNoDifference(t *testing.T) {
	var m Mirror
	m.Show(pictureOf(button("a", 1)))
	glided := button("a", 1)
	glided.X += 0.3
	require.True(t, m.Show(pictureOf(glided)).Empty())
}

func TestTheMirrorHasTheOrderOfTheTabKey(t *testing.T) {
	note := scene.Shape{ID: "note", Role: scene.Note, Label: "in between"}
	var m Mirror
	change := m.Show(pictureOf(button("second", 2), note, button("first", 1)))
	require.Equal(t, []string{"first", "note", "second"}, change.Order)
}

func TestDecorationIsNotMirrored(t *testing.T) {
	var m Mirror
	require.True(t, m.Show(pictureOf(scene.Shape{Kind: scene.Rect, W: 5, H: 5, ID: "drawn"})).Empty())
}

func TestKidsAreMirroredWithTheirPlaces(t *testing.T) {
	var m Mirror
	change := m.Show(pictureOf(scene.Shape{Kind: scene.Group, Kids: []scene.Shape{button("inner", 1)}}))
	require.Equal(t, Element{ID: "inner", Role: scene.Button, Label: "the inner", X: 10, Y: 20, W: 30, H: 40, Focus: true}, change.Set[0])
}

func TestAnOpenDialogIsAllThereIs(t *testing.T) {
	dialog := scene.Shape{Kind: scene.Group, ID: "menu", Role: scene.Dialog, W: 50, H: 50, Kids: []scene.Shape{button("inside", 3)}}
	var m Mirror
	require.Equal(t, []string{"menu", "inside"}, m.Show(pictureOf(button("below", 1), dialog)).Order)
}
