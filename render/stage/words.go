package stage

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
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
	pairs := slices.Clone(args)
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
