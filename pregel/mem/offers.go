package mem

// This file lowers numbers of a list to sums that are less: the inner loop of shortest
// paths.
//
// It takes two steps. Collect reads the numbers that arcs lead to and keeps the sums that
// are less, without a branch on which they are: that is what a processor foretells worst,
// and who waits for no number before it asks for the next has many under way at a time.
// Lower writes them. What was less when it was collected need not be so any more.
//
// With offers_*.s each turn of the loop looks at eight numbers of 4 bytes, or four of 8
// (float64: lengths_*.s).
// Shortest paths on a road network take a third less than by the compiler's loop that
// lowers each number as it finds it, on webs and social networks a sixth.

// A Row is the arcs from From to To, along which Base is offered, and their weight more.
type Row[T Word] struct {
	From, To uint64
	Base     T
}

// Offers are sums, and which numbers of a list they are to take the place of.
type Offers[T Word] struct {
	Found int // so many
	At    [offersRoom]uint32
	Sums  [offersRoom]T
}

const (
	offersRoom = 1 << 10
	offersTurn = 8 // as many may be found by a turn of the loop
)

// Collect adds to o, for the arcs of rows in turn, Base and the arc's weight times unit
// where that is less than the number of list that at has for the arc: where there are no
// weights they are 1. It returns what is left to do, as there was no room for more in o, or
// as it has done the first row alone: where an arc or its number is beyond the lists it
// panics when the first row has it. unit is a power of 2; integers are not negative, nor their
// weights, and a sum of them is one without sign that does not overflow.
func Collect[T Word, W int32 | float32](o *Offers[T], list []T, at []uint32, weights []W, unit T, rows []Row[T]) (left []Row[T]) {
	if left, done := collect(o, list, at, weights, unit, rows); done {
		return left
	}
	row := &rows[0]
	end := row.From + min(row.To-row.From, uint64(offersRoom-o.Found))
	if vs := at[row.From:end]; weights == nil {
		o.ones(list, vs, row.Base+unit)
	} else {
		collectPlain(o, list, vs, weights[row.From:end], unit, row.Base)
	}
	if row.From = end; end < row.To {
		return rows
	}
	return rows[1:]
}

// collectPlain is Collect for one row that there is room for.
func collectPlain[T Word, W int32 | float32](o *Offers[T], list []T, at []uint32, weights []W, unit, base T) {
	k, weights := o.Found, weights[:len(at)]
	for i, v := range at {
		sum, less := base+T(weights[i])*unit, 0
		if sum < Load(&list[v]) {
			less = 1
		}
		o.At[k], o.Sums[k] = v, sum
		k += less
	}
	o.Found = k
}

// ones is collectPlain where the sum is the same for all.
func (o *Offers[T]) ones(list []T, at []uint32, sum T) {
	k := o.Found
	for _, v := range at {
		less := 0
		if sum < Load(&list[v]) {
			less = 1
		}
		o.At[k], o.Sums[k] = v, sum
		k += less
	}
	o.Found = k
}

// Own asks for the lines of list[i], for all i of at, as one who is to write there: who
// shares the list with others would wait for each of them. It changes nothing.
func Own[T Word](list []T, at []uint32) {
	if len(at) > 0 {
		own(list, at)
	}
}

// PrefetchRows asks for what Collect reads of the first arcs of each row, as Prefetch does:
// the processor foresees the others itself. Without offers_*.s it does nothing.
func PrefetchRows[T Word, W int32 | float32](at []uint32, weights []W, rows []Row[T]) {
	if len(rows) > 0 && len(at) > 0 {
		prefetchRows(at, weights, rows)
	}
}
