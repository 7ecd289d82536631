package checkpoint

import (
	"fmt"
	"reflect"
	"strings"
)

// layout writes a type of fixed size as what lies in memory: names of types are left
// out, those of fields stay. Types with pointers have none.
func layout(t reflect.Type) (string, error) {
	switch k := t.Kind(); {
	case k == reflect.Bool, k >= reflect.Int8 && k <= reflect.Int64, k >= reflect.Uint8 && k <= reflect.Uint64,
		k == reflect.Float32, k == reflect.Float64, k == reflect.Complex64, k == reflect.Complex128:
		return k.String(), nil
	case k == reflect.Int, k == reflect.Uint:
		return fmt.Sprintf("%v%d", k, t.Bits()), nil
	case k == reflect.Array:
		element, err := layout(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), element), err
	case k == reflect.Struct:
		return structLayout(t)
	}
	return "", fmt.Errorf("%v is no type of fixed size", t)
}

func structLayout(t reflect.Type) (string, error) {
	var fields []string
	for i := range t.NumField() {
		f := t.Field(i)
		text, err := layout(f.Type)
		if err != nil {
			return "", fmt.Errorf("field %s of %v: %w", f.Name, t, err)
		}
		fields = append(fields, f.Name+" "+text)
	}
	return "struct{" + strings.Join(fields, "; ") + "}", nil
}
