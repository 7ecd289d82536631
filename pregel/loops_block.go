package pregel

// The loops over all rows of a block, when everybody is awake and offers travel
// unchanged. Rows are short in most graphs: a call for each, with its arguments,
// took longer than the sum of four numbers (measured on grids).
//
// The bounds are the offsets of a block's rows, one more than there are: row i is
// us[bounds[i]:bounds[i+1]]. Messages are combined in the order of the row, as
// gather does.

// Four at a time are no faster on grids, but a tenth to a fifth where rows are long.
func (sumLoops[T]) block(id T, messages, offers []T, us []uint32, bounds []uint64) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		row := us[at:end]
		for ; len(row) >= 4; row = row[4:] {
			acc += offers[row[0]]
			acc += offers[row[1]]
			acc += offers[row[2]]
			acc += offers[row[3]]
		}
		for _, u := range row {
			acc += offers[u]
		}
		messages[i], at = acc, end
	}
}

func (minLoops[T]) block(id T, messages, offers []T, us []uint32, bounds []uint64) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			if x := offers[u]; x < acc {
				acc = x
			}
		}
		messages[i], at = acc, end
	}
}

func (maxLoops[T]) block(id T, messages, offers []T, us []uint32, bounds []uint64) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			if x := offers[u]; x > acc {
				acc = x
			}
		}
		messages[i], at = acc, end
	}
}

func (orLoops[T]) block(id T, messages, offers []T, us []uint32, bounds []uint64) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			acc |= offers[u]
		}
		messages[i], at = acc, end
	}
}
