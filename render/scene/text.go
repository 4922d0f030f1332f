package scene

import (
	"sort"
	"strings"

	"github.com/go-text/typesetting/segmenter"

	"groupscope/render/fonts"
)

// Style is the look in render/fonts that the font stands for.
func (f Font) Style() fonts.Style {
	switch {
	case f.Face == Mono && f.Bold:
		return fonts.MonoBold
	case f.Face == Mono:
		return fonts.Mono
	case f.Bold:
		return fonts.Bold
	}
	return fonts.Regular
}

// Width is the width of a line of text.
func Width(f Font, s string) float64 { return fonts.Width(f.Style(), s) * f.Size }

// Wrap breaks a text into lines no wider than width, where the rules of its script allow it (Unicode Standard Annex 14). A
// word that is wider than a line by itself is broken inside, after a mark such as a full stop or an underscore if it has
// one. Line feeds are kept as breaks; blanks at a break are dropped.
func Wrap(f Font, s string, width float64) []string {
	if s == "" {
		return nil
	}
	var (
		breaker segmenter.Segmenter
		lines   []string
		runes   = []rune(s)
		start   int // of the line being filled
		end     int // of what is known to fit
	)
	breaker.Init(runes)
	for pieces := breaker.LineIterator(); pieces.Next(); {
		piece := pieces.Line()
		next := piece.Offset + len(piece.Text)
		if end > start && !fits(f, runes[start:next], width) {
			lines = append(lines, trimEnd(runes[start:end]))
			start = end
		}
		for !fits(f, runes[start:next], width) {
			cut := start + splitWord(f, runes[start:next], width)
			if cut >= next {
				break // a single character is wider than the line
			}
			lines = append(lines, trimEnd(runes[start:cut]))
			start = cut
		}
		end = next
		if piece.IsMandatoryBreak {
			lines = append(lines, trimEnd(runes[start:end]))
			start = end
		}
	}
	return lines
}

func fits(f Font, line []rune, width float64) bool { return Width(f, trimEnd(line)) <= width }

func trimEnd(line []rune) string {
	return strings.TrimRight(string(line), " \t\r\n\v\f\u0085\u2028\u2029\u3000")
}

// joints are the marks after which a long name may be broken.
const joints = "._-/:,;=@#&?)"

// splitWord gives how many runes of the word go on a line: as many whole characters as fit, at least one; fewer if that
// ends at a joint.
func splitWord(f Font, word []rune, width float64) int {
	ends := characterEnds(word)
	fit := sort.Search(len(ends), func(i int) bool { return Width(f, string(word[:ends[i]])) > width })
	if fit == 0 {
		return ends[0]
	}
	for i := fit - 1; i > 0; i-- {
		if strings.ContainsRune(joints, word[ends[i]-1]) {
			return ends[i]
		}
	}
	return ends[fit-1]
}

// characterEnds gives the ends of what a reader takes for one character each (grapheme clusters, Unicode Standard Annex
// 29), counted in runes.
func characterEnds(text []rune) []int {
	var breaker segmenter.Segmenter
	breaker.Init(text)
	var ends []int
	for clusters := breaker.GraphemeIterator(); clusters.Next(); {
		cluster := clusters.Grapheme()
		ends = append(ends, cluster.Offset+len(cluster.Text))
	}
	return ends
}

// Ellipsis shortens a line of text to the width, with three dots for what is left out. Where not even the dots fit it gives
// nothing.
func Ellipsis(f Font, s string, width float64) string {
	if Width(f, s) <= width {
		return s
	}
	runes := []rune(s)
	ends := characterEnds(runes)
	short := func(i int) string { return trimEnd(runes[:ends[i]]) + "…" }
	fit := sort.Search(len(ends), func(i int) bool { return Width(f, short(i)) > width })
	if fit > 0 {
		return short(fit - 1)
	}
	if Width(f, "…") <= width {
		return "…"
	}
	return ""
}
