package stage

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/kafka"
	"groupscope/core/view"
	"groupscope/render/scene"
)

// mermaidLines are all forms that a line of ours has.
var mermaidForm = regexp.MustCompile(`^(sequenceDiagram|    participant n\d+ as \S.*|    Note over n\d+: \S.*|    n\d+(->>|-->>|-x|--x)n\d+: \S.*)$`)

func TestMermaidTellsTheStoryUpToThePosition(t *testing.T) {
	run := played(t, "consumer-crashes")
	event, _ := run.EventOf("taken")
	s := New(run, Session{Event: event})
	text := s.Mermaid()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, line := range lines {
		require.Regexp(t, mermaidForm, line)
	}
	require.Contains(t, text, "participant n2 as C2")
	require.Regexp(t, `n1->>n3: 0 s JoinGroup\n`, text)
	require.Regexp(t, `n3-->>n1: \S+ s Heartbeat REBALANCE_IN_PROGRESS\n`, text)
	require.Contains(t, text, "Note over n2: 20 s crashed")
	require.Contains(t, text, "Note over n3: 63 s G1 PreparingRebalance")
	require.NotRegexp(t, `s Produce\n`, text, "the steady flow of records is left out")
	act(s, First, "", 0)
	require.Equal(t, "sequenceDiagram\n", s.Mermaid())
}

func TestMermaidKeepsTheLastMessagesOfALongRun(t *testing.T) {
	_, in := sequenceOf(20, 40, Session{})
	lines, left := in.mermaidLines()
	require.Len(t, lines, mostMermaid)
	require.Equal(t, 20*40*2-mostMermaid, left)
}

func TestMermaidShowsHostileNamesAsText(t *testing.T) {
	for name, want := range map[string]string{
		"C1": "C1", "消费者": "消费者", "a;b": "a#59;b", "a\n    n1->>n1: x": "a#65533;    n1-#62;#62;n1#58; x", "<script>": "#60;script#62;",
		"#35;": "#35;35#59;", "end": "#101;nd", "END": "#69;ND", "%%{init}%%": "#37;#37;#123;init#125;#37;#37;", "a\u202eb": "a#65533;b", `"`: "#34;",
	} {
		require.Equal(t, want, mermaidText(name))
	}
	m := kafka.Message{ID: 1, From: "C1", To: "B1", Body: &kafka.JoinGroupRequest{}}
	tr := trackOf(view.Entry{Kind: view.Fired, Sent: []kafka.Message{m}}, view.Entry{Kind: view.Disconnect, Node: "B1", Peer: "C1"})
	require.Equal(t, mermaidLine{1, "C1", "B1", "-x", "JoinGroup"}, tr.arrows[0].mermaid(), "it was lost")
}

func TestTheSequenceByItselfShowsEveryLane(t *testing.T) {
	for _, lang := range Languages() {
		for _, id := range []string{"consumer-crashes", "fifth-is-idle"} {
			run := played(t, id)
			s := New(run, Session{Lang: lang, Event: run.History.Len() / 2, Width: 900, Height: 300, Hovered: "button:help"})
			sc := s.SequenceScene()
			require.Empty(t, scene.Faults(sc, moves))
			text := allText(sc)
			for _, node := range s.whole.nodes {
				require.Contains(t, text, string(node))
			}
			require.Nil(t, scene.Find(sc, "sequence:in"), "it has no controls")
			require.Equal(t, "button:help", s.Session().Hovered)
		}
	}
}
