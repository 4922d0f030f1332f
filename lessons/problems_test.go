package lessons

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// wrong is a slip in a file of the lesson "small", and what is said of it: without the name of lesson.yaml, and
// long lists of names cut short.
type wrong struct {
	name, old, new string
	said           []string
}

var wrongLessons = []wrong{
	{"unknown key", "C1: {group: G1, topics", "C1: {grup: G1, topics", []string{
		`8:3: consumer "C1" lacks "group"; expected a group, as only assign does without`,
		`8:8: unknown key "grup"; expected one of …; did you mean "group"?`,
	}},
	{"key twice", "until: 10s", "until: 10s\nuntil: 11s", []string{
		`3:1: "until" stands here a second time; expected one, as in line 2`,
	}},
	{"missing key", "until: 10s\n", "", []string{
		`1:1: a lesson lacks "until"; expected a time above 0 and up to 700h, such as 20s`,
	}},
	{"format of the future", "format: 1", "format: 2", []string{
		`1:9: found "2"; expected 1, the only format so far`,
	}},
	{"not YAML", "  B1: {}", "  B1: {", []string{
		`6:7: not YAML: ',' or '}' must be specified`,
	}},
	{"tab", "  B1: {}", "\tB1: {}", []string{
		`4:1: not YAML: found character '	' that cannot start any token`,
	}},
	{"anchor", "  B1: {}", "  B1: &b {}", []string{
		`4:7: anchors, aliases and tags have no meaning in a lesson; expected a plain value`,
	}},
	{"second document", "beats:", "---\nbeats:", []string{
		`1:1: a lesson lacks "beats"; expected a mapping by id`,
		`13:1: a second document begins here; expected one document`,
	}},
	{"wrong type: a list for a mapping", "topics:\n  T1: {partitions: 2}", "topics: [T1]", []string{
		`5:9: found a list; expected a mapping by id`,
		`14:12: unknown thing to look at "T1"; expected one of C1, P1, B1, G1, sequence, coordinator, code, clock, figures; did you mean "C1"?`,
	}},
	{"wrong type: a text for a list", "topics: [T1]}", "topics: T1}", []string{
		`8:27: found "T1"; expected a list, each entry the id of a topic`,
	}},
	{"wrong type: a mapping for a value", "C1: {group: G1,", "C1: {group: {id: G1},", []string{
		`8:16: found a mapping; expected a name of at most 20 letters, digits, hyphens, dots and underscores`,
	}},
	{"time without a unit", "until: 10s", "until: 20", []string{
		`2:8: "20" lacks its unit, such as 20s or 20ms; expected a time above 0 and up to 700h, such as 20s`,
	}},
	{"negative time", "until: 10s", "until: -5", []string{
		`2:8: found "-5"; expected a time above 0 and up to 700h, such as 20s`,
	}},
	{"nothing", "until: 10s", "until:", []string{
		`2:7: found nothing; expected a time above 0 and up to 700h, such as 20s`,
	}},
	{"bad duration", "every: 500ms", "every: 500", []string{
		`10:26: "500" lacks its unit, such as 500s or 500ms; expected a time of at least 1ms, such as 250ms`,
	}},
	{"interval of nothing", "every: 500ms", "every: 0s", []string{
		`10:26: found "0s"; expected a time of at least 1ms, such as 250ms`,
	}},
	{"bad release", "until: 10s", "until: 10s\nrelease: 5.0", []string{
		`3:10: found "5.0"; expected a Kafka release from 0.9 to 4.0, such as 3.9`,
	}},
	{"bad number of partitions", "partitions: 2", "partitions: 0", []string{
		`6:20: found "0"; expected a number of partitions from 1 to 1000`,
	}},
	{"bad id", "  C1: {group", "  C 1: {group", []string{
		`8:3: found "C 1"; expected a name of at most 20 letters, digits, hyphens, dots and underscores`,
		`12:25: unknown consumer, producer or broker "C1"; expected one of C 1, P1, B1; did you mean "C 1"?`,
		`17:40: unknown consumer "C1"; expected one of C 1; did you mean "C 1"?`,
		`small/en.yaml:7:18: unknown consumer "C1"; expected one of C 1; did you mean "C 1"?`,
		`small/zh.yaml:7:18: unknown consumer "C1"; expected one of C 1; did you mean "C 1"?`,
	}},
	{"an id taken", "  P1: {topic", "  C1: {topic", []string{
		`10:3: the id "C1" is taken by one of the consumers; expected another id`,
	}},
	{"unknown topic", "topics: [T1]", "topics: [T2]", []string{
		`8:28: unknown topic "T2"; expected one of T1; did you mean "T1"?`,
	}},
	{"unknown consumer in a command", "crash: C1", "crash: C2", []string{
		`12:25: unknown consumer, producer or broker "C2"; expected one of C1, P1, B1; did you mean "C1"?`,
	}},
	{"unknown program", "C1: {group: G1, topics", "C1: {program: auto-comit, group: G1, topics", []string{
		`8:17: unknown program "auto-comit"; expected one of …; did you mean "auto-commit"?`,
	}},
	{"unknown setting", "C1: {group: G1, topics", "C1: {settings: {sesion.timeout.ms: 6000}, group: G1, topics", []string{
		`8:19: sesion.timeout.ms: no such setting of a consumer; did you mean "session.timeout.ms"?`,
	}},
	{"setting of a later release", "C1: {group: G1, topics", "C1: {release: 0.9, settings: {max.poll.records: 10}, group: G1, topics", []string{
		`8:33: max.poll.records: release 0.9 does not have this setting yet: it came with 0.10`,
	}},
	{"setting that the model fills in", "C1: {group: G1, topics", "C1: {settings: {group.id: G2}, group: G1, topics", []string{
		`8:19: "group.id" is filled in by the model`,
	}},
	{"settings that contradict each other", "until: 10s", "until: 10s\nsettings:\n  consumer: {session.timeout.ms: 6000, heartbeat.interval.ms: 6000}", []string{
		`4:40: heartbeat.interval.ms: heartbeat.interval.ms must be less than session.timeout.ms (heartbeat.interval.ms is 6000, session.timeout.ms is 6000)`,
	}},
	{"leaders for some partitions", "partitions: 2", "partitions: 2, leaders: [B1]", []string{
		`6:32: 1 leader for 2 partitions; expected one for each partition`,
	}},
	{"command without a moment", "at: 8s, crash", "crash", []string{
		`12:3: command "kill" needs a moment; expected either at or when`,
	}},
	{"command with two verbs", "at: 8s, crash: C1", "at: 8s, crash: C1, close: C1", []string{
		`12:3: command "kill" has 2 verbs; expected one of …`,
	}},
	{"command without a verb", "at: 8s, crash: C1", "at: 8s", []string{
		`12:3: command "kill" has no verb; expected one of …`,
	}},
	{"unknown verb", "crash: C1", "crush: C1", []string{
		`12:3: command "kill" has no verb; expected one of …`,
		`12:18: unknown key "crush"; expected one of …; did you mean "crash"?`,
	}},
	{"argument lacking", "crash: C1", "freeze: C1", []string{
		`12:3: freeze lacks "for"`,
	}},
	{"argument too many", "crash: C1", "crash: C1, for: 3s", []string{
		`12:29: crash takes no "for"`,
	}},
	{"beat without a moment", "    at: 9s", "    look: [C1]", []string{
		`25:3: beat "end" is never reached; expected at or when; only the first beat may be the start itself`,
	}},
	{"beat with two moments", "    at: 9s", "    at: 9s\n    when: {time: {is: 9s}}", []string{
		`25:3: beat "end" has both at and when; expected one of them`,
	}},
	{"look at nothing known", "look: [T1]", "look: [T1-2]", []string{
		`15:12: unknown thing to look at "T1-2"; expected one of …; did you mean "T1-0"?`,
	}},
	{"unknown reading", "- generation: {group: G1, is: 1}", "- genertion: {group: G1, is: 1}", []string{
		`19:9: unknown reading "genertion"; expected one of …; did you mean "generation"?`,
	}},
	{"two readings in one", "- generation: {group: G1, is: 1}", "- {generation: {group: G1, is: 1}, state: {group: G1, is: Stable}}", []string{
		`19:10: found a mapping; expected one reading with its parameters and a comparison, such as generation: {group: G1, is: 2}; or all, any, not`,
	}},
	{"no comparison", "- generation: {group: G1, is: 1}", "- generation: {group: G1}", []string{
		`19:9: generation lacks a comparison; expected one of is, not, at-least, at-most, one-of`,
	}},
	{"comparison of another type", "- generation: {group: G1, is: 1}", "- generation: {group: G1, contains: [1]}", []string{
		`19:33: unknown comparison for a number "contains"; expected one of is, not, at-least, at-most, one-of`,
	}},
	{"unknown parameter", "- generation: {group: G1, is: 1}", "- generation: {groop: G1, is: 1}", []string{
		`19:9: generation lacks "group"; expected group`,
		`19:22: unknown parameter of generation "groop"; expected one of group; did you mean "group"?`,
	}},
	{"unknown group", "- generation: {group: G1, is: 1}", "- generation: {group: G2, is: 1}", []string{
		`19:29: unknown group "G2"; expected one of G1; did you mean "G1"?`,
	}},
	{"bad value", "- generation: {group: G1, is: 1}", "- generation: {group: G1, is: one}", []string{
		`19:37: found "one"; expected a whole number, or none`,
	}},
	{"name that a reading never gives", "- generation: {group: G1, is: 1}", "- state: {group: G1, is: Stabel}", []string{
		`19:32: unknown value of state "Stabel"; expected one of Empty, PreparingRebalance, CompletingRebalance, Stable, Dead; did you mean "Stable"?`,
	}},
	{"unknown partition", "- generation: {group: G1, is: 1}", "- end: {partition: T1-7, is: 1}", []string{
		`19:26: unknown partition "T1-7"; expected T1-0 to T1-1`,
	}},
	{"no partition", "- generation: {group: G1, is: 1}", "- end: {partition: T1, is: 1}", []string{
		`19:26: found "T1"; expected a partition such as T1-0`,
	}},
	{"unknown error", "- generation: {group: G1, is: 1}", "- answers: {error: REBALANCE_IN_PROGRES, is: 1}", []string{
		`19:26: unknown error "REBALANCE_IN_PROGRES"; expected one of …; did you mean "REBALANCE_IN_PROGRESS"?`,
	}},
	{"unknown request", "- generation: {group: G1, is: 1}", "- requests: {api: JoinGroups, is: 1}", []string{
		`19:25: unknown request "JoinGroups"; expected one of …; did you mean "JoinGroup"?`,
	}},
	{"bad stretch", "- generation: {group: G1, is: 1}", "- time: {since: begin, is: 1s}", []string{
		`19:23: unknown stretch "begin"; expected one of start, beat`,
	}},
	{"one option", "        two: {member-count: {group: G1, is: 2}}\n", "", []string{
		`23:9: a question needs a choice; expected two options or more`,
		`small/en.yaml:9:25: unknown option "two"; expected one of one`,
		`small/zh.yaml:9:25: unknown option "two"; expected one of one`,
	}},
	{"answer at an unknown beat", "id: how-many", "id: how-many\n      at: and", []string{
		`22:11: unknown beat "and"; expected one of start, ready, end; did you mean "end"?`,
	}},
	{"answer before the question", "id: how-many", "id: how-many\n      at: start", []string{
		`21:7: no later beat answers this question; expected at: a beat after this one`,
	}},
	{"question at the last beat", "    at: 9s", "    at: 9s\n    predict: {id: x, options: {a: {time: {is: 1s}}, b: {time: {is: 2s}}}}", []string{
		`27:15: no later beat answers this question; expected at: a beat after this one`,
		`small/en.yaml:11:3: beat "end" lacks "explain"; expected the words of its question`,
		`small/en.yaml:11:3: beat "end" lacks "options"; expected the words of its question`,
		`small/en.yaml:11:3: beat "end" lacks "predict"; expected the words of its question`,
		`small/zh.yaml:11:3: beat "end" lacks "explain"; expected the words of its question`,
		`small/zh.yaml:11:3: beat "end" lacks "options"; expected the words of its question`,
		`small/zh.yaml:11:3: beat "end" lacks "predict"; expected the words of its question`,
	}},
	{"no beat", "beats:\n", "beats: {}\nold:\n", []string{
		`13:8: nothing stands here; expected a mapping by id`,
		`14:1: unknown key "old"; expected one of …`,
	}},
	{"variant that patches nothing known", "beats:\n", "variants:\n  other: {until: 12s, untl: 13s}\nbeats:\n", []string{
		`14:23: unknown key "untl"; expected one of …; did you mean "until"?`,
		`small/en.yaml:1:1: no words for variant "other"; expected variants: its name at least`,
		`small/en.yaml:1:1: the words lack "variant"; expected the name of this variant, as the lesson has several`,
		`small/zh.yaml:1:1: no words for variant "other"; expected variants: its name at least`,
		`small/zh.yaml:1:1: the words lack "variant"; expected the name of this variant, as the lesson has several`,
	}},
	{"variant of what cannot vary", "beats:\n", "variants:\n  other: {format: 1}\nbeats:\n", []string{
		`14:11: a variant cannot change "format"`,
		`small/en.yaml:1:1: no words for variant "other"; expected variants: its name at least`,
		`small/en.yaml:1:1: the words lack "variant"; expected the name of this variant, as the lesson has several`,
		`small/zh.yaml:1:1: no words for variant "other"; expected variants: its name at least`,
		`small/zh.yaml:1:1: the words lack "variant"; expected the name of this variant, as the lesson has several`,
	}},
	{"no way to get partitions", "group: G1, topics: [T1]}", "group: G1}", []string{
		`8:3: consumer "C1" has no way to get partitions; expected topics, pattern or assign`,
	}},
	{"two ways to get partitions", "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], pattern: T.*}", []string{
		`8:3: consumer "C1" has 2 ways to get partitions; expected topics, pattern or assign`,
	}},
	{"bad regular expression", "C1: {group: G1, topics: [T1]}", "C1: {group: G1, pattern: 'T['}", []string{
		`8:28: found "T["; expected a regular expression`,
	}},
	{"program without code", "beats:\n", "programs: {own: {poll: 1s}}\nbeats:\n", []string{
		`13:12: program "own" needs code; expected either pattern, or listing and body`,
	}},
	{"program with the name of a pattern", "beats:\n", "programs: {auto-commit: {pattern: auto-commit}}\nbeats:\n", []string{
		`13:12: "auto-commit" is a pattern of the model's; expected another name`,
	}},
	{"unknown pattern", "beats:\n", "programs: {own: {pattern: autocommit}}\nbeats:\n", []string{
		`13:27: unknown pattern "autocommit"; expected one of …; did you mean "auto-commit"?`,
	}},
	{"program that needs a store", "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], program: external-store}", []string{
		`8:3: consumer "C1" lacks "store"; expected the external store that its program writes to`,
	}},
	{"unknown store", "C1: {group: G1, topics: [T1]}", "C1: {group: G1, topics: [T1], store: DB}", []string{
		`8:40: unknown store "DB"; expected none: there is no store`,
	}},
	{"store with settings", "beats:\n", "stores: {DB: {size: 1}}\nbeats:\n", []string{
		`13:15: found a mapping; expected {}: a store has no settings`,
	}},
	{"operation without a line", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {poll: 1s}\nbeats:\n", []string{
		`19:10: 1 operation and no line; expected one operation and its line, such as {poll: 1s, line: 2}`,
	}},
	{"two operations", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {poll: 1s, sleep: 1s, line: 1}\nbeats:\n", []string{
		`19:10: 2 operations and a line; expected one operation and its line, such as {poll: 1s, line: 2}`,
	}},
	{"no operation", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {line: 1}\nbeats:\n", []string{
		`19:10: no operation and a line; expected one operation and its line, such as {poll: 1s, line: 2}`,
	}},
	{"unknown operation", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {pol: 1s, line: 1}\nbeats:\n", []string{
		`19:10: unknown key "pol"; expected one of …; did you mean "poll"?`,
	}},
	{"line that is not there", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {for-each: [{process: 1s, line: 3}], line: 1}\nbeats:\n", []string{
		`19:41: the listing has no line 3; expected 1 to 2`,
	}},
	{"value where there is none", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {leave: now, line: 1}\nbeats:\n", []string{
		`19:17: found "now"; expected ~: it takes no value`,
	}},
	{"companion of another operation", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {poll: 1s, callback: [], line: 1}\nbeats:\n", []string{
		`19:20: poll takes no "callback"; expected line, poll`,
	}},
	{"companion lacking", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {if: every, every: 3, line: 1}\nbeats:\n", []string{
		`19:10: if lacks "do"`,
	}},
	{"unknown offsets", "beats:\n", "programs:\n  own:\n    listing: |\n      a\n      b\n    body:\n      - {commit-sync: everything, line: 1}\nbeats:\n", []string{
		`19:23: found "everything"; expected positions or tracked`,
	}},
	{"trap that is slow for no time", "crash: C1", "trap: C1, line: 1, does: slow", []string{
		`12:3: trap does "slow"; expected for with does: slow, and only then`,
	}},
	{"trap that takes no time", "crash: C1", "trap: C1, line: 1, does: crash, for: 5s", []string{
		`12:3: trap does "crash"; expected for with does: slow, and only then`,
	}},
	{"trap without a line", "crash: C1", "trap: C1, does: crash", []string{
		`12:3: trap lacks "line"`,
	}},
	{"command after the end", "at: 8s, crash", "at: 11s, crash", []string{
		`12:3: command "kill" comes after the end; expected a time before until`,
	}},
}

