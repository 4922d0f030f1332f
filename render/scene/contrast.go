package scene

import "math"

// Contrast is the contrast ratio of two opaque colours, from 1 to 21 (Web Content Accessibility Guidelines 2.1); text
// needs 4.5.
func Contrast(a, b Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(c Color) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(channel uint8) float64 {
	v := float64(channel) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Over is the opaque colour seen where top lies on an opaque ground.
func (c Color) Over(ground Color) Color {
	mix := func(t, g uint8) uint8 {
		a := int(c.A)
		return uint8((int(t)*a + int(g)*(255-a) + 127) / 255)
	}
	return Color{R: mix(c.R, ground.R), G: mix(c.G, ground.G), B: mix(c.B, ground.B), A: 255}
}
