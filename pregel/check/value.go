package check

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
)

// equal tells whether two values are the same: floats by no more than a share of
// the larger apart, for a share of 0 by nothing. NaN is the same as NaN, and 0 as -0.
func equal(a, b any, share float64) bool {
	switch x := a.(type) {
	case uint32:
		y, ok := b.(uint32)
		return ok && x == y
	case float64:
		y, ok := b.(float64)
		return ok && near(x, y, share)
	}
	return alike(reflect.ValueOf(a), reflect.ValueOf(b), share)
}

func near(a, b, share float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}

func alike(a, b reflect.Value, share float64) bool {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return a.IsValid() == b.IsValid() && !a.IsValid()
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return near(a.Float(), b.Float(), share)
	case reflect.Struct:
		for i := range a.NumField() {
			if !alike(a.Field(i), b.Field(i), share) {
				return false
			}
		}
		return true
	case reflect.Array, reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !alike(a.Index(i), b.Index(i), share) {
				return false
			}
		}
		return true
	case reflect.Interface:
		return alike(a.Elem(), b.Elem(), share)
	case reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan:
		return a.CanInterface() && b.CanInterface() && reflect.DeepEqual(a.Interface(), b.Interface())
	}
	return a.Equal(b)
}

// anyFloat tells whether f holds for a float in x.
func anyFloat(x reflect.Value, f func(float64) bool) bool {
	switch x.Kind() {
	case reflect.Float32, reflect.Float64:
		return f(x.Float())
	case reflect.Struct:
		for i := range x.NumField() {
			if anyFloat(x.Field(i), f) {
				return true
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range x.Len() {
			if anyFloat(x.Index(i), f) {
				return true
			}
		}
	case reflect.Interface:
		return anyFloat(x.Elem(), f)
	}
	return false
}

func hasNaN(x any) bool { return anyFloat(reflect.ValueOf(x), math.IsNaN) }

func hasInf(x any) bool {
	return anyFloat(reflect.ValueOf(x), func(f float64) bool { return math.IsInf(f, 0) })
}

// floats tells whether values of a type may be inexact, and of how many bits the
// smallest are.
func floats(t reflect.Type) (bits int) {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return t.Bits()
	case reflect.Array, reflect.Slice:
		return floats(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if b := floats(t.Field(i).Type); b > 0 && (bits == 0 || b < bits) {
				bits = b
			}
		}
	}
	return bits
}

// random draws a value of a type: small numbers mostly, as they collide. What it
// cannot draw stays zero.
func random(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	fill(r, v)
	return v
}

func fill(r *rand.Rand, v reflect.Value) {
	switch k := v.Kind(); {
	case !v.CanSet():
	case k == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case v.CanInt():
		v.SetInt(int64(r.Uint64()) >> drawShift(r, v.Type().Bits()))
	case v.CanUint():
		v.SetUint(r.Uint64() >> drawShift(r, v.Type().Bits()))
	case v.CanFloat():
		v.SetFloat(drawFloat(r))
	case k == reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case k == reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case k == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case k == reflect.String:
		v.SetString(strings.Repeat("a", r.IntN(3)) + strings.Repeat("b", r.IntN(3)))
	}
}

// drawShift leaves 4 bits of 64 mostly, and at most so many.
func drawShift(r *rand.Rand, bits int) int {
	if r.IntN(4) > 0 {
		return 60
	}
	return 64 - 1 - r.IntN(bits)
}

func drawFloat(r *rand.Rand) float64 {
	x := float64(r.IntN(33) - 16)
	switch r.IntN(3) {
	case 0:
		return x / 10
	case 1:
		return (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(12)))
	}
	return x
}
