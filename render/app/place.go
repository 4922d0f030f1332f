package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"groupscope/lessons"
	"groupscope/render/stage"
)

// placeVersion is raised with each change of Place that an older program would misread.
const placeVersion = 1

// Place is where a person is: the session, and what it takes to find the same moment again.
type Place struct {
	Version int
	Session stage.Session
	Beat    string        // a beat's id, instead of the session's event; "" for none
	At      time.Duration // the virtual time of the event
	Hash    string        // of the trace up to the event; "" asks for no check
}

// Place is where the player is now.
func (p *Player) Place() Place {
	place := Place{Version: placeVersion, Session: p.session}
	place.Session.Playing = false
	place.Session.Hovered, place.Session.Focused = "", "" // pointer and keyboard begin anew
	if p.stage != nil && p.session.Event > 0 {            // before the first event there is nothing to compare
		place.At = p.run.History.Entry(p.session.Event).At
		place.Hash = p.run.History.Hash(p.session.Event)
	}
	return place
}

// event finds the place in a run. If the trace is another one than it was (the lesson or the model has changed since), it is
// the last event at or before the time.
func (p Place) event(run *lessons.Run) int {
	if p.Beat != "" {
		event, _ := run.EventOf(p.Beat) // the beginning, for a beat that is unknown or never reached
		return event
	}
	n := min(max(0, p.Session.Event), run.History.Len())
	if p.Hash == "" || n > 0 && run.History.Hash(n) == p.Hash {
		return n
	}
	return run.History.EventAt(p.At)
}

// ParsePlace reads what Place.String wrote.
func ParsePlace(text string) (Place, error) {
	var place Place
	if err := json.Unmarshal([]byte(text), &place); err != nil {
		return Place{}, fmt.Errorf("stored place: %w", err)
	}
	if place.Version != placeVersion {
		return Place{}, fmt.Errorf("stored place: version %d; expected %d", place.Version, placeVersion)
	}
	if place.Session.Lesson == "" {
		return Place{}, errors.New("stored place: names no lesson")
	}
	return place, nil
}

func (p Place) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data
	}
	return string(text)
}

// State is what the bridge and the tests can ask of a player.
type State struct {
	Session  stage.Session `json:"session"`
	Lesson   string        `json:"lesson"`
	Variant  string        `json:"variant"`
	Beat     string        `json:"beat"`  // the id of the beat that the event belongs to; "" before the first
	Beats    []string      `json:"beats"` // the ids of the lesson's beats
	Event    int           `json:"event"`
	Events   int           `json:"events"`
	At       time.Duration `json:"at"` // virtual, in nanoseconds
	Hash     string        `json:"hash"`
	Announce string        `json:"announce"`
	Failure  string        `json:"failure"` // "" while a lesson is on screen
}

// State describes what is on screen.
func (p *Player) State() State {
	state := State{
		Session: p.session, Lesson: p.session.Lesson, Variant: p.session.Variant, Event: p.session.Event,
		Announce: p.Announce(),
	}
	if p.failure != nil {
		state.Failure = p.failure.Error()
	}
	if p.stage == nil {
		return state
	}
	place := p.Place()
	state.At, state.Hash, state.Events = place.At, place.Hash, p.run.History.Len()
	state.Beat = p.Beat()
	for _, beat := range p.run.Plan.Beats {
		state.Beats = append(state.Beats, beat.ID)
	}
	return state
}

// Beat is the id of the beat that is on screen; "" before the first, and while a failure is shown.
func (p *Player) Beat() string {
	if p.stage == nil {
		return ""
	}
	if i := p.run.BeatAt(p.session.Event); i >= 0 {
		return p.run.Plan.Beats[i].ID
	}
	return ""
}
