package pregel

// The loops over all rows of a block, when everybody is awake and offers travel
// unchanged. Rows are short in most graphs: a call for each, with its arguments,
// took longer than the sum of four numbers (measured on grids).
//
// The bounds are the offsets of a block's rows, one more than there are: row i is
// us[bounds[i]:bounds[i+1]]. Messages are combined in the order of the row, as
// gather does.

// Four at a time take two thirds of the time on grids, and no more where rows are
// long; cutting them off the front of a row took longer than one at a time.
func (sumLoops[T]) block(id T, messages, offers []T, us []uint32, bounds []uint64) {
	bounds = bounds[:len(messages)+1]
	at, ends := bounds[0], bounds[1:][:len(messages)]
	for i := range messages {
		acc, end := id, ends[i]
		for ; at+4 <= end; at += 4 {
			four := us[at : at+4 : at+4]
			acc += offers[four[0]]
			acc += offers[four[1]]
			acc += offers[four[2]]
			acc += offers[four[3]]
		}
		for ; at < end; at++ {
			acc += offers[us[at]]
		}
		messages[i] = acc
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