var longList = regexp.MustCompile(`one of ([^,;]+), [^;]{60,}`)

// said is what an error says, in lines as the tables here have them.
func said(err error) []string {
	if err == nil {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = strings.TrimPrefix(line, "small/lesson.yaml:")
		lines = append(lines, longList.ReplaceAllString(line, "one of …"))
	}
	return lines
}

func TestWrongLessonsAreExplained(t *testing.T) {
	for _, w := range wrongLessons {
		t.Run(w.name, func(t *testing.T) {
			_, err := Load(files(changed(t, small, w.old, w.new), smallWords, smallWords), "small")
			require.Equal(t, w.said, said(err))
		})
	}
}

var wrongWords = []wrong{
	{"missing key", "idea: Nothing much\n", "", []string{
		`small/zh.yaml:1:1: a words file lacks "idea"; expected a text`,
	}},
	{"unknown key", "idea:", "ideas:", []string{
		`small/zh.yaml:1:1: a words file lacks "idea"; expected a text`,
		`small/zh.yaml:2:1: unknown key "ideas"; expected one of title, idea, variant, beats, variants; did you mean "idea"?`,
	}},
	{"beat without words", "  end: {title: End, text: \"{{time}} s\"}\n", "", []string{
		`small/zh.yaml:3:1: no words for beat "end"; expected title and text`,
	}},
	{"beat that is not there", "  end:", "  finish: {title: F, text: F}\n  end:", []string{
		`small/zh.yaml:11:3: unknown beat "finish"; expected one of start, ready, end`,
	}},
	{"beat without a text", "{title: Start, text: It begins}", "{title: Start}", []string{
		`small/zh.yaml:4:11: a beat lacks "text"; expected a text`,
	}},
	{"question without words", "    predict: How many members?\n", "", []string{
		`small/zh.yaml:5:3: beat "ready" lacks "predict"; expected the words of its question`,
	}},
	{"words without a question", "{title: Start, text: It begins}", "{title: Start, text: It begins, explain: Because}", []string{
		`small/zh.yaml:4:42: beat "start" asks nothing; expected no "explain"`,
	}},
	{"option without words", "{one: One, two: Two}", "{one: One}", []string{
		`small/zh.yaml:9:5: no words for option "two"; expected a text`,
	}},
	{"option that is not there", "{one: One, two: Two}", "{one: One, two: Two, three: Three}", []string{
		`small/zh.yaml:9:35: unknown option "three"; expected one of one, two`,
	}},
	{"unknown reading", "{{assignment consumer=C1}}", "{{asignment consumer=C1}}", []string{
		`small/zh.yaml:7:18: unknown reading "asignment"; expected one of …; did you mean "assignment"?`,
	}},
	{"reading without its parameter", "{{assignment consumer=C1}}", "{{assignment}}", []string{
		`small/zh.yaml:7:18: assignment lacks "consumer"; expected consumer`,
	}},
	{"unknown consumer", "{{assignment consumer=C1}}", "{{assignment consumer=C9}}", []string{
		`small/zh.yaml:7:18: unknown consumer "C9"; expected one of C1; did you mean "C1"?`,
	}},
	{"not a parameter", "{{assignment consumer=C1}}", "{{assignment C1}}", []string{
		`small/zh.yaml:7:18: "C1" is not a parameter; expected name=value`,
		`small/zh.yaml:7:18: assignment lacks "consumer"; expected consumer`,
	}},
	{"reading not closed", "{{assignment consumer=C1}}", "{{assignment consumer=C1}", []string{
		`small/zh.yaml:7:18: a reading is not closed; expected }} after {{`,
	}},
	{"no reading", "{{assignment consumer=C1}}", "{{ }}", []string{
		`small/zh.yaml:7:18: no reading between the braces; expected one such as {{committed group=G1 partition=T1-0}}`,
	}},
	{"second reading of a line", "C1 has {{assignment consumer=C1}}.", "在 {{time}} 秒，{{tim}}", []string{
		`small/zh.yaml:7:24: unknown reading "tim"; expected one of …; did you mean "time"?`,
	}},
	{"reading in a block", "    text: C1 has {{assignment consumer=C1}}.", "    text: |-\n      C1 has\n      {{asignment consumer=C1}}.", []string{
		`small/zh.yaml:9:7: unknown reading "asignment"; expected one of …; did you mean "assignment"?`,
	}},
	{"variant without variants", "idea:", "variant: Base\nidea:", []string{
		`small/zh.yaml:2:1: the lesson has no variants; expected no "variant"`,
	}},
	{"words of an unknown variant", "beats:\n", "variants: {other: {variant: Other}}\nbeats:\n", []string{
		`small/zh.yaml:3:12: unknown variant "other"; expected none: there is no variant`,
	}},
}

