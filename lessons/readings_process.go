package lessons

import (
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// The readings off a frame that are about one process, or about messages on their way.

func inHand(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return number(int64(c.InHand))
	}
	return number(0)
}

func buffered(f *view.Frame, a *Arguments) Value {
	var sum int64
	if c := consumerOf(f, a.Consumer); c != nil {
		for _, o := range c.Owned {
			sum += int64(o.Buffered)
		}
	}
	return number(sum)
}

func fetchMemory(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return number(c.FetchMemory)
	}
	return number(0)
}

func sent(f *view.Frame, a *Arguments) Value {
	return number(producerOf(f, a.Producer).Sent)
}

func acked(f *view.Frame, a *Arguments) Value {
	return number(producerOf(f, a.Producer).Acked)
}

// producerOf finds a producer; one that is not there has done nothing.
func producerOf(f *view.Frame, id kafka.NodeID) view.Producer {
	for _, p := range f.Producers {
		if p.ID == id {
			return p
		}
	}
	return view.Producer{}
}

func liveness(f *view.Frame, a *Arguments) Value {
	if life, ok := f.Liveness(a.Node); ok {
		return name(life.String())
	}
	return absent(Name)
}

func joinState(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return name(c.JoinState)
	}
	return absent(Name)
}

func memberID(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return name(c.MemberID)
	}
	return absent(Name)
}

func memberGeneration(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return offset(int64(c.Generation))
	}
	return absent(Number)
}

func line(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil && c.Program.Line > 0 {
		return number(int64(c.Program.Line))
	}
	return absent(Number)
}

func callback(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return name(c.Callback)
	}
	return absent(Name)
}

func lastError(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil && c.LastError != kafka.None {
		return name(c.LastError.String())
	}
	return absent(Name)
}

func exception(f *view.Frame, a *Arguments) Value {
	if c := consumerOf(f, a.Consumer); c != nil {
		return name(c.Exception)
	}
	return absent(Name)
}

func timerLeft(f *view.Frame, a *Arguments) Value {
	if a.Timer == "session" {
		if m := memberOf(f, a.Consumer); m != nil && m.Session.Running() {
			left, _ := m.Session.Left(f.At)
			return duration(left)
		}
		return absent(Duration)
	}
	if c := consumerOf(f, a.Consumer); c != nil {
		return leftOf(f, c.Timers, a.Timer)
	}
	return absent(Duration)
}

func groupTimerLeft(f *view.Frame, a *Arguments) Value {
	if g := groupOf(f, a.Group); g != nil {
		return leftOf(f, g.Timers, a.Timer)
	}
	return absent(Duration)
}

func leftOf(f *view.Frame, timers []view.Timer, named string) Value {
	i := slices.IndexFunc(timers, func(t view.Timer) bool { return t.Name == named && t.Running() })
	if i < 0 {
		return absent(Duration)
	}
	left, _ := timers[i].Left(f.At)
	return duration(left)
}

func flying(f *view.Frame, a *Arguments) Value {
	var count int64
	for _, flight := range f.Flying {
		if a.matches(flight.Message) {
			count++
		}
	}
	return number(count)
}
