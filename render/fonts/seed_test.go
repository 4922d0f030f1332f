package fonts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnglishWordsNeedNoChineseFont(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../lessons/en.yaml", "../../lessons/*/en.yaml", "../stage/words/en.json"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, r := range string(text) + "中文" {
			if isChinese(r) {
				index, err := sources[hanSeed].font.GlyphIndex(nil, r)
				require.NoError(t, err)
				require.NotZero(t, index, "%s: %c is not in the font that an English page has; make fonts adds it", file, r)
			}
		}
	}
}
