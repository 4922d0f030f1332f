// Package han holds the Chinese font for programs that carry it inside. A page loads han.ttc by itself when it is needed,
// so that an English visit does not pay for it.
package han

import (
	_ "embed" // the typeface

	"groupscope/render/fonts"
)

//go:embed han.ttc
var data []byte

// Use makes the Chinese font the one that text is set in.
func Use() error { return fonts.SetHan(data) }
