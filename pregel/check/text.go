package check

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// goText writes a value as Go would: main.Pair{Sum:3, Count:2}.
func goText(x any) string { return text(reflect.ValueOf(x), true) }

func text(x reflect.Value, named bool) string {
	if !x.IsValid() {
		return "nil"
	}
	name := ""
	if named {
		name = x.Type().String()
	}
	var parts []string
	switch k := x.Kind(); {
	case x.CanInt():
		return basic(x, named, fmt.Sprint(x.Int()))
	case x.CanUint():
		return basic(x, named, fmt.Sprint(x.Uint()))
	case x.CanFloat() && math.IsInf(x.Float(), 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, x.Float())))
	case x.CanFloat() && math.IsNaN(x.Float()):
		return "math.NaN()"
	case x.CanFloat():
		return basic(x, named, fmt.Sprintf("%v", x))
	case k == reflect.Struct:
		for i := range x.NumField() {
			parts = append(parts, x.Type().Field(i).Name+": "+text(x.Field(i), false))
		}
	case k == reflect.Array, k == reflect.Slice:
		for i := range x.Len() {
			parts = append(parts, text(x.Index(i), false))
		}
	case k == reflect.Interface:
		return text(x.Elem(), true)
	case k == reflect.String:
		return fmt.Sprintf("%q", x.String())
	default:
		return fmt.Sprintf("%v", x)
	}
	return name + "{" + strings.Join(parts, ", ") + "}"
}

// basic writes a number, with its type where that is one of the author's.
func basic(x reflect.Value, named bool, number string) string {
	if named && x.Type().PkgPath() != "" {
		return x.Type().String() + "(" + number + ")"
	}
	return number
}
