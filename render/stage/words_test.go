package stage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/view"
	"groupscope/lessons"
	"groupscope/render/scene"
)

func TestLanguagesHaveTheSameKeysAndArguments(t *testing.T) {
	argument := regexp.MustCompile(`\{[a-z]+\}`)
	all := languages()
	require.Contains(t, all, "en")
	for code, w := range all {
		require.Equal(t, slices.Sorted(maps.Keys(all["en"])), slices.Sorted(maps.Keys(w)), code)
		for key, text := range w {
			require.NotEmpty(t, strings.TrimRight(text, "\n"), "%s: %s", code, key)
			want, got := argument.FindAllString(all["en"][key], -1), argument.FindAllString(text, -1)
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, slices.Compact(want), slices.Compact(got), "%s: %s", code, key)
		}
	}
}

// usedKeys reads the package's own source for the keys it asks for: whole ones, and the beginnings of those that it puts
// together.
func usedKeys(t *testing.T) (whole, begun map[string]bool) {
	whole, begun = map[string]bool{}, map[string]bool{}
	pattern := regexp.MustCompile(`^[a-z]+(\.[a-z-]+)*\.?$`)
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	require.NoError(t, err)
	ast.Inspect(packages["stage"], func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil || !pattern.MatchString(text) {
			return true
		}
		if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "-") {
			begun[text] = true
		} else {
			whole[text] = true
		}
		return true
	})
	return whole, begun
}

func TestEveryKeyThatIsAskedForExists(t *testing.T) {
	en := languages()["en"]
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	require.NoError(t, err)
	ast.Inspect(packages["stage"], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "say" {
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				key, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				require.Contains(t, en, key)
			}
		}
		return true
	})
	for _, kind := range factKinds() {
		require.Contains(t, en, factKey(kind))
	}
	for _, name := range Panels {
		require.Contains(t, en, "tab."+name)
	}
	for _, name := range Views {
		require.Contains(t, en, "view."+name)
	}
	for _, k := range keyTable {
		require.Contains(t, en, k.word)
	}
	for _, item := range legend {
		require.Contains(t, en, item.key)
	}
}

// factKinds lists all kinds of facts: those that have a name.
func factKinds() (kinds []view.FactKind) {
	defer func() { recover() }() // the first number beyond the last kind has none
	for kind := view.GroupState; kind.String() != ""; kind++ {
		kinds = append(kinds, kind)
	}
	return kinds
}

func TestNoKeyIsIdle(t *testing.T) {
	whole, begun := usedKeys(t)
	delete(begun, "fact.")
	for _, kind := range factKinds() {
		whole[factKey(kind)] = true
	}
	for key := range languages()["en"] {
		used := whole[key] || key == "language.name"
		for start := range begun {
			used = used || strings.HasPrefix(key, start)
		}
		require.True(t, used, "no panel says %s", key)
	}
}

// TestNoKeyIsShownInPlaceOfWords plays every lesson and looks for texts that are keys.
func TestNoKeyIsShownInPlaceOfWords(t *testing.T) {
	key := regexp.MustCompile(`^[a-z]+\.[a-z-]+$|\{[a-z]+\}`)
	for _, title := range lessons.Catalogue() {
		run := played(t, title.ID)
		s := New(run, Session{Panel: "details"})
		for event := 0; event <= run.History.Len(); event += 1 + run.History.Len()/60 {
			act(s, Seek, "", float64(event))
			require.NotRegexp(t, key, s.Announce())
			for _, p := range scene.Texts(s.Scene()) {
				require.NotRegexp(t, key, p.Text)
			}
		}
	}
}

func TestASentenceThatEndsInASignOfItsOwnTakesNoOther(t *testing.T) {
	en, zh := languages()["en"], languages()["zh"]
	require.Equal(t, "It ends. C1 starts", en.sentences("It ends", "C1 starts"))
	require.Equal(t, "Who owns it? C1 starts", en.sentences("Who owns it?", "C1 starts"))
	require.Equal(t, "结束。C1 启动", zh.sentences("结束", "C1 启动"))
	require.Equal(t, "归谁？C1 启动", zh.sentences("归谁？", "C1 启动"))
}

func TestANumberStaysWithItsUnit(t *testing.T) {
	require.Equal(t, "after 3\u00a0s, 1,024\u00a0B", unbroken("after 3 s, 1,024 B"))
	require.Equal(t, "第\u00a021\u00a0秒，G1 的 8\u00a0条", unbroken("第 21 秒，G1 的 8 条"))
	require.Equal(t, "B1 sends C1 some 20 times", unbroken("B1 sends C1 some 20 times"))
}

func TestArgumentsAreNotReadAgain(t *testing.T) {
	w := words{"greet": "{a} and {b}"}
	require.Equal(t, "{b} and x", w.say("greet", "a", "{b}", "b", "x"))
	require.Equal(t, "no.such", w.say("no.such"))
	require.Equal(t, "1 and {b}", w.say("greet", "a", "1"))
}
