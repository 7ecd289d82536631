package check

import (
	"math"
	"reflect"
)

// smaller lists values that are simpler than x, the simplest first.
func smaller(x reflect.Value) (list []reflect.Value) {
	add := func(set func(to reflect.Value)) {
		to := reflect.New(x.Type()).Elem()
		to.Set(x)
		set(to)
		list = append(list, to)
	}
	switch k := x.Kind(); {
	case x.CanInt() && x.Int() != 0:
		i := x.Int()
		add(func(to reflect.Value) { to.SetInt(0) })
		add(func(to reflect.Value) { to.SetInt(i / 2) })
		if i < 0 && -i > 0 {
			add(func(to reflect.Value) { to.SetInt(-i) })
		}
		add(func(to reflect.Value) { to.SetInt(i - i/max(i, -i, 1)) })
	case x.CanUint() && x.Uint() != 0:
		add(func(to reflect.Value) { to.SetUint(0) })
		add(func(to reflect.Value) { to.SetUint(x.Uint() / 2) })
		add(func(to reflect.Value) { to.SetUint(x.Uint() - 1) })
	case x.CanFloat() && x.Float() != 0 && !math.IsInf(x.Float(), 0):
		for _, f := range []float64{0, math.Trunc(x.Float()), math.Trunc(x.Float() / 2), math.Round(x.Float()*10) / 10, math.Abs(x.Float())} {
			if f != x.Float() {
				add(func(to reflect.Value) { to.SetFloat(f) })
			}
		}
	case k == reflect.Bool && x.Bool():
		add(func(to reflect.Value) { to.SetBool(false) })
	case k == reflect.Struct:
		for i := range x.NumField() {
			if !x.Type().Field(i).IsExported() {
				continue
			}
			for _, s := range smaller(x.Field(i)) {
				add(func(to reflect.Value) { to.Field(i).Set(s) })
			}
		}
	case k == reflect.Array:
		for i := range x.Len() {
			for _, s := range smaller(x.Index(i)) {
				add(func(to reflect.Value) { to.Index(i).Set(s) })
			}
		}
	case k == reflect.Slice:
		for i := range x.Len() {
			add(func(to reflect.Value) { to.Set(reflect.AppendSlice(x.Slice3(0, i, i), x.Slice(i+1, x.Len()))) })
		}
	}
	return list
}

// shrink makes values smaller, one after the other, while they still fail. It
// gives up after some thousand trials.
func shrink(values []any, fails func(values []any) bool) []any {
	left := 2000
	for again := true; again && left > 0; {
		again = false
		for i := 0; i < len(values) && left > 0; i++ {
			if values[i] == nil {
				continue
			}
			for _, s := range smaller(reflect.ValueOf(values[i])) {
				left--
				trial := append([]any{}, values...)
				trial[i] = s.Interface()
				if fails(trial) {
					values, again = trial, true
					break
				}
			}
		}
	}
	return values
}
