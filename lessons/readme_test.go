package lessons

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marker divides README.md: what follows comes from the tables of the code.
const marker = "<!-- reference -->\n"

func TestGoldenReadmeListsEveryKeyAndReading(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	written, _, found := strings.Cut(string(readme), marker)
	require.True(t, found)
	want := written + marker + referenceTables()
	if os.Getenv("GOLDEN") != "" {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o644))
		return
	}
	require.True(t, want == string(readme), "README.md is not what the tables say: make golden writes it anew")
}

// referenceTables is the tables of README.md.
func referenceTables() string {
	var b strings.Builder
	table(&b, "lesson.yaml", lessonKind)
	table(&b, "`settings`", sharedKind)
	table(&b, "Each of `quotas`", quotaEntryKind)
	table(&b, "Each of `brokers`", brokerEntryKind)
	table(&b, "Each of `topics`", topicEntryKind)
	table(&b, "Each of `consumers`", consumerEntryKind)
	table(&b, "Each of a consumer's `assignors`", assignorEntryKind)
	table(&b, "Each of `producers`", producerEntryKind)
	table(&b, "Each of `programs`", programEntryKind)
	table(&b, "An operation of a program: what it does, its line, and what it asks for", opKind)
	table(&b, "Each of `commands`: a moment, one verb, and what it asks for", commandKind)
	table(&b, "Each of `beats`", beatEntryKind)
	table(&b, "`predict`", questionEntryKind)
	table(&b, "en.yaml, zh.yaml", wordsKind)
	table(&b, "Each of a words file's `beats`", beatTextsKind)
	b.WriteString("\n### Comparisons\n\n| comparison | meaning | for |\n|---|---|---|\n")
	for _, c := range Comparisons {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Meaning, joined(c.Types))
	}
	b.WriteString("\n### Readings\n\nParameters in brackets may be left out. `since` is taken where it is listed.\n\n" +
		"| reading | parameters | gives | meaning |\n|---|---|---|---|\n")
	for _, r := range Readings {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, parameters(r), gives(r), r.Meaning)
	}
	b.WriteString("\n### Parameters\n\n| parameter | what it names |\n|---|---|\n")
	for _, p := range Parameters {
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.Name, p.Meaning)
	}
	return b.String()
}

func table[T any](b *strings.Builder, title string, k kind[T]) {
	fmt.Fprintf(b, "\n### %s\n\n| key | value | meaning |\n|---|---|---|\n", title)
	for _, f := range k.keys {
		name := "`" + f.name + "`"
		if f.needed {
			name += " (needed)"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", name, f.expected, f.about)
	}
}

func joined(types []Type) string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = t.String()
	}
	return strings.Join(texts, ", ")
}

func parameters(r Reading) string {
	list := append([]string{}, r.Needs...)
	for _, p := range r.Takes {
		list = append(list, "["+p+"]")
	}
	if r.Since {
		list = append(list, "[since]")
	}
	return strings.Join(list, ", ")
}

func gives(r Reading) string {
	if r.Unit != "" {
		return r.Type.String() + " (" + r.Unit + ")"
	}
	return r.Type.String()
}
