package trace

import (
	"slices"
	"strconv"

	"gopregel/pregel"
)

// This file writes many supersteps as one line, column by column (FORMAT.md): where
// they are short, a line for each takes longer than they do.

// names are those of the columns.
var names = [numbers]string{"awake", "arcs", "sent", "combined", "next", "nanoseconds", "barrier", "atomics", "have", "limit"}

// following says of next that it is awake of the superstep that follows.
const following = "following"

// usualOffset is what offsets take where a trace says nothing of them: there were no others.
const usualOffset = 8

func (*steps) kind() string { return "supersteps" }

func (b *steps) check(s *state) error {
	if b.first != s.last+1 {
		return noNext(b.first, s.last+1)
	}
	s.last += b.count
	return nil
}

// appendSteps writes steps, of which there is one at least.
func appendSteps(to []byte, b *steps) []byte {
	b.turn()
	to = slices.Grow(to, b.length())
	to = strconv.AppendInt(append(to, `{"kind":"supersteps","superstep":`...), int64(b.first), 10)
	to = strconv.AppendInt(append(to, `,"count":`...), int64(b.count), 10)
	to = append(to, `,"shapes":[`...)
	for i := range b.shapes {
		to = appendShape(appendComma(to, i), &b.shapes[i])
	}
	to = append(to, ']')
	to = b.appendRuns(to)
	for k := range numbers {
		to = b.appendColumn(to, k)
	}
	return append(b.appendBriefs(b.appendLists(to)), '}', '\n')
}

// length is about that of the line, which would be copied often if it grew with what is
// appended.
func (b *steps) length() int {
	const shape, change, time = 512, 4, 6
	return shape*len(b.shapes) + change*len(b.changes) + time*len(b.times)
}

func appendComma(to []byte, i int) []byte {
	if i == 0 {
		return to
	}
	return append(to, ',')
}

func appendShape(to []byte, s *shape) []byte {
	to = appendText(to, `{"program":`, s.program)
	if s.direction != pregel.Auto {
		to = appendText(to, `,"direction":`, s.direction.String())
	}
	if f := s.frontier(); f != "" {
		to = appendText(to, `,"frontier":`, f)
	}
	if s.rule != "" {
		to = appendText(to, `,"why":`, s.rule)
	}
	to = appendFlag(to, `,"sent":true`, s.sent)
	to = appendFlag(to, `,"combined":true`, s.combined)
	to = appendFlag(to, `,"atomics":true`, s.atomics)
	to = appendFlag(to, `,"relaxed":true`, s.relaxed)
	for i, p := range s.phases {
		if i == 0 {
			to = append(to, `,"phases":[`...)
		}
		to = appendText(appendComma(to, i), `{"name":`, p.name)
		if !p.whole {
			to = strconv.AppendInt(append(to, `,"workers":`...), int64(p.workers), 10)
		}
		to = append(to, '}')
	}
	to = appendFlag(to, `]`, len(s.phases) > 0)
	if s.metric != "" {
		to = appendText(to, `,"metric":`, s.metric)
		to = appendFloat(append(to, `,"tolerance":`...), s.tolerance, 64)
	}
	if s.aggregates > 0 {
		to = strconv.AppendInt(append(to, `,"aggregates":`...), int64(s.aggregates), 10)
	}
	if s.brief {
		to = appendLaw(append(to, `,"brief":`...), &s.law)
	}
	if s.together > 0 {
		to = strconv.AppendInt(append(to, `,"timed":`...), int64(s.together), 10)
	}
	if w := s.widths; w != (pregel.Widths{}) {
		to = strconv.AppendUint(append(to, `,"value":`...), w.Value, 10)
		to = strconv.AppendUint(append(to, `,"message":`...), w.Message, 10)
		to = strconv.AppendUint(append(to, `,"weight":`...), w.Weight, 10)
		if w.Frontier != pregel.RecordedFrontier {
			to = appendText(to, `,"kept":`, frontierForms[w.Frontier])
		}
		if w.Offset != usualOffset {
			to = strconv.AppendUint(append(to, `,"offset":`...), w.Offset, 10)
		}
		if w.Beside != 0 {
			to = strconv.AppendUint(append(to, `,"beside":`...), w.Beside, 10)
		}
	}
	return append(to, '}')
}

func appendFlag(to []byte, text string, set bool) []byte {
	if set {
		to = append(to, text...)
	}
	return to
}

// appendRuns writes the number of each run's shape and of its supersteps.
func (b *steps) appendRuns(to []byte) []byte {
	if len(b.runs) == 1 {
		return to
	}
	to, from := append(to, `,"runs":[`...), 0
	for i, r := range b.runs {
		to = strconv.AppendInt(append(appendComma(to, i), '['), int64(r.shape), 10)
		to = append(strconv.AppendInt(append(to, ','), int64(r.end-from), 10), ']')
		from = r.end
	}
	return append(to, ']')
}

