package cdlp

import "math/bits"

// sortUpTo is the number of labels up to which sorting is faster than counting.
const sortUpTo = 20

// mode returns the most frequent label, the least of several. It may reorder
// the labels.
func (p *program) mode(labels []uint32) uint32 {
	switch {
	case len(labels) <= 2:
		return min(labels[0], labels[len(labels)-1])
	case len(labels) <= sortUpTo:
		return modeBySort(labels)
	}
	t := p.tables.Get().(*table)
	label := t.mode(labels)
	p.tables.Put(t)
	return label
}

// modeBySort sorts by insertion; of runs of equal length the first is of the
// least label.
func modeBySort(labels []uint32) (best uint32) {
	for i := 1; i < len(labels); i++ {
		x, at := labels[i], i
		for ; at > 0 && labels[at-1] > x; at-- {
			labels[at] = labels[at-1]
		}
		labels[at] = x
	}
	longest := 0
	for i := 0; i < len(labels); {
		start := i
		for i < len(labels) && labels[i] == labels[start] {
			i++
		}
		if i-start > longest {
			longest, best = i-start, labels[start]
		}
	}
	return best
}

// table counts labels in a hash table with linear probing. An entry is a label
// above a count; 0 is empty.
type table struct {
	entries []uint64
}

// mode counts the labels. The label that is ahead, or least among those ahead,
// after each count is so in the end.
func (t *table) mode(labels []uint32) uint32 {
	width := bits.Len(uint(len(labels))) + 1 // at most half full
	if len(t.entries) < 1<<width {
		t.entries = make([]uint64, 1<<width)
	}
	entries := t.entries[:1<<width]
	mask, shift := uint32(len(entries)-1), 32-min(width, 32)
	most, best := uint32(0), uint32(0)
	for _, label := range labels {
		i := label * 0x9E3779B1 >> shift & mask
		for entries[i] != 0 && uint32(entries[i]>>32) != label {
			i = (i + 1) & mask
		}
		count := uint32(entries[i]) + 1
		entries[i] = uint64(label)<<32 | uint64(count)
		if count > most || count == most && label < best {
			most, best = count, label
		}
	}
	clear(entries)
	return best
}
