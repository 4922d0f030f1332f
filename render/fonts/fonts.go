// Package fonts holds the typefaces and measures with them. Text is laid out from unhinted outlines in ems, so its
// widths are the same on every platform, at every size and at every scale of the screen.
package fonts

import (
	_ "embed" // the typefaces
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Style is one of the looks that text is set in.
type Style uint8

// The styles: a proportional face for words, a monospaced one for code.
const (
	Regular Style = iota
	Bold
	Mono
	MonoBold
	styles
)

// Glyph is one outline of one of the fonts. Glyphs are comparable and stay valid, so they can be keys of caches.
type Glyph struct {
	source uint8 // a place in sources
	index  sfnt.GlyphIndex
}

// The fonts by their place in sources. The last two are there once SetHan has been called.
const (
	sans uint8 = iota
	sansBold
	mono
	monoBold
	hanSeed
	han
	hanBold
	count
)

// fallbacks is where a style looks for a rune, best first. A font that has not been set is passed over.
var fallbacks = [styles][]uint8{
	Regular:  {sans, han, hanSeed, mono},
	Bold:     {sansBold, hanBold, sans, han, hanSeed, mono},
	Mono:     {mono, sans, han, hanSeed},
	MonoBold: {monoBold, sansBold, hanBold, mono, sans, han, hanSeed},
}

var (
	//go:embed sans.ttf
	sansData []byte
	//go:embed sans-bold.ttf
	sansBoldData []byte
	//go:embed mono.ttf
	monoData []byte
	//go:embed mono-bold.ttf
	monoBoldData []byte
	//go:embed han-seed.ttf
	hanSeedData []byte
)

// source is one font file, the number of its design units in an em, and its measures.
type source struct {
	font    *sfnt.Font
	em      int
	heights Measures
}

// mutex guards everything below it: a buffer and the caches are shared by all who measure.
var (
	mutex   sync.Mutex
	sources = load()
	buffer  sfnt.Buffer
	chosen  [styles][scripts]map[rune]cell
	kerns   = [count]map[uint32]float64{sans: {}, sansBold: {}, mono: {}, monoBold: {}} // ems by the numbers of two glyphs
)

func load() [count]source {
	var loaded [count]source
	for i, data := range [][]byte{sans: sansData, sansBold: sansBoldData, mono: monoData, monoBold: monoBoldData, hanSeed: hanSeedData} {
		f, err := sfnt.Parse(data)
		if err != nil {
			panic(fmt.Sprintf("embedded font %d: %v", i, err))
		}
		loaded[i] = newSource(f)
	}
	return loaded
}

func newSource(f *sfnt.Font) source {
	s := source{font: f, em: int(f.UnitsPerEm())}
	if m, err := f.Metrics(nil, s.ppem(), font.HintingNone); err == nil {
		s.heights = Measures{Descent: s.ems(m.Descent), CapHeight: s.ems(m.CapHeight)}
	}
	return s
}

// SetHan gives the Chinese font: a TrueType collection of a regular and a bold face, as han.ttc is. Until then only the
// few characters that an English page needs (the name of the language) can be drawn. Widths measured before it are void.
func SetHan(data []byte) error {
	collection, err := sfnt.ParseCollection(data)
	if err != nil {
		return fmt.Errorf("chinese font: %w", err)
	}
	if n := collection.NumFonts(); n != 2 {
		return fmt.Errorf("chinese font: %d faces, expected a regular and a bold one", n)
	}
	regular, err := collection.Font(0)
	if err != nil {
		return fmt.Errorf("chinese font: regular: %w", err)
	}
	bold, err := collection.Font(1)
	if err != nil {
		return fmt.Errorf("chinese font: bold: %w", err)
	}
	mutex.Lock()
	defer mutex.Unlock()
	sources[han], sources[hanBold] = newSource(regular), newSource(bold)
	chosen = [styles][scripts]map[rune]cell{}
	return nil
}

// HasHan says whether SetHan has been called with a good font.
func HasHan() bool {
	mutex.Lock()
	defer mutex.Unlock()
	return sources[han].font != nil
}

// Measures are the heights of a style in ems: above the baseline CapHeight, below it Descent.
type Measures struct {
	CapHeight, Descent float64
}

// Heights gives the measures of a style's first font.
func Heights(style Style) Measures { return sources[fallbacks[style][0]].heights }

// ppem is the size at which the numbers that sfnt gives are design units.
func (s source) ppem() fixed.Int26_6 { return fixed.Int26_6(s.em) }

func (s source) ems(units fixed.Int26_6) float64 { return float64(units) / float64(s.em) }
