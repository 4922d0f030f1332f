package fonts

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
)

// Placed is a glyph, and the distance of its origin from the start of the text in ems.
type Placed struct {
	Glyph Glyph
	X     float64
}

// cell is what a rune becomes in a style.
type cell struct {
	glyph   Glyph
	advance float64 // ems
	draws   bool    // false for blanks and for runes that show nothing
	missing bool    // no font has the rune: the glyph is an empty box
}

// Lay appends the glyphs of a line of text to dst and returns it with the width of the text in ems. Blanks take up
// room and give no glyph.
func Lay(dst []Placed, style Style, text string) ([]Placed, float64) {
	mutex.Lock()
	defer mutex.Unlock()
	var (
		x        float64
		previous rune
		before   cell
		found    = scriptOf(style, text)
	)
	for _, r := range text {
		c := choose(style, found, r)
		x += kern(previous, r, before, c)
		if c.draws {
			dst = append(dst, Placed{Glyph: c.glyph, X: x})
		}
		x += c.advance
		previous, before = r, c
	}
	return dst, x
}

// Width is the width of a line of text in ems.
func Width(style Style, text string) float64 {
	mutex.Lock()
	defer mutex.Unlock()
	var (
		x        float64
		previous rune
		before   cell
		found    = scriptOf(style, text)
	)
	for _, r := range text {
		c := choose(style, found, r)
		x += kern(previous, r, before, c) + c.advance
		previous, before = r, c
	}
	return x
}

// Missing gives the runes of the text that no font has, each once, in order. They are drawn as empty boxes.
func Missing(text string) []rune {
	mutex.Lock()
	defer mutex.Unlock()
	var missing []rune
	seen := map[rune]bool{}
	for _, r := range text {
		if !seen[r] && choose(Regular, latin, r).missing {
			missing = append(missing, r)
		}
		seen[r] = true
	}
	return missing
}

// script is how a whole text is to be set.
type script uint8

const (
	latin   script = iota
	chinese        // marks that the scripts share are taken from the Chinese font
	thin           // so are they here, but from the regular one: the bold one lacks a character, and mixing them would show
	scripts
)

// shared holds the punctuation that Latin and Chinese have in common as characters, but not in shape: among hanzi it
// is one em wide.
const shared = "‘’“”…—"

func scriptOf(style Style, text string) script {
	found := latin
	bold := style == Bold || style == MonoBold
	for _, r := range text {
		if !isChinese(r) {
			continue
		}
		found = chinese
		if !bold || sources[hanBold].font == nil {
			break
		}
		if c := choose(style, chinese, r); c.glyph.source != hanBold {
			return thin
		}
	}
	return found
}

// isChinese says whether a rune is a Chinese character, or a mark that only Chinese has.
func isChinese(r rune) bool {
	return r >= 0x2E80 && (unicode.Is(unicode.Han, r) || r <= 0x303F || r >= 0xFF01 && r <= 0xFF60)
}

// choose finds the glyph of a rune.
func choose(style Style, in script, r rune) cell {
	known := chosen[style][in]
	if known == nil {
		known = map[rune]cell{}
		chosen[style][in] = known
	}
	c, ok := known[r]
	if !ok {
		c = find(r, fallbacks[style][0], order(style, in, r))
		known[r] = c
	}
	return c
}

// order is where to look for a rune, best first.
func order(style Style, in script, r rune) []uint8 {
	list := fallbacks[style]
	if in == thin {
		list = slices.DeleteFunc(slices.Clone(list), func(at uint8) bool { return at == hanBold })
	}
	if in != latin && strings.ContainsRune(shared, r) {
		isHan := func(at uint8) bool { return at == han || at == hanBold }
		own := slices.DeleteFunc(slices.Clone(list), func(at uint8) bool { return !isHan(at) })
		list = append(own, list...)
	}
	return list
}

// find gives the first glyph for a rune in the order; failing that, the empty box of the font first.
func find(r rune, first uint8, order []uint8) cell {
	switch {
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		return cell{} // joiners, direction marks and the like have no shape of their own
	case r == '\t' || r == '\n' || r == '\r':
		r = ' '
	}
	for _, at := range order {
		s := sources[at]
		if s.font == nil {
			continue
		}
		if index, err := s.font.GlyphIndex(&buffer, r); err == nil && index != 0 {
			return cell{glyph: Glyph{source: at, index: index}, advance: advance(at, index), draws: !unicode.IsSpace(r)}
		}
	}
	return cell{glyph: Glyph{source: first}, advance: advance(first, 0), draws: true, missing: true}
}

func advance(at uint8, index sfnt.GlyphIndex) float64 {
	s := sources[at]
	a, err := s.font.GlyphAdvance(&buffer, index, s.ppem(), font.HintingNone)
	if err != nil {
		return 0
	}
	return s.ems(a)
}

// kern is the room to add between two neighbours, in ems; mostly it is negative, or none.
func kern(r0, r1 rune, c0, c1 cell) float64 {
	if c0.advance == 1 && c1.advance == 1 && marksMeet(r0, r1) {
		return -0.5
	}
	if c0.glyph.source != c1.glyph.source || c0.glyph.source >= hanSeed || !c0.draws || !c1.draws {
		return 0
	}
	at := c0.glyph.source
	pair := uint32(c0.glyph.index)<<16 | uint32(c1.glyph.index)
	if k, ok := kerns[at][pair]; ok {
		return k
	}
	s := sources[at]
	units, err := s.font.Kern(&buffer, c0.glyph.index, c1.glyph.index, s.ppem(), font.HintingNone)
	if err != nil {
		units = 0 // sfnt.ErrNotFound: the font has nothing to say about the pair
	}
	kerns[at][pair] = s.ems(units)
	return kerns[at][pair]
}

// Chinese marks fill half of their square; where two meet, the half between them is left out (Requirements for Chinese
// Text Layout, 3.1.6).
const (
	halfAfter  = "，。、）】》」』〕〉”’" // empty on the right
	halfBefore = "（【《「『〔〈“‘"    // empty on the left
)

func marksMeet(r0, r1 rune) bool {
	after0, after1 := strings.ContainsRune(halfAfter, r0), strings.ContainsRune(halfAfter, r1)
	before0, before1 := strings.ContainsRune(halfBefore, r0), strings.ContainsRune(halfBefore, r1)
	return after0 && (after1 || before1) || before0 && before1
}
