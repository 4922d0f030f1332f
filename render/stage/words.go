package stage

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed words/*.json
var wordFiles embed.FS

// words are the interface's words in one language, by key. A language is a file words/<language>.json with the
// same keys as the others; texts take arguments by name, in braces: "{from} answers {to}".
type words map[string]string

var languages = sync.OnceValue(func() map[string]words {
	all := map[string]words{}
	files, err := fs.Glob(wordFiles, "words/*.json")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		data, err := wordFiles.ReadFile(file)
		if err != nil {
			panic(err)
		}
		var w words
		if err := json.Unmarshal(data, &w); err != nil {
			panic(fmt.Sprintf("%s: %v", file, err))
		}
		all[strings.TrimSuffix(strings.TrimPrefix(file, "words/"), ".json")] = w
	}
	return all
})

// Languages lists the languages that the interface speaks, sorted by their code.
func Languages() []string {
	var codes []string
	for code := range languages() {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

func hasLanguage(code string) bool {
	_, ok := languages()[code]
	return ok
}

// say returns the text of a key with its arguments, given as names and values in turn, put in. A key that
// does not exist is shown as itself.
func (w words) say(key string, args ...string) string {
	text, ok := w[key]
	if !ok {
		return key
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		b.WriteString(before)
		if !found || !closed {
			return b.String()
		}
		b.WriteString(argument(name, args))
		text = after
	}
}

// argument is the value of a name among names and values in turn; a name without one stands for itself.
func argument(name string, args []string) string {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return args[i+1]
		}
	}
	return "{" + name + "}"
}

// amount is a number, the space after it, and the unit: a sign of a unit of time or size, or a Chinese character.
var amount = regexp.MustCompile(`(^|[^\pL\d])(\d[\d.,]*) (s|ms|min|h|B|KB|MB|GB|\p{Han})`)

// unbroken keeps numbers and their units on one line, and an ordinal's sign with its number.
func unbroken(text string) string {
	return amount.ReplaceAllString(strings.ReplaceAll(text, "第 ", "第\u00a0"), "$1$2\u00a0$3")
}
