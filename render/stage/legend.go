package stage

import "groupscope/render/scene"

// legendItem is one sign and its word.
type legendItem struct {
	key  string
	draw func(p *pen, b box)
	rare cell // explained only in a run in which there is such a cell
}

// legend lists the signs of the picture; the marks under the logs have words of their own beside them.
var legend = []legendItem{
	{"legend.committed", legendCell(cellCommitted), 0},
	{"legend.processed", legendCell(cellProcessed), 0},
	{"legend.hand", legendCell(cellInHand), 0},
	{"legend.fetched", legendCell(cellFetched), 0},
	{"legend.unread", legendCell(cellUnread), 0},
	{"legend.twice", legendCell(cellTwice), cellTwice},
	{"legend.letter", legendCell(cellLetter), cellLetter},
	{"legend.lost", legendCell(cellLost), cellLost},
	{"legend.unreplicated", legendCell(cellUnreplicated), cellUnreplicated},
	{"legend.heartbeat", legendRing("ring.heartbeat"), 0},
	{"legend.session", legendRing("ring.session"), 0},
	{"legend.poll", legendRing("ring.poll"), 0},
}

// legendItems lists what is explained: not what never occurs in this run.
func (in *input) legendItems() []legendItem {
	var out []legendItem
	for _, item := range legend {
		if item.rare == cellUnread || in.whole.occurs(item.rare) {
			out = append(out, item)
		}
	}
	return out
}

func legendCell(c cell) func(*pen, box) {
	return func(p *pen, b box) { p.cell(b, c, p.in.theme.accent(0), "") }
}

func legendRing(key string) func(*pen, box) {
	return func(p *pen, b box) {
		p.ring(b.midX(), b.midY(), b.H*0.46, 2, 0.7, p.in.theme.muted)
		p.write(b, p.in.words.say(key), p.style(p.in.size.tiny*0.82, p.in.theme.text).aligned(scene.Center))
	}
}

// legendPlaces flows the items into lines of the given width.
func legendPlaces(p *pen, w float64) (places []box, height float64) {
	s, sign, line := p.tiny(), p.u(15), p.u(19)
	x, y := 0.0, 0.0
	for _, item := range p.in.legendItems() {
		need := sign + p.u(5) + s.width(p.in.words.say(item.key)) + 1
		if x > 0 && x+need > w {
			x, y = 0, y+line
		}
		places = append(places, box{x, y, min(need, w), line})
		x += need + p.u(10)
	}
	return places, y + line + p.u(6)
}

func legendHeight(p *pen, w float64) float64 {
	_, h := legendPlaces(p, w)
	return h
}

// drawLegend explains every sign of the picture.
func drawLegend(p *pen, b box) {
	places, _ := legendPlaces(p, b.W)
	sign := p.u(15)
	for i, item := range p.in.legendItems() {
		at := places[i]
		at.X, at.Y = at.X+b.X, at.Y+b.Y
		icon, text := at.left(sign)
		item.draw(p, box{icon.X, at.midY() - sign*0.44, sign, sign * 0.88})
		_, text = text.left(p.u(5))
		p.write(text, p.in.words.say(item.key), p.tiny())
	}
}
