package stage

import (
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// detailRows tells everything about the selected thing and what can be done to it, or about the present event when nothing is
// selected.
func (in *input) detailRows() []row { return append(in.knownRows(), in.offerRows()...) }

// knownRows tells everything about the selected thing, or about the present event.
func (in *input) knownRows() []row {
	kind, id, _ := strings.Cut(in.session.Selected, ":")
	switch kind {
	case "message":
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			if a := in.track.arrow(n); a != nil {
				return in.arrowRows(a)
			}
		}
	case "event":
		if n, err := strconv.Atoi(id); err == nil && n >= 1 && n <= in.track.len() {
			return in.eventRows(in.entries(n))
		}
	case "node":
		return append(in.nodeRows(kafka.NodeID(id)), in.lastRows(in.session.Selected)...)
	case "partition":
		if tp, err := kafka.ParseTopicPartition(id); err == nil {
			return append(in.partitionRows(tp), in.lastRows(in.session.Selected)...)
		}
	case "group":
		if g := in.group(id); g != nil {
			return append(in.groupRows(g), in.lastRows(in.session.Selected)...)
		}
	}
	return append(in.eventRows(in.entry), in.nearRows()...)
}

// eventRows tells an event: what it was, when, why, and what the node did.
func (in *input) eventRows(e *view.Entry) []row {
	w := in.words
	if e == nil {
		return []row{{value: w.say("event.start"), head: true}}
	}
	rows := []row{
		{value: in.eventLead(e), head: true},
		{name: w.say("detail.event"), value: in.eventPlace(e.Event)},
	}
	rows = append(rows, in.whyRows(e.Event)...)
	for i := range e.Facts {
		if text := in.factSentence(&e.Facts[i]); text != "" {
			rows = append(rows, row{name: w.say("detail.fact"), value: text, warm: e.Facts[i].Error != kafka.None})
		}
	}
	for i := range e.Sent {
		m := &e.Sent[i]
		rows = append(rows, in.link(w.say("detail.sends"), in.messageTitle(m), messageID(m.ID)))
	}
	if e.Message != nil {
		rows = append(rows, row{value: w.say("detail.fields"), head: true})
		rows = append(rows, fieldRows(e.Message.Body)...)
	}
	return rows
}

// link is a row that leads to a message or an event.
func (in *input) link(name, value, id string) row {
	return row{name: name, value: value, id: "link:" + id, action: scene.Action{Do: Visit, Arg: id}}
}

func (in *input) messageTitle(m *kafka.Message) string {
	key := "detail.request"
	if m.Reply() {
		key = "detail.reply"
	}
	return in.words.say(key, "api", m.Body.API().String(), "from", string(m.From), "to", string(m.To))
}

// arrowRows tells a message: both its ends, its request or reply, and every field.
func (in *input) arrowRows(a *arrow) []row {
	w := in.words
	rows := []row{{value: in.messageTitle(a.message), head: true}}
	at := in.eventPlace
	rows = append(rows, in.link(w.say("detail.sent"), at(a.sent), eventID(a.sent)))
	switch {
	case a.arrived > 0 && a.arrived <= in.frame.Event:
		rows = append(rows, in.link(w.say("detail.arrived"), at(a.arrived), eventID(a.arrived)))
	case a.dropped > 0 && a.dropped <= in.frame.Event:
		rows = append(rows, row{name: w.say("detail.arrived"), value: w.say("detail.dropped"), warm: true})
	case a.sent > in.frame.Event:
		rows = append(rows, row{name: w.say("detail.arrived"), value: w.say("detail.unsent")})
	default:
		rows = append(rows, row{name: w.say("detail.arrived"), value: w.say("detail.flying")})
	}
	if a.err != kafka.None {
		rows = append(rows, row{name: w.say("detail.error"), value: a.err.String(), warm: true})
	}
	if a.sent <= in.frame.Event {
		rows = append(rows, in.whyRows(a.sent)...)
	}
	rows = append(rows, row{value: w.say("detail.fields"), head: true})
	return append(rows, fieldRows(a.message.Body)...)
}

// structRows lists the fields of a structure; those of an embedded one under the names that they have in the one around it.
func structRows(v reflect.Value, around reflect.Type, indent int) []row {
	var rows []row
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		if !field.IsExported() {
			continue
		}
		if field.Anonymous && value.Type() != reflect.TypeFor[kafka.TopicPartition]() {
			rows = append(rows, structRows(value, around, indent)...)
			continue
		}
		name := protocolName(around, field.Name)
		switch {
		case field.Anonymous:
			name = "partition"
		case name == "isolationLevel":
			rows = append(rows, row{name: name, value: isolationLevel(value.Bool()), indent: indent})
			continue
		}
		rows = append(rows, valueRows(name, value, indent)...)
	}
	return rows
}

// mostItems is how many elements of a list are shown.
const mostItems = 24

// valueRows lists a value: on one line where it is simple, or else with its parts indented below it.
func valueRows(name string, v reflect.Value, indent int) []row {
	if text, ok := simpleValue(v); ok {
		return []row{{name: name, value: text, indent: indent}}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return append([]row{{name: name, indent: indent}}, structRows(v.Elem(), v.Elem().Type(), indent+1)...)
	case reflect.Struct:
		return append([]row{{name: name, indent: indent}}, structRows(v, v.Type(), indent+1)...)
	case reflect.Slice:
		rows := []row{{name: name, value: "[" + strconv.Itoa(v.Len()) + "]", indent: indent}}
		for i := range min(v.Len(), mostItems) {
			rows = append(rows, valueRows("["+strconv.Itoa(i)+"]", v.Index(i), indent+1)...)
		}
		return rows
	}
	return nil
}

// simpleValue writes a value that fits on one line.
func simpleValue(v reflect.Value) (string, bool) {
	switch x := v.Interface().(type) {
	case time.Duration:
		return trimNumber(float64(x)/float64(time.Millisecond), 3) + " ms", true
	case kafka.ErrorCode:
		return x.String(), true
	case kafka.TopicPartition:
		return x.String(), true
	case []kafka.TopicPartition:
		return "[" + partitionList(x) + "]", true
	case []string:
		return "[" + strings.Join(x, ", ") + "]", true
	}
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String()), true
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Slice:
		return "[]", v.Len() == 0
	}
	return "", false
}

// camel turns a Go name into the protocol's: MemberID into memberId.
func camel(name string) string {
	runes := []rune(name)
	for i := range runes {
		afterUpper := i > 0 && unicode.IsUpper(rune(name[i-1]))
		beforeLower := i+1 < len(runes) && unicode.IsLower(rune(name[i+1]))
		if i == 0 || afterUpper && !beforeLower {
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	return string(runes)
}
