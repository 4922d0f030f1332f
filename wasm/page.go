//go:build js && wasm

package main

import (
	"encoding/json"
	"syscall/js"
	"time"

	"groupscope/render/app"
)

// page is the page as the program's host: it is told what changed.
type page struct {
	page     js.Value // groupscopePage, see web/static/page.js
	mirror   app.Mirror
	mirrored time.Time
	said     string
	started  bool
}

// mirrorEvery is how often the mirror follows a picture that moves by itself.
const mirrorEvery = 250 * time.Millisecond

// WantHan implements app.Host: the page loads the font and hands it back through the bridge.
func (h *page) WantHan() { h.page.Call("loadFont", "han.ttc") }

// Drawn implements app.Host.
func (h *page) Drawn(p *app.Player) {
	if !h.started {
		h.started = true
		h.page.Call("start")
	}
	busy := p.Busy()
	h.page.Call("setBusy", busy)
	if busy && time.Since(h.mirrored) < mirrorEvery {
		return
	}
	h.mirrored = time.Now()
	session := p.Session()
	h.page.Call("setTheme", session.Theme, session.Lang)
	if change := h.mirror.Show(p.Scene()); !change.Empty() {
		h.page.Call("mirror", toJSON(change))
	}
	if text := p.Announce(); text != h.said {
		h.said = text
		h.page.Call("announce", text)
	}
}

func toJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain data
	}
	return string(text)
}
