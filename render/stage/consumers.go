package stage

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// The design sizes of a client's card, in units.
const (
	cardLeast, cardMost = 142, 216 // width of a consumer's
	producerW           = 112
	cardH, cardShortH   = 122, 72
	cardHeadH           = 26 // of the strip with the name
	cardLineH           = 20
	clientTileW         = 86
	clientTileH         = 22
)

// clientPlaces are the boxes of the cards of all clients of the run, consumers first, in a box of width w whose corner is at 0, 0;
// and the height they need.
func clientPlaces(p *pen, w float64, d detail) (places []box, height float64) {
	all := p.in.whole.last()
	consumers, producers := float64(len(all.Consumers)), float64(len(all.Producers))
	gap, small := p.u(10), p.u(producerW)
	room := w - gap*(consumers+producers-1) - small*producers
	if each := room / max(1, consumers); d != tiles && each >= p.u(cardLeast) {
		return oneRow(p, w, min(each, p.u(cardMost)), small, gap, cardHeight(p, d))
	}
	least, height := p.u(cardLeast), cardHeight(p, d)
	if d == tiles {
		least, height, gap = p.u(clientTileW), p.u(clientTileH), p.u(4)
	}
	n := int(consumers + producers)
	perRow := max(1, min(n, int((w+gap)/(least+gap))))
	rows := (n + perRow - 1) / perRow
	perRow = (n + rows - 1) / max(1, rows)
	each := (w - gap*float64(perRow-1)) / float64(max(1, perRow))
	for i := range n {
		places = append(places, box{float64(i%perRow) * (each + gap), float64(i/perRow) * (height + gap), each, height})
	}
	return places, float64(rows)*(height+gap) - gap
}

func cardHeight(p *pen, d detail) float64 {
	if d == full {
		return p.u(cardH)
	}
	return p.u(cardShortH)
}

// oneRow lays the cards in the middle of one row.
func oneRow(p *pen, w, consumer, producer, gap, height float64) (places []box, high float64) {
	f := p.in.whole.last()
	taken := float64(len(f.Consumers))*(consumer+gap) + float64(len(f.Producers))*(producer+gap) - gap
	x := max(0, (w-taken)/2)
	for i := range len(f.Consumers) + len(f.Producers) {
		each := consumer
		if i >= len(f.Consumers) {
			each = producer
		}
		places = append(places, box{round(x), 0, each, height})
		x += each + gap
	}
	return places, height
}

func clientsHeight(p *pen, w float64, d detail) float64 {
	_, h := clientPlaces(p, w, d)
	return h
}

// drawClients draws the cards of consumers and producers.
func drawClients(p *pen, pic *picture) {
	places, _ := clientPlaces(p, pic.clients.W, pic.clientDetail)
	place := func(i int) box {
		b := places[i]
		return box{b.X + pic.clients.X, b.Y + pic.clients.Y, b.W, b.H}
	}
	f, all := p.in.frame, p.in.whole.last()
	for i := len(f.Consumers); i < len(all.Consumers); i++ {
		c := &all.Consumers[i]
		drawComing(p, place(i), pic.clientDetail, c.ID, p.in.words.say("coming.group", "group", c.Group))
	}
	for i := len(f.Producers); i < len(all.Producers); i++ {
		pr := &all.Producers[i]
		drawComing(p, place(len(all.Consumers)+i), pic.clientDetail, pr.ID, p.in.words.say("producer.topic", "topic", pr.Topic))
	}
	for i := range f.Consumers {
		c, b := &f.Consumers[i], place(i)
		pic.ports[c.ID] = port{b.midX(), b.midX()}
		p.node(b, c.ID, p.in.consumerSentence(c), func(q *pen) {
			switch pic.clientDetail {
			case tiles:
				drawConsumerTile(q, b, c)
			default:
				drawConsumer(q, pic, b, c)
			}
		})
	}
	for i := range f.Producers {
		pr, b := &f.Producers[i], place(len(all.Consumers)+i)
		pic.ports[pr.ID] = port{b.midX(), b.midX()}
		p.node(b, pr.ID, p.in.producerSentence(pr), func(q *pen) { drawProducer(q, b, pr) })
	}
}

