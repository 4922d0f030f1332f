package stage

import (
	"strings"
	"time"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// sectionPlan is where the parts of a group's section lie, relative to its inner width.
type sectionPlan struct {
	beside      bool // the members stand beside the state machine, not below it
	stateW      float64
	memberW     float64
	memberRows  int
	perRow      int
	hidden      int // members that have no room
	waitLines   []string
	form        stateForm
	statesH     float64
	memberH     float64
	factsHeight float64
}

// The most rows of members in a section; more are counted.
const mostMemberRows = 6

func newSectionPlan(p *pen, w float64, g *view.Group) sectionPlan {
	inner := w - p.u(24)
	plan := sectionPlan{stateW: inner, perRow: 1, memberH: p.u(19)}
	n := len(g.Members) + len(g.Pending)
	if w >= p.u(560) {
		plan.beside = true
		plan.memberW = clamp(inner*0.34, p.u(190), p.u(300))
		plan.stateW = inner - plan.memberW - p.u(20)
	} else {
		plan.perRow = max(1, int(inner/p.u(200)))
		plan.memberW = inner / float64(plan.perRow)
	}
	plan.memberRows = (n + plan.perRow - 1) / plan.perRow
	if plan.memberRows > mostMemberRows {
		plan.memberRows = mostMemberRows
		plan.hidden = n - mostMemberRows*plan.perRow + 1
	}
	plan.form = chooseStateForm(p, g, plan.stateW)
	plan.statesH = statesHeight(p, plan.form)
	plan.waitLines = scene.Wrap(p.small().font, p.in.waitSentence(g), plan.stateW-p.timeLeftWidth())
	plan.factsHeight = p.u(20) + float64(len(plan.waitLines))*p.u(17)
	return plan
}

func sectionHeight(p *pen, w float64, g *view.Group) float64 {
	plan := newSectionPlan(p, w, g)
	left := plan.statesH + plan.factsHeight
	members := float64(plan.memberRows) * plan.memberH
	body := left + members + p.u(2)
	if plan.beside {
		// Room for a few members, so that the card seldom changes its height.
		body = max(left, members, 4*plan.memberH)
	}
	return p.u(28) + body + p.u(10)
}

// drawSection draws what the coordinator knows of one group.
func drawSection(p *pen, pic *picture, b box, g *view.Group) {
	w := p.in.words
	label := w.say("group.sentence", "group", g.ID, "broker", string(g.Coordinator), "state", g.State,
		"generation", number(g.Generation), "members", number(len(g.Members)))
	p.thing(b, groupID(g.ID), g.ID, label, func(q *pen) {
		life, _ := q.in.frame.Liveness(g.Coordinator)
		q.card(b, life)
		q.acting(b, g.Coordinator)
		if q.in.looked("coordinator") || q.in.looked(string(g.Coordinator)) {
			q.halo(b)
		}
		inner := b.inset(q.u(12), q.u(4))
		head, rest := inner.top(q.u(24))
		q.sectionHead(head, g)
		plan := newSectionPlan(q, b.W, g)
		body := box{rest.X, rest.Y, plan.stateW, rest.H}
		states, facts := body.top(plan.statesH)
		drawStates(q, states, g, plan.form)
		drawGroupFacts(q, pic, facts, g, &plan)
		members := box{rest.X, facts.Y + plan.factsHeight, inner.W, rest.bottom() - facts.Y - plan.factsHeight}
		if plan.beside {
			members = box{inner.right() - plan.memberW, rest.Y, plan.memberW, rest.H}
		}
		drawMembers(q, pic, members, g, &plan)
	})
}

// sectionHead names broker, group and the partition of __consumer_offsets that makes it the coordinator.
func (p *pen) sectionHead(b box, g *view.Group) {
	w := p.in.words
	title := w.say("group.title", "broker", string(g.Coordinator), "group", g.ID)
	if g.Coordinator == "" {
		title = w.say("group.uncoordinated", "group", g.ID)
	}
	end := p.run(b, span{title, p.label().bold(), p.u(12)})
	place := w.say("group.place", "group", g.ID, "partition", number(g.OffsetsPartition))
	room := box{end, b.Y, b.right() - end, b.H}
	if p.tiny().width(place) > room.W {
		place = kafka.OffsetsTopic + "-" + number(g.OffsetsPartition)
	}
	if p.tiny().width(place) <= room.W {
		p.write(room, place, p.tiny().aligned(scene.Right))
	}
}

// timeLeftWidth is the room for a small ring and the time that is left beside it.
func (p *pen) timeLeftWidth() float64 {
	s, w := p.tiny(), p.in.words
	return p.u(24) + max(s.width(w.left(59900*time.Millisecond)), s.width(w.left(282*time.Second)))
}

// drawGroupFacts writes generation, assignor, and what the coordinator waits for, and how long at most.
func drawGroupFacts(p *pen, pic *picture, b box, g *view.Group, plan *sectionPlan) {
	w := p.in.words
	line, rest := b.top(p.u(20))
	parts := []span{{w.say("group.generation", "n", number(g.Generation)), p.small().colored(p.in.theme.text).bold(), p.u(12)}}
	if g.Protocol != "" {
		parts = append(parts, span{w.say("group.protocol", "name", g.Protocol), p.small(), 0})
	}
	p.run(line, parts...)
	s := p.small()
	if g.Waiting.For != view.WaitNothing {
		s = s.colored(p.in.theme.warn)
	}
	if timer := runningTimer(g); timer.Running() {
		ring, after := rest.left(p.u(18))
		number, after := after.left(p.timeLeftWidth() - p.u(18))
		number.H = p.u(17)
		pic.rings = append(pic.rings, ringSpot{timer: timer, x: ring.X + p.u(6.5), y: rest.Y + p.u(8.5), r: p.u(6), color: p.in.theme.warn, number: number})
		rest = after
	}
	for i, text := range plan.waitLines {
		p.write(rest.row(i, p.u(17)), text, s)
	}
}

// runningTimer is the timer that ends the group's waiting; the zero Timer when none runs.
func runningTimer(g *view.Group) view.Timer {
	for _, t := range g.Timers {
		if t.Running() {
			return t
		}
	}
	return view.Timer{}
}

// waitSentence says what the coordinator of a group waits for.
func (in *input) waitSentence(g *view.Group) string {
	w := in.words
	names := make([]string, len(g.Waiting.Members))
	for i, id := range g.Waiting.Members {
		names[i] = in.memberName(g, id)
	}
	who := w.list(names)
	switch g.Waiting.For {
	case view.WaitInitialDelay:
		return w.say("wait.initial-delay")
	case view.WaitJoins:
		return w.say("wait.joins", "list", who)
	case view.WaitLeaderSync:
		return w.say("wait.leader-sync", "list", who)
	case view.WaitAppend:
		return w.say("wait.append")
	}
	if len(g.Members) == 0 {
		return w.say("wait.nobody")
	}
	return w.say("wait.nothing")
}

// memberName is the consumer's name behind a member id, or the id itself when no consumer is known.
func (in *input) memberName(g *view.Group, id string) string {
	for i := range g.Members {
		if g.Members[i].ID == id && g.Members[i].Client != "" {
			return string(g.Members[i].Client)
		}
	}
	return id
}

// drawMembers lists the members as the coordinator knows them.
func drawMembers(p *pen, pic *picture, b box, g *view.Group, plan *sectionPlan) {
	slots := plan.memberRows * plan.perRow
	at := func(i int) box {
		return box{
			b.X + float64(i%plan.perRow)*plan.memberW, b.Y + float64(i/plan.perRow)*plan.memberH,
			plan.memberW - p.u(6), plan.memberH,
		}
	}
	for i := range g.Members {
		if plan.hidden > 0 && i >= slots-1 {
			break
		}
		drawMember(p, pic, at(i), g, &g.Members[i])
	}
	for i, id := range g.Pending {
		if slot := len(g.Members) + i; plan.hidden == 0 || slot < slots-1 {
			p.write(at(slot), p.in.words.say("member.pending", "id", id), p.tiny())
		}
	}
	if plan.hidden > 0 {
		p.write(at(slots-1), p.in.words.say("member.more", "n", number(plan.hidden)), p.tiny())
	}
}

// drawMember draws one member: who, whether it leads, in which request it waits, and its session's ring.
func drawMember(p *pen, pic *picture, b box, g *view.Group, m *view.Member) {
	a := p.in.cast.of(m.Client)
	icon, rest := b.left(p.u(16))
	p.mark(a.mark, icon.X+p.u(6), icon.midY(), p.u(5), a.ink)
	timer := box{}
	if m.Session.Running() {
		timer, rest = rest.rightmost(p.timeLeftWidth())
	}
	end := p.run(rest, span{p.in.memberName(g, m.ID), p.small().colored(a.ink).bold(), p.u(8)})
	text := p.in.memberState(g, m)
	s := p.tiny()
	if m.Parked != "" {
		s = s.colored(p.in.theme.warn)
	}
	p.write(box{end, rest.Y, rest.right() - end - p.u(4), rest.H}, text, s)
	if m.Session.Running() {
		ring, number := timer.left(p.u(18))
		pic.rings = append(pic.rings, ringSpot{timer: m.Session, x: ring.midX(), y: ring.midY(), r: p.u(6), color: a.ink, number: number})
	}
}

// memberState says in a word or two what the coordinator knows of a member.
func (in *input) memberState(g *view.Group, m *view.Member) string {
	w := in.words
	var parts []string
	if m.Leader || g.Leader == m.ID && m.ID != "" {
		parts = append(parts, w.say("member.leader"))
	}
	switch {
	case m.Parked != "":
		parts = append(parts, w.say("member.parked", "request", m.Parked))
	case g.State == "PreparingRebalance":
		parts = append(parts, w.say("member.absent"))
	case g.State == "CompletingRebalance" && !m.Synced:
		parts = append(parts, w.say("member.unsynced"))
	case len(m.Assignment) > 0:
		parts = append(parts, w.say("member.partitions", "n", number(len(m.Assignment))))
	case g.State == "Stable":
		parts = append(parts, w.say("member.partitions-none"))
	}
	return strings.Join(parts, w.say("list.dot"))
}
