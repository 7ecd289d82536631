package trace

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A Float is a number that may be none: NaN and the infinities are strings in
// JSON.
type Float float64

// MarshalJSON writes the number.
func (x Float) MarshalJSON() ([]byte, error) { return appendFloat(nil, float64(x), 64), nil }

// UnmarshalJSON reads it.
func (x *Float) UnmarshalJSON(text []byte) error {
	number, ok := Number(text)
	if !ok {
		return fmt.Errorf("found %s, want a number, \"NaN\", \"+Inf\" or \"-Inf\"", text)
	}
	*x = Float(number)
	return nil
}

// appendFloat writes the shortest text that reads back as x.
func appendFloat(to []byte, x float64, bits int) []byte {
	switch {
	case math.IsNaN(x):
		return append(to, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(to, `"+Inf"`...)
	case math.IsInf(x, -1):
		return append(to, `"-Inf"`...)
	}
	return strconv.AppendFloat(to, x, 'g', -1, bits)
}

var noNumbers = map[string]float64{`"NaN"`: math.NaN(), `"+Inf"`: math.Inf(1), `"-Inf"`: math.Inf(-1)}

// Number returns a value as a float, and whether it is one.
func Number(v Value) (float64, bool) {
	if x, ok := noNumbers[string(v)]; ok {
		return x, true
	}
	var x float64
	if len(v) == 0 || string(v) == "null" || json.Unmarshal(v, &x) != nil {
		return 0, false
	}
	return x, true
}