// drawComing draws the place of a client that has not started yet.
func drawComing(p *pen, b box, d detail, id kafka.NodeID, purpose string) {
	a, w := p.in.cast.of(id), p.in.words
	when := w.say("coming.later")
	if at, ok := p.in.whole.starts[id]; ok {
		when = w.say("coming.at", "time", w.seconds(at))
	}
	p.group(scene.Shape{X: b.X, Y: b.Y, W: b.W, H: b.H, ID: "coming:" + string(id), Role: scene.Note, Label: string(id) + ": " + when}, func(q *pen) {
		if q.in.looked(string(id)) {
			q.halo(b)
		}
		outline := mix(q.in.theme.line, q.in.theme.muted, 0.4)
		if d == tiles {
			q.frame(b, q.u(5), scene.Color{}, outline, 1, 2, 3)
			q.write(b.inset(q.u(5), 0), string(id), q.small())
			return
		}
		q.frame(b, q.u(8), scene.Color{}, outline, 1.2, 3, 4)
		inner := b.inset(q.u(9), 0)
		head, rest := inner.top(q.u(cardHeadH))
		icon, name := head.left(q.u(17))
		q.mark(a.mark, icon.X+q.u(6), icon.midY(), q.u(5.5), a.ink)
		q.write(name, string(id), q.label().bold().colored(a.ink))
		for i, text := range []string{when, purpose} {
			q.write(rest.row(i, q.u(cardLineH)), text, q.small())
		}
	})
}

// drawConsumer draws one consumer's card: who it is and how it fares, what it owns, what it does, its timers.
func drawConsumer(p *pen, pic *picture, b box, c *view.Consumer) {
	a := p.in.cast.of(c.ID)
	p.consumerGround(b, c, a)
	head, body := b.top(p.u(cardHeadH))
	p.consumerHead(head, c, a)
	p.acting(b, c.ID)
	body = body.inset(p.u(9), p.u(4))
	owns, body := body.top(p.u(cardLineH))
	p.ownedLine(owns, c)
	does, body := body.top(p.u(cardLineH))
	s := p.small().colored(p.in.theme.text)
	if c.Exception != "" || c.Liveness == view.Crashed {
		s = s.colored(p.in.theme.warn)
	}
	p.write(does, p.in.activity(c), s)
	if pic.clientDetail == full {
		drawTimers(p, pic, body, c, a)
	}
}

// consumerGround draws the card itself; a dashed outline and a pale head mean that the process is gone or frozen.
func (p *pen) consumerGround(b box, c *view.Consumer, a accent) {
	t := p.in.theme
	head, _ := b.top(p.u(cardHeadH))
	r := p.u(8)
	if c.Liveness == view.Up {
		p.frame(b, r, t.panel, a.ink, 1.2)
		p.add(scene.Shape{
			Kind: scene.Rect, X: head.X, Y: head.Y, W: head.W, H: head.H, Radius: r, Fill: a.fill,
			Pattern: a.pattern, Stroke: a.fill,
		})
		p.area(box{head.X, head.midY(), head.W, head.H / 2}, 0, a.fill)
		return
	}
	p.frame(b, r, t.panel, a.ink, 1.2, 5, 4)
	p.area(head.inset(1, 1), r, a.tint)
}

func (p *pen) consumerHead(b box, c *view.Consumer, a accent) {
	ink := a.on
	if c.Liveness != view.Up {
		ink = a.ink
	}
	b = b.inset(p.u(9), 0)
	icon, rest := b.left(p.u(17))
	p.mark(a.mark, icon.X+p.u(6), icon.midY(), p.u(5.5), ink)
	end := p.run(rest, span{string(c.ID), p.label().bold().colored(ink), p.u(8)})
	s, state := p.small().colored(ink).aligned(scene.Right), p.in.consumerState(c)
	if s.width(state) > b.right()-end {
		parts := strings.Split(state, p.in.words.say("list.dot"))
		state = parts[len(parts)-1]
	}
	p.write(box{end, b.Y, b.right() - end, b.H}, state, s)
}

// consumerState says in a word or two how a consumer fares, as it knows itself.
func (in *input) consumerState(c *view.Consumer) string {
	w := in.words
	if c.Liveness != view.Up {
		return w.say("life." + c.Liveness.String())
	}
	if closing(c) {
		return w.say("join.closing")
	}
	state := w.say("join." + c.JoinState)
	if c.JoinState == "stable" {
		if len(c.Owned) == 0 {
			state = w.say("join.idle")
		}
		if c.IsLeader {
			state = w.say("member.leader") + w.say("list.dot") + state
		}
	}
	return state
}

