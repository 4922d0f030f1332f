package lessons

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// lessonName is the file that makes a folder a lesson.
const lessonName = "lesson.yaml"

// languages are those in which a course and each of its lessons must have words; more may be there. A lesson that stands alone
// can make do with words in any one language.
var languages = []string{"en", "zh"}

// Load reads the lesson in a folder. The error is of type Problems and holds everything that is wrong.
func Load(fsys fs.FS, dir string) (*Lesson, error) {
	l := loader{lesson: &Lesson{ID: path.Base(dir), Words: Words{}, files: map[string]string{}}, words: map[string]wordsSource{}}
	if !slug.MatchString(l.lesson.ID) {
		l.problem(dir, fmt.Sprintf("%q cannot be the id of a lesson", clip(l.lesson.ID)), slugKind.expected)
	}
	root := l.file(fsys, path.Join(dir, lessonName))
	if !isScenario(fsys, dir) {
		l.readWordsFiles(fsys, dir, neededLanguages(fsys, path.Dir(dir)))
	}
	if root == nil {
		return nil, l.problems.err()
	}
	l.base(root)
	l.variants(root)
	if len(l.problems) > 0 {
		return nil, l.problems.err()
	}
	l.lesson.takePlace(fsys, path.Dir(dir))
	return l.lesson, nil
}

// loader collects a lesson and the problems found on the way.
type loader struct {
	lesson    *Lesson
	languages []string
	words     map[string]wordsSource
	problems  Problems
}

// wordsSource is a words file, parsed.
type wordsSource struct {
	root  *node
	lines []string
}

func (l *loader) problem(file, message, expected string) {
	l.problems = append(l.problems, Problem{File: file, Message: message, Expected: expected})
}

// file reads and parses a file; nil when that is not possible.
func (l *loader) file(fsys fs.FS, name string) *node {
	source, err := readRegular(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		l.problem(name, "the file is missing", "")
		return nil
	}
	if err != nil {
		l.problem(name, "the file cannot be read: "+err.Error(), "")
		return nil
	}
	if l.lesson != nil {
		l.lesson.files[path.Base(name)] = string(source)
	}
	root, problems := parseYAML(name, source)
	l.problems = append(l.problems, problems...)
	if lang := strings.TrimSuffix(path.Base(name), ".yaml"); slices.Contains(l.languages, lang) && root != nil {
		text := strings.ReplaceAll(string(bytes.TrimSuffix(source, []byte("\n"))), "\r\n", "\n")
		l.words[lang] = wordsSource{root, strings.Split(text, "\n")}
	}
	return root
}

// readRegular reads a file that ends: reading a device or a pipe might never.
func readRegular(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no ordinary file")
	}
	return fs.ReadFile(fsys, name)
}

// isScenario reports whether a folder holds lesson.yaml and no words: it is played and checked, and has no place in a course.
func isScenario(fsys fs.FS, dir string) bool {
	files, _ := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	return len(files) == 1 && path.Base(files[0]) == lessonName
}

// neededLanguages are those of a lesson below a folder: all of them where that holds a course.
func neededLanguages(fsys fs.FS, parent string) []string {
	if _, err := fs.Stat(fsys, path.Join(parent, courseName)); err != nil {
		return nil
	}
	return languages
}

// readWordsFiles reads a words file for each language that is needed, and for each other one that is there.
func (l *loader) readWordsFiles(fsys fs.FS, dir string, needed []string) {
	l.languages = slices.Clone(needed)
	more, _ := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	for _, name := range more {
		lang := strings.TrimSuffix(path.Base(name), ".yaml")
		if base := path.Base(name); base != lessonName && base != courseName && !slices.Contains(l.languages, lang) {
			l.languages = append(l.languages, lang)
		}
	}
	for _, lang := range l.languages {
		l.file(fsys, path.Join(dir, lang+".yaml"))
	}
}

// base reads the lesson without its variants.
func (l *loader) base(root *node) {
	plan, file, problems := readPlan(root)
	l.problems = append(l.problems, problems...)
	l.lesson.Plan, l.lesson.Sources = plan, file.Sources
	l.lesson.Words = l.wordsOf("", root, root, plan)
}

// variants reads the lesson once more for each variant, its patch laid over the base.
func (l *loader) variants(root *node) {
	patches := root.find("variants")
	for _, p := range pairsOf(patches) {
		for _, forbidden := range []string{"format", "sources", "variants"} {
			if p.value.find(forbidden) != nil {
				at := p.value.keyPlace(forbidden)
				l.problems = append(l.problems, Problem{File: at.File, Line: at.Line, Column: at.Column,
					Message: fmt.Sprintf("a variant cannot change %q", forbidden)})
			}
		}
		tree := patched(withoutVariants(root), p.value)
		plan, _, problems := readPlan(tree)
		l.problems = append(l.problems, problems...)
		l.lesson.Variants = append(l.lesson.Variants, Variant{ID: p.key, Plan: plan, Words: l.wordsOf(p.key, root, tree, plan)})
	}
	for _, lang := range l.languages {
		d := decoder{}
		for _, p := range pairsOf(l.words[lang].root.find("variants")) {
			if !slices.Contains(keysOf(patches), p.key) {
				d.unknown(p.at, "variant", p.key, keysOf(patches))
			}
		}
		l.problems = append(l.problems, d.problems...)
	}
}

func pairsOf(n *node) []pair {
	if n == nil {
		return nil
	}
	return n.pairs
}

// wordsOf reads the words of the base or of a variant in every language. Lesson is lesson.yaml as a tree, and tree what
// is played of it.
func (l *loader) wordsOf(variant string, lesson, tree *node, plan Plan) Words {
	if len(l.languages) == 0 {
		return Words{"en": scenarioWords(l.lesson.ID, variant, plan.Beats)}
	}
	words := Words{}
	for _, lang := range l.languages {
		source, ok := l.words[lang]
		if !ok {
			continue
		}
		root := withoutVariants(source.root)
		if patch := source.root.find("variants").find(variant); variant != "" && patch != nil {
			root = patched(root, patch)
		} else if variant != "" {
			l.problems = append(l.problems, noVariantWords(source.root, variant))
		}
		d := &decoder{names: newDirectory(tree), lines: source.lines, damaged: len(l.problems) > 0}
		words[lang] = readWords(d, root, plan.Beats)
		checkVariantName(d, root, lesson)
		l.problems = append(l.problems, d.problems...)
	}
	return words
}

func noVariantWords(root *node, variant string) Problem {
	at := root.keyPlace("variants")
	return Problem{File: at.File, Line: at.Line, Column: at.Column,
		Message: fmt.Sprintf("no words for variant %q", clip(variant)), Expected: "variants: its name at least"}
}

// Variant returns the plan and the words of a variant; "" is the base.
func (l *Lesson) Variant(id string) (*Plan, Words, error) {
	if id == "" {
		return &l.Plan, l.Words, nil
	}
	known := make([]string, len(l.Variants))
	for i := range l.Variants {
		if known[i] = l.Variants[i].ID; known[i] == id {
			return &l.Variants[i].Plan, l.Variants[i].Words, nil
		}
	}
	if len(known) == 0 {
		return nil, nil, fmt.Errorf("lesson %s has no variants, so none is called %q", l.ID, clip(id))
	}
	message := fmt.Sprintf("lesson %s has no variant %q; it has %s", l.ID, clip(id), strings.Join(known, ", "))
	if near := kafka.Suggest(id, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return nil, nil, errors.New(message)
}
