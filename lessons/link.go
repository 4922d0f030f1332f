package lessons

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"groupscope/core/kafka"
	"groupscope/core/sim"
)

// Link is a place in a run as a link carries it: what was played, what was done, and where the person is. Its text form is
// "VERSION." and, in base64 for addresses, the CRC-32 and the deflated JSON of the rest.
type Link struct {
	Model    int               `json:"m"` // sim.Model of the program that made it
	Lesson   string            `json:"l"`
	Variant  string            `json:"r,omitempty"`
	Content  string            `json:"c"`           // the hash of lesson.yaml
	Files    map[string]string `json:"f,omitempty"` // the lesson itself, if it is none of the program's
	Branches []LinkBranch      `json:"b"`           // the base first, each after the one it comes from
	Current  int               `json:"w,omitempty"` // the index of the branch
	Event    int               `json:"e"`
	At       time.Duration     `json:"t"`           // of the event
	Hash     string            `json:"h"`           // of the trace up to the event
	Marks    []byte            `json:"k,omitempty"` // beginnings of the hash on the way there
}

// LinkBranch is a branch in a link. The base has no From and no command.
type LinkBranch struct {
	From      int           `json:"f,omitempty"` // index of the branch that the person was in
	After     int           `json:"a,omitempty"`
	At        time.Duration `json:"t,omitempty"`
	Text      string        `json:"c,omitempty"`
	Until     time.Duration `json:"u"`
	Name      string        `json:"n,omitempty"`
	Continues bool          `json:"s,omitempty"`
	Seen      int           `json:"v,omitempty"`
	Mark      string        `json:"h,omitempty"` // the beginning of the hash of the trace up to After
}

const (
	linkVersion  = 1
	longestLink  = 256 << 10 // characters
	longestBody  = 1 << 20   // bytes of JSON
	mostBranches = 500
	markSize     = 3  // bytes
	marksOnWay   = 16 // how many marks there are up to the event
	prefixSize   = 8  // hexadecimal digits
)

// Link is where the current branch is at an event.
func (r *Run) Link(event int) *Link {
	event = max(0, min(event, r.History.Len()))
	l := &Link{
		Model: sim.Model, Lesson: r.Lesson.ID, Variant: r.Variant, Content: contentOf(r.Lesson.files[lessonName]),
		Current: int(r.History.Current()), Event: event, At: r.History.At(event).Now(),
	}
	if builtinContent(l.Lesson) != l.Content {
		l.Files = r.Lesson.files
	}
	for i, b := range r.History.Branches() {
		act := r.branches[i].act
		branch := LinkBranch{
			From: int(act.From), After: act.After, At: act.At, Text: act.Text, Until: b.Until, Name: b.Name, Continues: act.Continues,
			Seen: r.branches[i].seen,
		}
		if i > 0 {
			branch.Mark = r.History.Beside(act.From).Hash(act.After)[:prefixSize]
		}
		l.Branches = append(l.Branches, branch)
	}
	hashes := r.History.Hashes(append(markedEvents(event), event)...)
	for _, h := range hashes[:marksOnWay] {
		raw, _ := hex.DecodeString(h[:2*markSize])
		l.Marks = append(l.Marks, raw...)
	}
	l.Hash = hashes[marksOnWay]
	return l
}

// markedEvents are the events at whose hashes marks are taken, evenly on the way to an event.
func markedEvents(event int) []int {
	events := make([]int, marksOnWay)
	for i := range events {
		events[i] = event * (i + 1) / (marksOnWay + 1)
	}
	return events
}

// contentOf is a short hash of a file.
func contentOf(file string) string {
	sum := sha256.Sum256([]byte(file))
	return hex.EncodeToString(sum[:8])
}

// builtinContent is the hash of a built-in lesson's file; "" if there is none.
func builtinContent(id string) string {
	files, ok := BuiltinOf(id)
	if !ok {
		return ""
	}
	source, err := fs.ReadFile(files, id+"/"+lessonName)
	if err != nil {
		return ""
	}
	return contentOf(string(source))
}

// String is the link as it stands in an address.
func (l *Link) String() string {
	body, err := json.Marshal(l)
	if err != nil {
		panic(err) // plain data
	}
	var packed bytes.Buffer
	packed.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	w, _ := flate.NewWriter(&packed, flate.BestCompression)
	_, _ = w.Write(body) // to memory
	_ = w.Close()
	return strconv.Itoa(linkVersion) + "." + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

var errDamaged = errors.New("the link is damaged or cut short")

// ParseLink reads what String wrote. A link that is damaged, too long, or made by a newer program is refused as a whole.
func ParseLink(text string) (*Link, error) {
	if len(text) > longestLink {
		return nil, fmt.Errorf("the link has %d characters; expected at most %d", len(text), longestLink)
	}
	version, packed, found := strings.Cut(text, ".")
	n, err := strconv.Atoi(version)
	switch {
	case !found || err != nil || n < 1:
		return nil, errors.New("this is no link of groupscope")
	case n > linkVersion:
		return nil, fmt.Errorf("the link was made by a newer groupscope: its form is %d, and this one reads up to %d", n, linkVersion)
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(packed)
	if err != nil || len(data) < 4 {
		return nil, errDamaged
	}
	body, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data[4:])), longestBody+1))
	if len(body) > longestBody {
		return nil, fmt.Errorf("the link holds more than %d bytes", longestBody)
	}
	if err != nil || crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(data) {
		return nil, errDamaged
	}
	link := &Link{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(link); err != nil || d.More() {
		return nil, errDamaged
	}
	if err := link.check(); err != nil {
		return nil, fmt.Errorf("the link makes no sense: %w", err)
	}
	return link, nil
}

