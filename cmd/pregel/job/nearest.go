package job

import "strings"

// nearest returns the word that is most like the given one, "" when none is
// like it: when more than a third of its letters would have to change.
func nearest(word string, words []string) string {
	best, least := "", max(1, len([]rune(word))/3)+1
	for _, w := range words {
		if d := distance(strings.ToLower(word), w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove, replace, or swap with
// their neighbour, to make b of a (optimal string alignment: no part is edited
// twice). Cost: O(len(a)·len(b)).
//
// F. Damerau: A technique for computer detection and correction of spelling
// errors, CACM 7(3), 1964.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, above := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(t)]
}
