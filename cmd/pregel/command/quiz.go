package command

import (
	"fmt"
	"slices"
	"strings"
)

// A quiz asks which vertices will be awake, and keeps the score.
type quiz struct {
	asked, right int
}

func (q *quiz) String() string {
	return fmt.Sprintf("score: %d of %s right", q.right, plural(q.asked, "question"))
}

// ask asks who will be awake after a superstep, and says what is so.
func (q *quiz) ask(w *walk, superstep int) {
	x := w.run.ValuesAt(superstep)
	if x == nil {
		return
	}
	fmt.Fprintf(w.out, "which vertices will be awake after superstep %d?\n", superstep)
	line, _ := w.line("? ")
	guess, passed, err := w.guess(line)
	switch {
	case err != nil:
		fmt.Fprintf(w.out, "%v: no answer\n", err)
		q.asked++
		return
	case passed:
		return
	}
	q.asked++
	missing, wrong := without(x.Awake, guess), without(guess, x.Awake)
	if len(missing)+len(wrong) == 0 {
		q.right++
		fmt.Fprintln(w.out, "right")
		return
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "awake too: "+w.ids(missing))
	}
	if len(wrong) > 0 {
		parts = append(parts, "not awake: "+w.ids(wrong))
	}
	fmt.Fprintf(w.out, "not quite: %s\n", strings.Join(parts, "; "))
}

// guess reads ids, parted by spaces or commas.
func (w *walk) guess(line string) (list []uint32, passed bool, err error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	switch {
	case len(words) == 0:
		return nil, true, nil
	case len(words) == 1 && words[0] == "none":
		return nil, false, nil
	case len(words) == 1 && words[0] == "all":
		for v := range w.run.Header.Graph.Vertices {
			list = append(list, uint32(v))
		}
		return list, false, nil
	}
	for _, id := range words {
		v, err := w.find(id)
		if err != nil {
			return nil, false, err
		}
		list = append(list, v)
	}
	slices.Sort(list)
	return slices.Compact(list), false, nil
}

// without lists what is in a and not in b, both ascending.
func without(a, b []uint32) (list []uint32) {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); !ok {
			list = append(list, v)
		}
	}
	return list
}
