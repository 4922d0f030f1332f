//go:build js && wasm

// The program for browsers. The page around it (web/static) starts it, hands it input and shows its mirror.
package main

import (
	"fmt"
	"syscall/js"

	"groupscope/render/app"
	"groupscope/render/stage"
)

func main() {
	host := &page{page: js.Global().Get("groupscopePage")}
	game := app.NewGame(app.NewPlayer(wantedPlace(host.page.Get("wishes"))), host)
	host.bridge(game)
	if err := app.Run(game); err != nil {
		panic(fmt.Sprintf("groupscope: %v", err)) // the page says that the program has stopped
	}
}

// wantedPlace is where the page was before it was loaded again, else what its address and its browser ask for.
func wantedPlace(wishes js.Value) app.Place {
	if stored := wishes.Get("place").String(); stored != "" {
		if place, err := app.ParsePlace(stored); err == nil {
			return place
		}
	}
	return app.Place{
		Session: stage.Session{
			Lesson:        wishes.Get("lesson").String(),
			Variant:       wishes.Get("variant").String(),
			Lang:          wishes.Get("lang").String(),
			Theme:         wishes.Get("theme").String(),
			ReducedMotion: wishes.Get("reducedMotion").Bool(),
		},
		Beat: wishes.Get("beat").String(),
	}
}