// appendColumn writes a column as shortly as it can be said.
func (b *steps) appendColumn(to []byte, k int) []byte {
	levels := b.desk.levels[k]
	switch {
	case b.records == 0:
		return to
	case b.constant(k) && levels[0].x == 0:
		return to
	case b.constant(k):
		return strconv.AppendUint(appendKey(to, k), levels[0].x, 10)
	case k == stepAwake && b.follows():
		to = appendNumbers(append(appendKey(to, k), '['), b.column(k))
		return append(strconv.AppendUint(append(to, ','), b.column(stepNext)[b.records-1], 10), ']')
	case k == stepNext && b.follows():
		return appendText(to, `,"next":`, following)
	}
	for j := range k {
		if b.same(j, k) {
			return appendString(appendKey(to, k), names[j])
		}
	}
	if !b.many(k) {
		return b.appendLevels(appendKey(to, k), levels)
	}
	return appendNear(appendKey(to, k), b.column(k))
}

// appendLevels writes of each how many records it has, by how much the first is above
// that before it, and each other: not at all.
func (b *steps) appendLevels(to []byte, list []level) []byte {
	to = append(to, `{"runs":[`...)
	last := uint64(0)
	for i, l := range list {
		end := b.records
		if i+1 < len(list) {
			end = list[i+1].at
		}
		to = appendSmall(append(appendComma(to, i), '['), int64(end-l.at))
		to = append(appendSmall(append(to, ','), int64(l.x-last)), `,0]`...)
		last = l.x
	}
	return append(to, `]}`...)
}

// appendSmall writes a number that has mostly few digits.
func appendSmall(to []byte, x int64) []byte {
	switch {
	case x >= 0:
		return appendNumber(to, uint64(x))
	case x >= -9:
		return append(to, '-', '0'+byte(-x))
	}
	return strconv.AppendInt(to, x, 10)
}

func appendNear(to []byte, list []uint64) []byte {
	if near(list) {
		return appendChanges(to, list)
	}
	return append(appendNumbers(append(to, '['), list), ']')
}

// mostChange of numbers is written shorter than they are.
const mostChange = 9

// near tells whether large numbers change by little.
func near(list []uint64) bool {
	if list[0] < 100 {
		return false
	}
	for i := 1; i < len(list); i++ {
		if list[i]-list[i-1]+mostChange > 2*mostChange {
			return false
		}
	}
	return true
}

// appendChanges writes the first number, and by how much each is above the one before.
func appendChanges(to []byte, list []uint64) []byte {
	to = strconv.AppendUint(append(to, `{"from":`...), list[0], 10)
	to = append(to, `,"by":[`...)
	for i := 1; i < len(list); i++ {
		if i > 1 {
			to = append(to, ',')
		}
		to = appendSmall(to, int64(list[i]-list[i-1]))
	}
	return append(to, `]}`...)
}

func appendKey(to []byte, k int) []byte {
	return append(append(append(to, `,"`...), names[k]...), `":`...)
}

// appendNumbers writes numbers between commas.
func appendNumbers(to []byte, list []uint64) []byte {
	for i, x := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendNumber(to, x)
	}
	return to
}

// appendNumber writes a number: one of up to four digits at once.
func appendNumber(to []byte, x uint64) []byte {
	switch {
	case x < 10:
		return append(to, '0'+byte(x))
	case x < 100:
		return append(to, '0'+byte(x/10), '0'+byte(x%10))
	case x < 1000:
		return append(to, '0'+byte(x/100), '0'+byte(x/10%10), '0'+byte(x%10))
	case x < 10_000:
		return append(to, '0'+byte(x/1000), '0'+byte(x/100%10), '0'+byte(x/10%10), '0'+byte(x%10))
	}
	return strconv.AppendUint(to, x, 10)
}

// follows tells whether those awake in the next superstep are those that it has awake.
func (b *steps) follows() bool {
	return !b.constant(stepAwake) && slices.Equal(b.column(stepNext)[:b.records-1], b.column(stepAwake)[1:])
}

// appendLists writes what has not one number a superstep.
func (b *steps) appendLists(to []byte) []byte {
	if len(b.times) > 0 {
		to = appendTimes(append(to, `,"times":`...), b.times)
	}
	for i, x := range b.metrics {
		if i == 0 {
			to = append(to, `,"metrics":[`...)
		}
		to = appendFloat(appendComma(to, i), x, 64)
	}
	to = appendFlag(to, `]`, len(b.metrics) > 0)
	for i, x := range b.aggregates {
		if i == 0 {
			to = append(to, `,"aggregates":[`...)
		}
		to = appendAny(appendComma(to, i), x)
	}
	return appendFlag(to, `]`, len(b.aggregates) > 0)
}