func TestWrongWordsAreExplained(t *testing.T) {
	for _, w := range wrongWords {
		t.Run(w.name, func(t *testing.T) {
			_, err := Load(files(small, smallWords, changed(t, smallWords, w.old, w.new)), "small")
			require.Equal(t, w.said, said(err))
		})
	}
}

func TestMissingFilesAreNamed(t *testing.T) {
	_, err := Load(fstest.MapFS{"small/en.yaml": {Data: []byte(smallWords)}}, "small")
	require.EqualError(t, err, "small/lesson.yaml: the file is missing")
}

func TestWhatIsNoOrdinaryFileIsNotRead(t *testing.T) {
	_, err := Load(fstest.MapFS{"small/lesson.yaml": {Mode: fs.ModeNamedPipe}, "small/en.yaml": {Data: []byte(smallWords)}}, "small")
	require.EqualError(t, err, "small/lesson.yaml: the file cannot be read: it is no ordinary file")
}

func TestALessonOfACourseNeedsEveryLanguage(t *testing.T) {
	_, err := Load(fstest.MapFS{
		"course.yaml":       {},
		"small/lesson.yaml": {Data: []byte(small)},
		"small/en.yaml":     {Data: []byte(smallWords)},
	}, "small")
	require.EqualError(t, err, "small/zh.yaml: the file is missing")
}

