package lessons

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Found is a lesson that a search found, and the line of its words that speaks most of what was searched.
type Found struct {
	Lesson string
	Line   string
}

// searchPage is the words of one lesson in one language, line by line, the title first, each also in lower case.
type searchPage struct {
	lesson       string
	lines, lower []string
	all          string // in lower case
}

// titleWeight is how much more a word counts in a title than in the text.
const titleWeight = 4

// Search finds lessons of the course by any words of a question, an error or a log line, the best first: a lesson counts for each
// word that it has, the more the fewer other lessons have it.
func Search(query, lang string, most int) []Found {
	pages := searchPages()[lang]
	words := searchWords(query)
	scores := make([]float64, len(pages))
	for _, word := range words {
		var have []int
		for i := range pages {
			if strings.Contains(pages[i].all, word) {
				have = append(have, i)
			}
		}
		rare := math.Log(float64(len(pages)+1) / float64(len(have)+1))
		for _, i := range have {
			scores[i] += rare
			if strings.Contains(pages[i].lower[0], word) {
				scores[i] += (titleWeight - 1) * rare
			}
		}
	}
	order := make([]int, 0, len(pages))
	for i := range pages {
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var found []Found
	for _, i := range order[:min(most, len(order))] {
		found = append(found, Found{pages[i].lesson, pages[i].line(words)})
	}
	return found
}

// line is the line with most of the words; the title if none has more.
func (p *searchPage) line(words []string) string {
	best, most := 0, -1
	for i, line := range p.lower {
		n := 0
		for _, word := range words {
			if strings.Contains(line, word) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return filled.ReplaceAllString(p.lines[best], "…")
}

// filled are the places of a text that a run fills in.
var filled = regexp.MustCompile(`\{\{[^}]*\}\}`)

// searchWords splits a query into what is looked for in lower case: its words; of a class also the words in its name; of a script
// without spaces pairs of characters.
func searchWords(query string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(query, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' && r != '-'
	}) {
		runes := []rune(strings.Trim(word, ".-_"))
		if !slices.ContainsFunc(runes, wide) {
			words = append(words, string(runes))
			words = append(words, camelWords.FindAllString(string(runes), -1)...)
			continue
		}
		for i := range max(1, len(runes)-1) {
			words = append(words, string(runes[i:min(i+2, len(runes))]))
		}
	}
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	words = slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < 2 })
	slices.Sort(words)
	return slices.Compact(words)
}

// camelWords are the words in a name such as CommitFailedException that say something by themselves.
var camelWords = regexp.MustCompile(`[A-Z][a-z]{3,}`)

// textOf is the text in a line of a words file, without the key before it.
func textOf(line string) string {
	return strings.TrimSpace(keyBefore.ReplaceAllString(line, ""))
}

var keyBefore = regexp.MustCompile(`^\s*[a-z0-9-]+:( \|-?)?(\s|$)`)

// searchPages are the words of all lessons of the course, by language.
var searchPages = sync.OnceValue(func() map[string][]searchPage {
	pages := map[string][]searchPage{}
	for _, title := range Catalogue() {
		for lang := range title.Titles {
			text, err := fs.ReadFile(builtin, path.Join(title.ID, lang+".yaml"))
			if err != nil {
				continue
			}
			p := searchPage{lesson: title.ID, lines: []string{title.Titles[lang]}}
			for _, line := range strings.Split(string(text), "\n") {
				if line = textOf(line); line != "" {
					p.lines = append(p.lines, line)
				}
			}
			for _, line := range p.lines {
				p.lower = append(p.lower, strings.ToLower(line))
			}
			p.all = strings.Join(p.lower, "\n")
			pages[lang] = append(pages[lang], p)
		}
	}
	return pages
})
