package assign

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestJavaOrderIsThatOfAHashMap(t *testing.T) {
	// assignors.md section 0; the last two rows are what a JDK 17 printed
	for _, c := range []struct{ keys, want []string }{
		{[]string{"consumer1", "consumer2", "consumer3", "consumer4"}, []string{"consumer4", "consumer3", "consumer2", "consumer1"}},
		{[]string{"consumer0", "consumer1", "consumer2"}, []string{"consumer2", "consumer1", "consumer0"}},
		{[]string{"c1", "c2", "c3", "c4", "c5"}, []string{"c3", "c4", "c5", "c1", "c2"}},
		{[]string{"C0", "C1", "C2", "C3"}, []string{"C3", "C0", "C1", "C2"}},
		{[]string{"Aa", "BB", "C"}, []string{"Aa", "BB", "C"}},
		{numbered("m", 26), []string{"m11", "m10", "m13", "m12", "m15", "m14", "m17", "m16", "m19", "m18", "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m20", "m8", "m9", "m22", "m21", "m24", "m23", "m25"}},
	} {
		require.Equal(t, c.want, inJavaOrder(c.keys))
	}
}

func inJavaOrder(keys []string) []string {
	var names []string
	for _, i := range javaOrder(keys) {
		names = append(names, keys[i])
	}
	return names
}

func numbered(prefix string, n int) []string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf("%s%d", prefix, i))
	}
	return keys
}

func TestTheTableDoublesWhenItIsThreeQuartersFull(t *testing.T) {
	for n, size := range map[int]int{0: 16, 12: 16, 13: 32, 24: 32, 25: 64, 1000: 2048} {
		require.Equal(t, size, javaTableSize(n), n)
	}
}

func TestJavaOrderHasEveryKeyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.String(), 0, 100, rapid.ID[string]).Draw(t, "keys")
		require.ElementsMatch(t, keys, inJavaOrder(keys))
	})
}
