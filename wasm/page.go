//go:build js && wasm

package main

import (
	"encoding/json"
	"syscall/js"
	"time"

	"groupscope/render/app"
	"groupscope/render/export"
)

// page is the page as the program's host: it is told what changed.
type page struct {
	page     js.Value // groupscopePage, see web/static/page.js
	mirror   app.Mirror
	mirrored time.Time
	said     string
	saidAt   time.Time
	address  [3]string // lesson, variant and beat as the page's address names them
	started  bool
}

// How often the mirror follows a picture that moves by itself, and how often it is told in words, which take time to hear.
const (
	mirrorEvery = 250 * time.Millisecond
	sayEvery    = 3 * time.Second
)

// WantHan implements app.Host: the page loads the font and hands it back through the bridge.
func (h *page) WantHan() { h.page.Call("loadFont", "han.ttc") }

// Save implements app.Host: the browser downloads the file.
func (h *page) Save(file export.File) {
	data := js.Global().Get("Uint8Array").New(len(file.Data))
	js.CopyBytesToJS(data, file.Data)
	h.page.Call("save", file.Name, file.MIME, data)
}

// Copy implements app.Host.
func (h *page) Copy(link string) { h.page.Call("copy", link) }

// SavePicture implements app.Host.
func (h *page) SavePicture(name string) { h.page.Call("savePicture", name) }

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
	h.page.Call("setTitle", p.Title())
	if address := [3]string{session.Lesson, session.Variant, p.Beat()}; !busy && address[2] != "" && address != h.address {
		h.address = address
		h.page.Call("follow", address[0], address[1], address[2])
	}
	if change := h.mirror.Show(p.Scene()); !change.Empty() {
		h.page.Call("mirror", toJSON(change))
	}
	if text := p.Announce(); text != h.said && (!busy || time.Since(h.saidAt) >= sayEvery) {
		h.said, h.saidAt = text, time.Now()
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
