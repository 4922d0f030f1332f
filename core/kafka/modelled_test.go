package kafka

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A key must not claim to act when nothing reads it, nor be read and claim not to.
func TestModelledKeysAreThoseThatTheModelReads(t *testing.T) {
	code := modelSource(t)
	modelled, read := map[string]bool{}, map[string]bool{}
	for s := range keyTables {
		for _, k := range Keys(Scope(s)) {
			modelled[k.Name] = modelled[k.Name] || k.Modelled
			read[k.Name] = strings.Contains(code, `"`+k.Name+`"`)
		}
	}
	delete(modelled, "group.protocol") // classic is all there is, so nobody has to ask
	for name := range modelled {
		require.Equal(t, read[name], modelled[name], name)
	}
}

// modelSource is the source of the packages that act on settings.
func modelSource(t *testing.T) string {
	var code strings.Builder
	for _, pattern := range []string{"../broker/*.go", "../client/*.go", "../sim/*.go", "../../lessons/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			code.Write(text)
		}
	}
	return code.String()
}