var linkFile = regexp.MustCompile(`^[a-z][a-z-]{0,19}\.yaml$`)

// check tells what is wrong with a link that was read.
func (l *Link) check() error {
	switch {
	case l.Model < 1:
		return errors.New("it names no model")
	case !slug.MatchString(l.Lesson) || l.Variant != "" && !slug.MatchString(l.Variant):
		return fmt.Errorf("%q is no lesson", clip(l.Lesson+" "+l.Variant))
	case len(l.Branches) == 0 || len(l.Branches) > mostBranches || l.Current < 0 || l.Current >= len(l.Branches):
		return fmt.Errorf("branch %d of %d", l.Current, len(l.Branches))
	case l.Event < 0 || l.At < 0 || len(l.Marks) != markSize*marksOnWay:
		return fmt.Errorf("event %d", l.Event)
	}
	for name, content := range l.Files {
		if !linkFile.MatchString(name) || !utf8.ValidString(content) {
			return fmt.Errorf("%q is no file of a lesson", clip(name))
		}
	}
	for i, b := range l.Branches {
		switch {
		case b.From < 0 || i > 0 && b.From >= i || (i == 0) != (b.Text == ""):
			return fmt.Errorf("branch %d comes from branch %d", i, b.From)
		case b.After < 0 || b.At < 0 || b.Until < 0 || b.Seen < 0:
			return fmt.Errorf("branch %d begins at event %d", i, b.After)
		}
	}
	return nil
}

// Arrival is where a link led.
type Arrival struct {
	Run   *Run // in its branch
	Event int
	// Exact says that the trace up to the event is the one that the link was made at. Otherwise the event is the last one at
	// or before the link's time, and the first difference lies after event Same and not after event Differs.
	Exact         bool
	Same, Differs int
	Model         int      // of the program that made the link
	Changed       bool     // the lesson is another one than it was
	Refused       []string // commands that could not be given any more
}

// Open plays what a link says. Where it cannot be followed exactly, since the model or the lesson has changed, the commands are given
// by their time and order.
func (l *Link) Open() (*Arrival, error) {
	lesson, err := l.lesson()
	if err != nil {
		return nil, err
	}
	run, err := lesson.Play(l.Variant)
	if err != nil {
		return nil, err
	}
	a := &Arrival{Run: run, Model: l.Model, Changed: contentOf(lesson.files[lessonName]) != l.Content}
	if err := a.follow(l); err != nil {
		return nil, err
	}
	a.land(l)
	return a, nil
}

func (l *Link) lesson() (*Lesson, error) {
	if len(l.Files) > 0 {
		files := fstest.MapFS{}
		for name, content := range l.Files {
			files[l.Lesson+"/"+name] = &fstest.MapFile{Data: []byte(content)}
		}
		return Load(files, l.Lesson)
	}
	files, ok := BuiltinOf(l.Lesson)
	if ok {
		return Load(files, l.Lesson)
	}
	message := fmt.Sprintf("the link is to lesson %q, which there is not", clip(l.Lesson))
	var known []string
	for _, t := range Catalogue() {
		known = append(known, t.ID)
	}
	if near := kafka.Suggest(l.Lesson, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return nil, errors.New(message)
}

// follow makes the branches of a link. One whose command makes no sense any more is left out; those that come from it come from
// the one before.
func (a *Arrival) follow(l *Link) error {
	r := a.Run
	ids := make([]sim.BranchID, len(l.Branches))
	events := 0
	for i, b := range l.Branches {
		ids[i] = ids[b.From]
		r.Switch(ids[i])
		if i > 0 {
			id, err := r.Act(a.placeOf(b.After, b.At, b.Mark), b.Text)
			if err != nil {
				a.Refused = append(a.Refused, b.Text)
				continue
			}
			ids[i] = id
			r.branches[id].act.Continues = b.Continues
		}
		if b.Until > r.Until() {
			if err := r.Extend(b.Until); err != nil {
				return fmt.Errorf("the link makes no sense: %w", err)
			}
		}
		r.Rename(ids[i], b.Name)
		r.branches[ids[i]].seen = min(b.Seen, r.History.Len())
		if events += r.History.Len(); events > 4*maxEvents {
			return fmt.Errorf("the link holds too much: more than %d events in its branches", 4*maxEvents)
		}
	}
	r.Switch(ids[l.Current])
	return nil
}

// placeOf is an event of the current branch: the one of that number if the trace up to it is as it was, else the last one at or before a
// time.
func (a *Arrival) placeOf(event int, at time.Duration, mark string) int {
	if h := a.Run.History; event <= h.Len() && strings.HasPrefix(h.Hash(event), mark) && mark != "" {
		return event
	}
	return a.Run.History.EventAt(at)
}

// land finds the link's event, and the first difference if there is one.
func (a *Arrival) land(l *Link) {
	h := a.Run.History
	a.Event = a.placeOf(l.Event, l.At, l.Hash)
	if a.Exact = l.Event <= h.Len() && h.Hash(l.Event) == l.Hash; a.Exact {
		return
	}
	marked := markedEvents(l.Event)
	hashes := h.Hashes(marked...)
	i := 0
	for i < marksOnWay && hashes[i][:2*markSize] == hex.EncodeToString(l.Marks[i*markSize:(i+1)*markSize]) && marked[i] <= h.Len() {
		a.Same = marked[i]
		i++
	}
	a.Differs = slices.Concat(marked, []int{l.Event})[i]
}
