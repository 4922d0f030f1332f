package kafka

import "strings"

// Suggest returns the name among those given that a misspelt name most likely stands for, or "" if none is near.
// Near means: a third of the letters, at least one, may be wrong, missing, added, or swapped with the next one.
// Case does not count. Of equally near names the first is taken.
func Suggest(name string, among []string) string {
	letters := []rune(strings.ToLower(name))
	best, least := "", max(1, len(letters)/3)+1
	for _, candidate := range among {
		if d := editDistance(letters, []rune(strings.ToLower(candidate))); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance is the optimal string alignment distance: the least number of insertions, deletions, replacements and
// swaps of neighbours that make a into b.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
