package fonts

import (
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
		chinese  = hasHan(text)
	)
	for _, r := range text {
		c := choose(style, r, chinese)
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
		chinese  = hasHan(text)
	)
	for _, r := range text {
		c := choose(style, r, chinese)
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
		if !seen[r] && choose(Regular, r, false).missing {
			missing = append(missing, r)
		}
		seen[r] = true
	}
	return missing
}

// shared holds the punctuation that Latin and Chinese have in common as characters, but not in shape: among hanzi it
// is one em wide.
const shared = "‘’“”…—"

// choose finds the glyph of a rune. Marks that the scripts share are taken from the Chinese font in a Chinese text.
func choose(style Style, r rune, chinese bool) cell {
	if chinese && strings.ContainsRune(shared, r) {
		r = -r // the same rune in its other shape: a key of its own
	}
	if c, ok := chosen[style][r]; ok {
		return c
	}
	c := find(style, r)
	if chosen[style] == nil {
		chosen[style] = map[rune]cell{}
	}
	chosen[style][r] = c
	return c
}

func find(style Style, r rune) cell {
	order := fallbacks[style]
	if r < 0 {
		r, order = -r, append([]uint8{hanBold, han}, order...)
		if style == Regular || style == Mono {
			order = order[1:]
		}
	}
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
	first := order[len(order)-len(fallbacks[style])]
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

// hasHan says whether the text has a rune of Chinese: a character, or a mark that only Chinese has.
func hasHan(text string) bool {
	for _, r := range text {
		if r >= 0x2E80 && (unicode.Is(unicode.Han, r) || r <= 0x303F || r >= 0xFF01 && r <= 0xFF60) {
			return true
		}
	}
	return false
}
