package pregel

import (
	"reflect"
	"unicode"
	"unicode/utf8"
)

// names are what traces call the aggregators, in the order in which Setup made them:
// as the fields of the program that hold them. One that no field holds has the name of
// its combiner.
func (s *Setup) names(program any) []string {
	if len(s.aggregators) == 0 {
		return nil
	}
	list := make([]string, len(s.aggregators))
	places := make(map[uintptr]int, len(list))
	for i, a := range s.aggregators {
		list[i] = a.laws().Name
		places[reflect.ValueOf(a).Pointer()] = i
	}
	name := func(field string, v reflect.Value) {
		if i, ok := places[v.Pointer()]; ok {
			first, size := utf8.DecodeRuneInString(field)
			list[i] = string(unicode.ToLower(first)) + field[size:]
		}
	}
	eachPointer(reflect.ValueOf(program), "", name)
	return list
}

// eachPointer calls f for the pointers in a struct, and in those that are fields of it,
// each with the name of its field.
func eachPointer(v reflect.Value, field string, f func(field string, v reflect.Value)) {
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && field == "" {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		f(field, v)
	case reflect.Struct:
		for i := range v.NumField() {
			eachPointer(v.Field(i), v.Type().Field(i).Name, f)
		}
	}
}