func TestWordsInOneLanguageSpeakForTheOthers(t *testing.T) {
	for _, only := range []string{"en", "zh", "fr"} {
		lesson, err := Load(fstest.MapFS{
			"small/lesson.yaml":       {Data: []byte(small)},
			"small/" + only + ".yaml": {Data: []byte(smallWords)},
		}, "small")
		require.NoError(t, err)
		run, err := lesson.Play("")
		require.NoError(t, err)
		require.Empty(t, run.Check())
		for _, lang := range []string{"en", "zh", "de"} {
			require.Equal(t, "Small", run.Title(lang))
			require.Equal(t, "Start", run.Words(lang, 0).Title)
		}
	}
}

func TestAFolderWithoutWordsIsAScenarioThatSaysItsIDs(t *testing.T) {
	lesson, err := Load(fstest.MapFS{"small/lesson.yaml": {Data: []byte(small)}}, "small")
	require.NoError(t, err)
	run, err := lesson.Play("")
	require.NoError(t, err)
	require.Equal(t, "small", run.Title("zh"))
	require.Equal(t, lesson.Beats[0].ID, run.Words("zh", 0).Title)
}

func TestFolderMustBeASlug(t *testing.T) {
	_, err := Load(fstest.MapFS{"My Lesson/lesson.yaml": {}}, "My Lesson")
	require.Contains(t, err.Error(), `My Lesson: "My Lesson" cannot be the id of a lesson`)
}

func TestOversizedFilesAreRefused(t *testing.T) {
	_, err := Load(files(small+"#"+strings.Repeat("x", maxFile), smallWords, smallWords), "small")
	require.Contains(t, err.Error(), "expected at most 262144")
	_, err = Load(files(strings.Repeat("[", maxFile-1), smallWords, smallWords), "small")
	require.Contains(t, err.Error(), "nested 262143 deep")
	_, err = Load(files(strings.Repeat("- ", 1000), smallWords, smallWords), "small")
	require.Contains(t, err.Error(), "nested 1000 deep")
	_, err = Load(files(small, strings.Replace(smallWords, "It begins", strings.Repeat("x", longestText+1), 1), smallWords), "small")
	require.Contains(t, err.Error(), "this text has 4001 characters; expected at most 4000")
}

func TestOfVeryManyProblemsTheFirstAreShown(t *testing.T) {
	_, err := Load(files(small+manyKeys(500), smallWords, smallWords), "small")
	require.Len(t, strings.Split(err.Error(), "\n"), mostShown+1)
	require.True(t, strings.HasSuffix(err.Error(), "\nand 400 more"))
}

// manyKeys are so many lines with keys that no lesson has.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}
