package app

const inPage = true

// window is empty in a page: its input comes through the bridge, event by event.
type window struct{}

func (g *Game) readWindow() {}
