//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"groupscope/render/app"
	"groupscope/render/fonts"
	"groupscope/render/scene"
)

// bridge publishes window.groupscope: what the page, its tests and its author's tools can ask of the program. Calls that
// change something are queued and done before the next picture, since a callback from JavaScript must not block.
func (h *page) bridge(game *app.Game) {
	player := game.Player()
	calls := map[string]func(args []js.Value) (any, error){
		// state() tells what is on screen, as JSON (see app.State).
		"state": func([]js.Value) (any, error) { return toJSON(player.State()), nil },
		// scene() is the picture, as JSON (see scene.Scene).
		"scene": func([]js.Value) (any, error) { return toJSON(player.Scene()), nil },
		// place() is what brings the program back to where it is, after a reload.
		"place": func([]js.Value) (any, error) { return player.Place().String(), nil },
		// key(name) presses a key and tells whether it does anything.
		"key": func(args []js.Value) (any, error) { return game.Key(args[0].String()), nil },
		// act(json) carries out an action (see scene.Action).
		"act": func(args []js.Value) (any, error) {
			var action scene.Action
			if err := json.Unmarshal([]byte(args[0].String()), &action); err != nil {
				return nil, fmt.Errorf("act: %w", err)
			}
			game.Act(action)
			wake()
			return nil, nil
		},
		// load(json) shows an author's lesson: an object of paths and contents.
		"load": func(args []js.Value) (any, error) {
			var files map[string]string
			if err := json.Unmarshal([]byte(args[0].String()), &files); err != nil {
				return nil, fmt.Errorf("load: %w", err)
			}
			game.Queue(func() { player.LoadFiles(files) })
			wake()
			return nil, nil
		},
		"pointer": func(args []js.Value) (any, error) {
			game.Pointer(app.Sample{X: args[0].Float(), Y: args[1].Float(), Down: args[2].Bool(), Touch: args[3].Bool()})
			return nil, nil
		},
		"wheel": func(args []js.Value) (any, error) {
			game.Wheel(args[0].Float(), args[1].Float(), args[2].Float(), args[3].Float())
			return nil, nil
		},
		// menu(x, y) shows what can be done to the thing at a place.
		"menu":  func(args []js.Value) (any, error) { game.Menu(args[0].Float(), args[1].Float()); return nil, nil },
		"press": func(args []js.Value) (any, error) { game.Press(args[0].String()); return nil, nil },
		"slide": func(args []js.Value) (any, error) { game.Slide(args[0].String(), args[1].Float()); return nil, nil },
		// link() is the text of a link to what is on screen; open(text) shows what a link says.
		"link": func([]js.Value) (any, error) { return player.Link(), nil },
		"open": func(args []js.Value) (any, error) {
			text := args[0].String()
			game.Queue(func() { player.OpenLink(text) })
			wake()
			return nil, nil
		},
		// type(id, text) says what is now written in a field.
		"type":  func(args []js.Value) (any, error) { game.Type(args[0].String(), args[1].String()); return nil, nil },
		"focus": func(args []js.Value) (any, error) { game.Focus(args[0].String()); return nil, nil },
		// font(bytes) hands over the Chinese font; noFont() says that it cannot be had.
		"font": func(args []js.Value) (any, error) {
			data := make([]byte, args[0].Length())
			js.CopyBytesToGo(data, args[0])
			return nil, fonts.SetHan(data)
		},
		"noFont": func([]js.Value) (any, error) { game.NoHan(); return nil, nil },
	}
	object := js.Global().Get("Object").New()
	for name, call := range calls {
		object.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return answer(call, args) }))
	}
	js.Global().Set("groupscope", object)
}

// wake asks for a picture: nothing moves on a page at rest until somebody does (see web/static/gate.js).
func wake() { js.Global().Get("groupscopeGate").Call("wake") }

// answer makes one call. A wrong one is told on the console and answered with nothing: the program stays alive.
func answer(call func([]js.Value) (any, error), args []js.Value) (result any) {
	defer func() {
		if cause := recover(); cause != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("groupscope: %v", cause))
			result = nil
		}
	}()
	result, err := call(args)
	if err != nil {
		panic(err)
	}
	return result
}