// ownedLine lists the partitions that a consumer owns, as many as there is room for.
func (p *pen) ownedLine(b box, c *view.Consumer) {
	word, owned := p.in.holdings(c)
	s := p.small().colored(p.in.theme.text).bold()
	x := p.run(b, span{word, p.small(), p.u(6)})
	for i := range owned {
		name := owned[i].String()
		more := "+" + number(len(owned)-i)
		reserve := 0.0
		if i < len(owned)-1 {
			reserve = p.u(7) + p.small().width("+"+number(len(owned)-i-1))
		}
		if x+s.width(name)+reserve > b.right() {
			p.write(box{x, b.Y, b.right() - x, b.H}, more, p.small())
			return
		}
		x = p.run(box{x, b.Y, b.right() - x, b.H}, span{name, s, p.u(7)})
	}
}

// holdings is what a consumer owns, with the word before it. Of a consumer that is gone it is what its coordinator
// still believes to be its own.
func (in *input) holdings(c *view.Consumer) (string, []kafka.TopicPartition) {
	word, owned := "owns", make([]kafka.TopicPartition, len(c.Owned))
	for i := range c.Owned {
		owned[i] = c.Owned[i].TopicPartition
	}
	if c.Liveness.Gone() {
		word, owned = "owns.still", nil
		if m := in.member(c); m != nil {
			owned = m.Assignment
		}
	}
	if len(owned) == 0 {
		word = "owns.nothing"
	}
	return in.words.say(word), owned
}

// activity says what a consumer does at the moment.
func (in *input) activity(c *view.Consumer) string {
	w := in.words
	switch {
	case c.Exception != "":
		return c.Exception[strings.LastIndexByte(c.Exception, '.')+1:]
	case c.Liveness == view.Frozen:
		return w.say("does.frozen", "time", w.seconds(c.FrozenUntil))
	case c.Liveness != view.Up:
		return w.say("does." + c.Liveness.String())
	case closing(c) && c.Callback == "":
		return w.say("does.close")
	case c.Callback != "":
		return w.say("does.callback", "name", c.Callback)
	case c.InHand > 0:
		return w.say("does.process", "partition", c.HandOf.String(), "offset", number(c.Hand.From))
	}
	switch {
	case !c.InGroup && len(c.Owned) == 0:
		return w.say("does.nothing")
	case !c.InGroup && !awaitsCommitted(c):
		return w.say("does.poll")
	case c.Coordinator == "" && c.JoinState == "unjoined":
		return w.say("does.find")
	case !c.InGroup:
		return w.say("does.ask")
	case c.JoinState == "preparing":
		return w.say("does.join")
	case c.JoinState == "completing":
		return w.say("does.sync")
	case c.JoinState == "unjoined":
		return w.say("does.start")
	case c.Rejoin:
		return w.say("does.rejoin")
	}
	return w.say("does.poll")
}

// awaitsCommitted reports whether a consumer that assigned itself partitions needs the committed offset of its group for one.
func awaitsCommitted(c *view.Consumer) bool {
	return c.Group != "" && slices.ContainsFunc(c.Owned, func(o view.Owned) bool { return o.Position == kafka.NoOffset })
}

// closing reports whether a consumer's program is in close().
func closing(c *view.Consumer) bool {
	return len(c.Threads) > 0 && slices.ContainsFunc(c.Threads[0].Stack, func(call view.Call) bool { return call.Procedure == "close" })
}

// drawTimers draws the three timers of a consumer: its next heartbeat, its session as the coordinator counts it,
// and the time it has left to call poll again.
func drawTimers(p *pen, pic *picture, b box, c *view.Consumer, a accent) {
	if c.Liveness.Gone() && p.in.member(c) == nil {
		return
	}
	heartbeat, session, poll := timerOf(c, "heartbeat"), view.Timer{Name: "session"}, timerOf(c, "poll")
	if m := p.in.member(c); m != nil {
		session = m.Session
	}
	if c.Liveness.Gone() {
		heartbeat, poll = view.Timer{}, view.Timer{}
	}
	for i, timer := range []view.Timer{heartbeat, session, poll} {
		p.timer(pic, b.columns(3, 0)[i], timer, a, []string{"heartbeat", "session", "poll"}[i])
	}
}

