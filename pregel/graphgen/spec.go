package graphgen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Spec names a graph: the kind of generator and its parameters, which are
// those that Kinds lists for it. A zero field takes the parameter's default; a
// field that the kind does not have must stay zero. The names in a job file
// are those of the tags.
type Spec struct {
	Kind       string  `json:"kind" yaml:"kind"`
	Scale      int     `json:"scale,omitempty" yaml:"scale,omitempty"`
	EdgeFactor int     `json:"edge_factor,omitempty" yaml:"edge_factor,omitempty"`
	A          float64 `json:"a,omitempty" yaml:"a,omitempty"`
	B          float64 `json:"b,omitempty" yaml:"b,omitempty"`
	C          float64 `json:"c,omitempty" yaml:"c,omitempty"`
	Noise      float64 `json:"noise,omitempty" yaml:"noise,omitempty"`
	Permute    bool    `json:"permute,omitempty" yaml:"permute,omitempty"`
	N          int     `json:"n,omitempty" yaml:"n,omitempty"`
	Rows       int     `json:"rows,omitempty" yaml:"rows,omitempty"`
	Cols       int     `json:"cols,omitempty" yaml:"cols,omitempty"`
	Orient     string  `json:"orient,omitempty" yaml:"orient,omitempty"`
	Seed       uint64  `json:"seed,omitempty" yaml:"seed,omitempty"`
}

// at returns a pointer to the field of the named parameter, nil for a name
// that no kind has.
func (s *Spec) at(name string) any {
	switch name {
	case "scale":
		return &s.Scale
	case "edge_factor":
		return &s.EdgeFactor
	case "a":
		return &s.A
	case "b":
		return &s.B
	case "c":
		return &s.C
	case "noise":
		return &s.Noise
	case "permute":
		return &s.Permute
	case "n":
		return &s.N
	case "rows":
		return &s.Rows
	case "cols":
		return &s.Cols
	case "orient":
		return &s.Orient
	case "seed":
		return &s.Seed
	}
	return nil
}

var names = []string{"scale", "edge_factor", "a", "b", "c", "noise", "permute", "n", "rows", "cols", "orient", "seed"}

// text writes a field's value as a job file would; zero tells whether the
// field is unset.
func text(field any) (value string, zero bool) {
	switch p := field.(type) {
	case *int:
		return strconv.Itoa(*p), *p == 0
	case *uint64:
		return strconv.FormatUint(*p, 10), *p == 0
	case *float64:
		return strconv.FormatFloat(*p, 'g', -1, 64), *p == 0
	case *bool:
		return strconv.FormatBool(*p), !*p
	case *string:
		return *p, *p == ""
	}
	return "", true
}

// A FieldError says which field of a Spec is wrong, what was found there and
// what is allowed.
type FieldError struct {
	Field   string // as in a job file: "kind", "scale", …
	Found   string // "" when it is missing
	Allowed string
}

func (e *FieldError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("generate: %s is missing: %s", e.Field, e.Allowed)
	}
	return fmt.Sprintf("generate: %s: found %s, allowed: %s", e.Field, e.Found, e.Allowed)
}

// Parse makes a Spec of parameters written as text, as a job file or a command
// line has them. Unlike a Spec made in Go, it tells a parameter that is given
// as zero from one that is not given.
func Parse(kind string, params map[string]string) (Spec, error) {
	s := Spec{Kind: kind}
	k, err := lookup(kind)
	if err != nil {
		return s, err
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if _, ok := k.param(name); !ok {
			return s, k.unknown(name, params[name])
		}
	}
	for _, p := range k.Params {
		value, ok := params[p.Name]
		if !ok {
			continue
		}
		if !p.parse(s.at(p.Name), value) {
			return s, &FieldError{Field: p.Name, Found: quoted(value), Allowed: p.allowed()}
		}
	}
	return s, s.Validate()
}

func quoted(value string) string {
	if value == "" {
		return `""`
	}
	return value
}

// parse sets a field. Numbers must be written plainly and be in range.
func (p Param) parse(field any, value string) bool {
	var err error
	switch f := field.(type) {
	case *int:
		*f, err = strconv.Atoi(value)
	case *uint64:
		*f, err = strconv.ParseUint(value, 10, 64)
	case *float64:
		*f, err = strconv.ParseFloat(value, 64)
		return err == nil && p.inRange(field)
	case *bool:
		*f = value == "true"
	case *string:
		*f = value
	}
	plain, _ := text(field)
	return err == nil && plain == value && p.inRange(field)
}

func (p Param) inRange(field any) bool {
	switch f := field.(type) {
	case *int:
		return float64(*f) >= p.Min && float64(*f) <= p.Max
	case *float64:
		return *f >= p.Min && *f <= p.Max
	case *string:
		return slices.Contains(p.Enum, *f)
	}
	return true
}

// Validate reports the first field that is out of range, missing, or not a
// parameter of the kind.
func (s Spec) Validate() error {
	k, err := lookup(s.Kind)
	if err != nil {
		return err
	}
	for _, name := range names {
		value, zero := text(s.at(name))
		p, ok := k.param(name)
		switch {
		case !ok && !zero:
			return k.unknown(name, value)
		case !ok:
		case zero && p.required:
			return &FieldError{Field: name, Allowed: p.allowed()}
		case !zero && !p.inRange(s.at(name)):
			return &FieldError{Field: name, Found: value, Allowed: p.allowed()}
		}
	}
	if k.check != nil {
		return k.check(s)
	}
	return nil
}

// kind returns the table's entry of a valid Spec.
func (s Spec) kind() Kind {
	k, _ := lookup(s.Kind)
	return k
}

func (s Spec) withDefaults() Spec {
	for _, p := range s.kind().Params {
		if _, zero := text(s.at(p.Name)); zero && p.Default != "" {
			p.parse(s.at(p.Name), p.Default)
		}
	}
	return s
}

// String writes the kind and all its parameters, given or not.
func (s Spec) String() string {
	k, err := lookup(s.Kind)
	if err != nil {
		return s.Kind
	}
	s = s.withDefaults()
	words := []string{s.Kind}
	for _, p := range k.Params {
		if value, zero := text(s.at(p.Name)); !zero || p.Default != "" {
			words = append(words, p.Name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

func lookup(name string) (Kind, error) {
	var all []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		all = append(all, k.Name)
	}
	e := &FieldError{Field: "kind", Allowed: strings.Join(all, ", ")}
	if name != "" {
		e.Found = name
	}
	return Kind{}, e
}

func (k Kind) param(name string) (Param, bool) {
	i := slices.IndexFunc(k.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return k.Params[i], true
}

func (k Kind) unknown(name, value string) error {
	var has []string
	for _, p := range k.Params {
		has = append(has, p.Name)
	}
	allowed := k.Name + " has no parameters"
	if len(has) > 0 {
		allowed = k.Name + " has the parameters " + strings.Join(has, ", ")
	}
	return &FieldError{Field: name, Found: quoted(value), Allowed: allowed}
}
