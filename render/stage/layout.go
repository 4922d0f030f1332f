package stage

// form is how the stage is folded.
type form uint8

const (
	wide    form = iota // picture and sequence beside narration and a panel with tabs
	compact             // one panel at a time, the narration beside it
	narrow              // one panel at a time, the narration as a sheet below it
)

// size is the scale of everything: one unit is a design pixel of a window of 1440 by 900.
type size struct {
	unit                            float64
	title, body, label, small, tiny float64 // of type
	control                         float64 // height of a control: 44 px where fingers touch
	gap                             float64 // between panels
}

func (s size) u(x float64) float64 { return round(x * s.unit) }

// layout says where the panels are. A panel that is not in view has an empty box.
type layout struct {
	form      form
	low       bool // wide, but without height for the sequence below the picture: a tab shows it
	size      size
	header    box
	tabs      box // the row of tabs
	views     box // the row of tabs of the views, above the picture; where there is none, a menu has them
	picture   box
	sequence  box
	narration box
	side      box // the panel that the tabs choose: code, details, coordinator
	transport box
}

// newLayout folds the stage for a window. The sequence diagram is as tall as so many lanes need.
func newLayout(s *Session, lanes int) layout {
	switch {
	case s.Width < 560:
		return narrowLayout(s)
	case s.Width < 960 || s.Height < 600:
		return compactLayout(s)
	}
	return wideLayout(s, lanes)
}

// newSize scales type with the window, so that a projector's picture is read from the last row; it never
// falls below what can be read at arm's length.
func newSize(unit float64, control float64) size {
	at := func(x float64) float64 { return round(2*x*unit) / 2 }
	return size{
		unit: unit, title: at(20), body: at(16.5), label: at(14.5), small: max(11.5, at(13.5)), tiny: max(10.5, at(12.5)),
		control: max(control, round(32*unit)), gap: round(12 * unit),
	}
}

// lowHeight is the design height of a window below which picture and sequence do not both fit.
const lowHeight = 760

func wideLayout(s *Session, lanes int) layout {
	unit := max(0.86, min(s.Width/1440, s.Height/900))
	l := layout{form: wide, size: newSize(unit, 30)}
	u, gap := l.size.u, l.size.gap
	all := box{0, 0, s.Width, s.Height}
	l.header, all = all.top(u(50))
	l.transport, all = all.under(u(60))
	all = all.inset(gap, gap)
	left, right := all.left(round(all.W * 0.685))
	right = box{right.X + gap, right.Y, right.W - gap, right.H}
	l.low = s.Height < lowHeight*unit
	if !l.low {
		l.sequence, left = left.under(clamp(u(86+36*float64(lanes)), u(150), round(all.H*0.25)))
		left.H -= gap
	}
	l.views, left = left.top(u(36))
	l.picture = left
	l.narration, right = right.top(round(all.H * 0.54))
	right = box{right.X, right.Y + gap, right.W, right.H - gap}
	l.tabs, l.side = right.top(u(42))
	if l.low && l.shown(s) == "sequence" {
		l.sequence, l.side = l.side, box{}
	}
	return l
}

func compactLayout(s *Session) layout {
	unit := clamp(min(s.Width/1100, s.Height/640), 0.86, 1.2)
	l := layout{form: compact, size: newSize(unit, 32)}
	u, gap := l.size.u, round(l.size.gap*0.66)
	all := box{0, 0, s.Width, s.Height}
	l.header, all = all.top(u(46))
	l.transport, all = all.under(u(50))
	all = all.inset(gap, gap)
	l.narration, all = all.rightmost(round(all.W * 0.37))
	all.W -= gap
	l.tabs, all = all.top(u(38))
	l.place(s, all)
	return l
}

func narrowLayout(s *Session) layout {
	l := layout{form: narrow, size: newSize(clamp(s.Width/420, 0.86, 1.1), 44)}
	gap := l.size.u(6)
	all := box{0, 0, s.Width, s.Height}
	l.header, all = all.top(52)
	l.transport, all = all.under(96)
	l.tabs, all = all.top(44)
	all = all.inset(gap, gap)
	share := 0.36
	if s.Sheet {
		share = 0.7
	}
	l.narration, all = all.under(max(l.size.u(132), round(all.H*share)))
	all.H = max(0, all.H-gap)
	l.place(s, all)
	return l
}

// place gives the box to the panel that is in front.
func (l *layout) place(s *Session, b box) {
	switch s.Panel {
	case "sequence":
		l.sequence = b
	case "code", "details", "coordinator":
		l.side = b
	default:
		l.picture = b
	}
}

// shown is the panel whose tab is lit.
func (l *layout) shown(s *Session) string {
	tabs := l.tabNames()
	for _, name := range tabs {
		if name == s.Panel {
			return name
		}
	}
	return tabs[0]
}

// tabNames lists the panels that have a tab.
func (l *layout) tabNames() []string {
	switch {
	case l.low:
		return Panels[1:]
	case l.form == wide:
		return Panels[2:]
	}
	return Panels
}