// timer draws one timer: a ring with its letter, the time left below it.
func (p *pen) timer(pic *picture, b box, t view.Timer, a accent, name string) {
	r := p.u(12)
	x, y := round(b.midX()), b.Y+p.u(3)+r
	number := box{b.X, y + r + p.u(2), b.W, p.u(17)}
	p.write(box{x - r, y - r, 2 * r, 2 * r}, p.in.words.say("ring."+name), p.tiny().colored(p.in.theme.text).aligned(scene.Center))
	if !t.Running() {
		p.add(scene.Shape{Kind: scene.Circle, X: x, Y: y, Radius: r, Stroke: p.in.theme.line, StrokeWidth: p.u(3), Dash: []float64{2, 3}})
		p.write(number, "–", p.tiny().aligned(scene.Center))
		return
	}
	pic.rings = append(pic.rings, ringSpot{timer: t, x: x, y: y, r: r, color: a.ink, number: number, centered: true})
}

// drawConsumerTile draws one consumer of many: name and how much it owns.
func drawConsumerTile(p *pen, b box, c *view.Consumer) {
	a := p.in.cast.of(c.ID)
	ground, ink, dash := a.tint, a.ink, []float64(nil)
	if c.Liveness != view.Up {
		ground, dash = p.in.theme.panel, []float64{4, 3}
	}
	p.frame(b, p.u(5), ground, a.ink, 1, dash...)
	p.acting(b, c.ID)
	icon, rest := b.inset(p.u(5), 0).left(p.u(14))
	p.mark(a.mark, icon.X+p.u(5), icon.midY(), p.u(4.5), ink)
	end := p.run(rest, span{string(c.ID), p.small().colored(ink).bold(), p.u(4)})
	text := number(len(c.Owned))
	if c.Liveness == view.Up && c.JoinState != "stable" {
		text = "…"
	}
	p.write(box{end, rest.Y, rest.right() - end, rest.H}, text, p.tiny().aligned(scene.Right))
}

// consumerSentence says how a consumer fares.
func (in *input) consumerSentence(c *view.Consumer) string {
	w := in.words
	word, owned := in.holdings(c)
	owns := strings.TrimSpace(word + " " + partitionList(owned))
	return w.say("consumer.sentence", "consumer", string(c.ID), "group", c.Group, "state", in.consumerState(c),
		"owns", owns, "does", in.activity(c))
}

// drawProducer draws one producer: what it sent, and how much of it is acknowledged.
func drawProducer(p *pen, b box, pr *view.Producer) {
	t := p.in.theme
	p.card(b, pr.Liveness)
	p.acting(b, pr.ID)
	inner := b.inset(p.u(9), p.u(3))
	head, rest := inner.top(p.u(20))
	end := p.run(head, span{string(pr.ID), p.label().bold(), p.u(6)})
	p.write(box{end, head.Y, head.right() - end, head.H},
		p.in.lifeText(pr.Liveness, p.in.words.say("producer")), p.small().aligned(scene.Right))
	lines := []string{
		p.in.words.say("producer.topic", "topic", pr.Topic),
		p.in.words.say("producer.sent", "n", number(pr.Sent)),
		p.in.words.say("producer.acked", "n", number(pr.Acked)),
	}
	for i, line := range lines {
		if float64(i+1)*p.u(19) <= rest.H {
			p.write(rest.row(i, p.u(19)), line, p.small().colored(t.text))
		}
	}
}

func (in *input) producerSentence(pr *view.Producer) string {
	return in.words.say("producer.sentence", "producer", string(pr.ID), "topic", pr.Topic,
		"sent", strconv.FormatInt(pr.Sent, 10), "acked", strconv.FormatInt(pr.Acked, 10))
}

// timerOf finds a consumer's timer by name; the zero Timer stands for one that does not run.
func timerOf(c *view.Consumer, name string) view.Timer {
	for _, t := range c.Timers {
		if t.Name == name {
			return t
		}
	}
	return view.Timer{Name: name}
}
