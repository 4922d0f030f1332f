package stage

import (
	"math"

	"groupscope/render/scene"
)

// theme is the colours of one look. Neutral colours carry the interface; hues belong to consumers, and one
// warm hue to rebalances and errors, so that colour always means something.
type theme struct {
	back, panel, sunken scene.Color // from the window's ground to wells inside a panel
	line                scene.Color
	text, muted         scene.Color
	strong, onStrong    scene.Color // the one filled control, the lit state
	warn, warnTint      scene.Color // ink, and the pale area behind it
	good                scene.Color
	veil                scene.Color // over the stage, under an overlay
	accents             []accent
}

// accent is what tells one consumer from the others: a hue, and with it a mark and a pattern.
type accent struct {
	fill, on scene.Color // a solid area, and text on it
	ink      scene.Color // text and lines on the panel
	tint     scene.Color // a pale area that ink and text can be read on
	mark     mark
	pattern  scene.Pattern
}

// mark is a small figure that says who it is without colour.
type mark uint8

const (
	disc mark = iota
	square
	triangle
	diamond
	hexagon
	cross
	marks
)

// What text needs against its ground (WCAG 2.2, 1.4.3), and in the theme of high contrast (1.4.6).
const (
	minContrast  = 4.5
	highContrast = 7
)

// The hues are the Okabe-Ito palette without black and vermilion; the dark theme's are lifted a little.
var (
	lightHues = []uint32{0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xF0E442}
	darkHues  = []uint32{0x3A8FD9, 0xEFAA22, 0x1FB58A, 0xD98BB8, 0x86CFF7, 0xF0E65A}
	highHues  = []uint32{0x4DB1FF, 0xFFB733, 0x2EE6AE, 0xFF9ED2, 0xA6DEFF, 0xFFF566}
)

var lightTheme = newTheme(theme{
	back: rgb(0xF4F6F9), panel: rgb(0xFFFFFF), sunken: rgb(0xEDF1F6), line: rgb(0xD3DAE4),
	text: rgb(0x18212F), muted: rgb(0x556173), strong: rgb(0x26334A), onStrong: rgb(0xFFFFFF),
	warn: rgb(0xAF4300), warnTint: rgb(0xFFF0E2), good: rgb(0x00694D), veil: alpha(rgb(0x18212F), 0x66),
}, lightHues, minContrast)

var darkTheme = newTheme(theme{
	back: rgb(0x0E131B), panel: rgb(0x171F2B), sunken: rgb(0x212B3A), line: rgb(0x354255),
	text: rgb(0xE9EEF6), muted: rgb(0xA3B0C3), strong: rgb(0xD5DEEB), onStrong: rgb(0x131A25),
	warn: rgb(0xFF7F62), warnTint: rgb(0x40211C), good: rgb(0x4FD1A5), veil: alpha(rgb(0x05080D), 0x99),
}, darkHues, minContrast)

var contrastTheme = newTheme(theme{
	back: rgb(0x000000), panel: rgb(0x000000), sunken: rgb(0x1C1C1C), line: rgb(0x9C9C9C),
	text: rgb(0xFFFFFF), muted: rgb(0xE2E2E2), strong: rgb(0xFFFFFF), onStrong: rgb(0x000000),
	warn: rgb(0xFFB3A0), warnTint: rgb(0x3D0F05), good: rgb(0x8DFFCB), veil: alpha(rgb(0x000000), 0xC0),
}, highHues, highContrast)

var themes = map[string]*theme{Light: &lightTheme, Dark: &darkTheme, Contrast: &contrastTheme}

func themeNamed(name string) *theme {
	if t, ok := themes[name]; ok {
		return t
	}
	return themes[Themes[0]]
}

// newTheme derives the accents: for each round through the hues another mark and pattern. Their inks stand out by contrast.
func newTheme(t theme, hues []uint32, contrast float64) theme {
	for i := range 4 * len(hues) {
		hue, turn := rgb(hues[i%len(hues)]), i/len(hues)
		tint := alpha(hue, 0x2E).Over(t.panel)
		t.accents = append(t.accents, accent{
			fill: hue, on: readableOn(hue), ink: legible(hue, contrast, t.panel, tint, t.sunken), tint: tint,
			mark: mark((i + turn) % int(marks)), pattern: scene.Pattern(turn),
		})
	}
	return t
}

// accent is the look of the consumer that was added as number i; beyond the last one they repeat.
func (t *theme) accent(i int) accent { return t.accents[i%len(t.accents)] }

// nobody is the look of what belongs to no consumer.
func (t *theme) nobody() accent {
	return accent{fill: t.muted, on: t.panel, ink: t.muted, tint: t.sunken, mark: disc}
}

func rgb(hex uint32) scene.Color {
	return scene.Color{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

func alpha(c scene.Color, a uint8) scene.Color { c.A = a; return c }

// mix is the colour at share t of the way from a to b.
func mix(a, b scene.Color, t float64) scene.Color {
	at := func(x, y uint8) uint8 { return uint8(math.Round(lerp(float64(x), float64(y), t))) }
	return scene.Color{R: at(a.R, b.R), G: at(a.G, b.G), B: at(a.B, b.B), A: 0xFF}
}

// readableOn is the text colour, near black or white, that stands out more against the ground.
func readableOn(ground scene.Color) scene.Color {
	black, white := rgb(0x10161F), rgb(0xFFFFFF)
	if scene.Contrast(white, ground) >= scene.Contrast(black, ground) {
		return white
	}
	return black
}

// legible moves a hue towards black or white just as far as text on all of these grounds needs.
func legible(hue scene.Color, contrast float64, grounds ...scene.Color) scene.Color {
	end := readableOn(grounds[0])
	for share := 0.0; share < 1; share += 0.02 {
		c := mix(hue, end, share)
		if lowestContrast(c, grounds) >= contrast {
			return c
		}
	}
	return end
}

func lowestContrast(c scene.Color, grounds []scene.Color) float64 {
	low := math.Inf(1)
	for _, g := range grounds {
		low = min(low, scene.Contrast(c, g))
	}
	return low
}
