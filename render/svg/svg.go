// Package svg writes a scene as a Scalable Vector Graphics document. The same scene gives the same bytes.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"groupscope/render/scene"
)

const (
	sansFamily = `Inter, 'Noto Sans SC', system-ui, sans-serif`
	monoFamily = `'JetBrains Mono', 'Noto Sans SC', ui-monospace, monospace`
)

// Write writes the scene. It fails only if w does.
func Write(w io.Writer, s *scene.Scene) error {
	d := document{known: map[string]bool{}}
	d.open("svg")
	d.attr("xmlns", "http://www.w3.org/2000/svg")
	d.number("width", s.Width)
	d.number("height", s.Height)
	d.attr("viewBox", fmt.Sprintf("0 0 %s %s", decimal(s.Width), decimal(s.Height)))
	d.attr("font-family", sansFamily)
	d.attr("style", "font-variant-numeric:tabular-nums;font-variant-ligatures:none")
	d.attr("stroke-linejoin", "round")
	d.endTag()
	if s.Background.A > 0 {
		d.open("rect")
		d.number("width", s.Width)
		d.number("height", s.Height)
		d.paint("fill", s.Background)
		d.endEmpty()
	}
	d.shapes(s.Shapes)
	d.close("svg")
	_, err := w.Write(d.Bytes())
	return err
}

// document is the text written so far. known holds the ids of the patterns and clips that are defined in it.
type document struct {
	bytes.Buffer
	known map[string]bool
}

func (d *document) open(tag string)  { d.WriteString("<" + tag) }
func (d *document) endTag()          { d.WriteString(">\n") }
func (d *document) endEmpty()        { d.WriteString("/>\n") }
func (d *document) close(tag string) { d.WriteString("</" + tag + ">\n") }

func (d *document) attr(name, value string) {
	d.WriteString(" " + name + `="`)
	d.escape(value)
	d.WriteString(`"`)
}

func (d *document) number(name string, v float64) { d.attr(name, decimal(v)) }

// escape writes text that no reader takes for markup. Marks that change the direction of writing are left out, as in the
// painter, and what XML cannot hold becomes a replacement character.
func (d *document) escape(text string) {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\u061c', r == '\u200e', r == '\u200f', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
			return -1
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		}
		return r
	}, text)
	xml.EscapeText(&d.Buffer, []byte(text)) // a bytes.Buffer does not fail
}

// decimal writes a number with at most two decimals.
func decimal(v float64) string {
	r := math.Round(v*100) / 100
	if r == 0 || math.IsNaN(r) || math.IsInf(r, 0) {
		return "0"
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// paint sets an attribute that takes a colour, and its opacity.
func (d *document) paint(name string, c scene.Color) {
	if c.A == 0 {
		d.attr(name, "none")
		return
	}
	d.attr(name, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	if c.A < 255 {
		d.number(name+"-opacity", float64(c.A)/255)
	}
}

// meaning writes what a shape is to somebody who cannot see it.
func (d *document) meaning(sh *scene.Shape) {
	if sh.ID != "" {
		d.attr("data-id", sh.ID)
	}
	if sh.Role == scene.NoRole {
		return
	}
	d.attr("role", string(sh.Role))
	if sh.Label != "" {
		d.attr("aria-label", sh.Label)
	}
	switch sh.Role {
	case scene.Slider:
		d.number("aria-valuemin", sh.Value.Min)
		d.number("aria-valuemax", sh.Value.Max)
		d.number("aria-valuenow", sh.Value.Now)
		if sh.Value.Text != "" {
			d.attr("aria-valuetext", sh.Value.Text)
		}
	case scene.Tab:
		d.attr("aria-selected", strconv.FormatBool(sh.State.Selected))
	case scene.Radio:
		d.attr("aria-checked", strconv.FormatBool(sh.State.Selected))
	case scene.Button:
		if sh.State.Pressed {
			d.attr("aria-pressed", "true")
		}
	}
	if sh.State.Disabled {
		d.attr("aria-disabled", "true")
	}
}

// end closes the tag of a shape, with its title if it has one.
func (d *document) end(tag string, sh *scene.Shape) {
	title := sh.Tip
	if title == "" && sh.Role != scene.NoRole {
		title = sh.Label
	}
	if title == "" {
		d.endEmpty()
		return
	}
	d.WriteString(">")
	d.title(title)
	d.close(tag)
}

func (d *document) title(text string) {
	d.WriteString("<title>")
	d.escape(text)
	d.WriteString("</title>")
}
