package graphgen_test

import (
	"errors"
	"strings"
	"testing"

	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		spec         graphgen.Spec
		field, found string
	}{
		{graphgen.Spec{}, "kind", ""},
		{graphgen.Spec{Kind: "kroneker", Scale: 3}, "kind", "kroneker"},
		{graphgen.Spec{Kind: "kronecker"}, "scale", ""},
		{graphgen.Spec{Kind: "kronecker", Scale: 32}, "scale", "32"},
		{graphgen.Spec{Kind: "kronecker", Scale: -1}, "scale", "-1"},
		{graphgen.Spec{Kind: "kronecker", Scale: 3, EdgeFactor: -1}, "edge_factor", "-1"},
		{graphgen.Spec{Kind: "kronecker", Scale: 3, N: 8}, "n", "8"},
		{graphgen.Spec{Kind: "kronecker", Scale: 3, A: 0.5}, "a", "0.5"},
		{graphgen.Spec{Kind: "kronecker", Scale: 3, Permute: true}, "permute", "true"},
		{graphgen.Spec{Kind: "rmat", Scale: 3, A: 0.5}, "b", ""},
		{graphgen.Spec{Kind: "rmat", Scale: 3, A: 0.5, B: 0.4, C: 0.2}, "a", "a + b + c = 1.1"},
		{graphgen.Spec{Kind: "rmat", Scale: 3, A: 1.5, B: 0.4, C: 0.2}, "a", "1.5"},
		{graphgen.Spec{Kind: "rmat", Scale: 3, A: -0.5, B: 0.4, C: 0.2}, "a", "-0.5"},
		{graphgen.Spec{Kind: "rmat", Scale: 3, Noise: 0.2}, "noise", "0.2"},
		{graphgen.Spec{Kind: "uniform"}, "scale", ""},
		{graphgen.Spec{Kind: "uniform", Scale: 3, N: 8}, "n", "8"},
		{graphgen.Spec{Kind: "grid", Rows: 3}, "cols", ""},
		{graphgen.Spec{Kind: "grid", Rows: 1 << 20, Cols: 1 << 20}, "rows", "1048576"},
		{graphgen.Spec{Kind: "grid", Rows: 3, Cols: 4, Seed: 1}, "seed", "1"},
		{graphgen.Spec{Kind: "grid", Rows: 3, Cols: 4, Seed: 1, Orient: "ascending"}, "seed", "1"},
		{graphgen.Spec{Kind: "grid", Rows: 3, Cols: 4, Orient: "left"}, "orient", "left"},
		{graphgen.Spec{Kind: "path", N: 3, Orient: "random"}, "orient", "random"},
		{graphgen.Spec{Kind: "cycle", N: 2}, "n", "2"},
		{graphgen.Spec{Kind: "complete", N: 1 << 17}, "n", "131072"},
		{graphgen.Spec{Kind: "karate", N: 34}, "n", "34"},
	} {
		var field *graphgen.FieldError
		err := c.spec.Validate()
		if !errors.As(err, &field) || field.Field != c.field || field.Found != c.found || field.Allowed == "" {
			t.Errorf("%+v: %v", c.spec, err)
		}
		if _, err := graphgen.Generate(t.Context(), c.spec, graphgen.Options{}); !errors.As(err, &field) {
			t.Errorf("%+v generated: %v", c.spec, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ kind, params, want string }{
		{"kronecker", "scale=16", "kronecker scale=16 edge_factor=16 seed=0"},
		{"kronecker", "scale=16 edge_factor=8 seed=18446744073709551615", "kronecker scale=16 edge_factor=8 seed=18446744073709551615"},
		{"rmat", "scale=5 a=0.4 b=.3 c=2e-1 permute=true noise=0", "rmat scale=5 edge_factor=16 a=0.4 b=0.3 c=0.2 noise=0 permute=true seed=0"},
		{"uniform", "n=10", "uniform n=10 edge_factor=16 seed=0"},
		{"karate", "", "karate"},
		{"grid", "rows=3 cols=4", "grid rows=3 cols=4"},
		{"grid", "rows=3 cols=4 orient=random seed=7", "grid rows=3 cols=4 orient=random seed=7"},
		{"grid", "rows=3 cols=4 orient=ascending", "grid rows=3 cols=4 orient=ascending"},
		{"grid", "rows=3 cols=4 orient=down", "generate: orient: found down, allowed: ascending or random or mixed"},
		{"grid", "rows=3 cols=4 seed=7", "generate: seed: found 7, allowed: with orient random or mixed only: no other grid is random"},
		{"kronecker", "", "generate: scale is missing: a whole number from 1 to 31"},
		{"kronecker", "scale=0", "generate: scale: found 0, allowed: a whole number from 1 to 31"},
		{"kronecker", "scale=1.5", "generate: scale: found 1.5, allowed: a whole number from 1 to 31"},
		{"kronecker", "scale=010", "generate: scale: found 010, allowed: a whole number from 1 to 31"},
		{"kronecker", "scale=+3", "generate: scale: found +3, allowed: a whole number from 1 to 31"},
		{"kronecker", "scale=", `generate: scale: found "", allowed: a whole number from 1 to 31`},
		{"kronecker", "scale=5 edge_factor=0", "generate: edge_factor: found 0, allowed: a whole number from 1 to 1048576"},
		{"kronecker", "scale=5 seed=-1", "generate: seed: found -1, allowed: a whole number from 0 to 2^64-1"},
		{"kronecker", "scale=5 seed=18446744073709551616", "generate: seed: found 18446744073709551616, allowed: a whole number from 0 to 2^64-1"},
		{"kronecker", "scal=5", "generate: scal: found 5, allowed: kronecker has the parameters scale, edge_factor, seed"},
		{"rmat", "scale=5 a=NaN b=0.1 c=0.1", "generate: a: found NaN, allowed: a number from 1e-06 to 1"},
		{"rmat", "scale=5 permute=yes", "generate: permute: found yes, allowed: true or false"},
		{"karate", "seed=1", "generate: seed: found 1, allowed: karate has no parameters"},
	} {
		params := map[string]string{}
		for _, word := range strings.Fields(c.params) {
			name, value, _ := strings.Cut(word, "=")
			params[name] = value
		}
		s, err := graphgen.Parse(c.kind, params)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.kind, c.params, got, c.want)
		}
	}
}

// What String writes, Parse reads: the same graph.
func TestStringParses(t *testing.T) {
	for _, c := range race.Some(golden...) {
		words := strings.Fields(c.spec.String())
		params := map[string]string{}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			params[name] = value
		}
		s, err := graphgen.Parse(words[0], params)
		if err != nil {
			t.Errorf("%v: %v", c.spec, err)
			continue
		}
		if a, b := hash(generate(t, s, graphgen.Options{})), hash(generate(t, c.spec, graphgen.Options{})); a != b {
			t.Errorf("%v: parsed, it is another graph", c.spec)
		}
	}
}

func TestKindsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range graphgen.Kinds() {
		if k.Name == "" || k.Doc == "" || seen[k.Name] {
			t.Errorf("kind %+v", k)
		}
		seen[k.Name] = true
		for _, p := range k.Params {
			if p.Name == "" || p.Doc == "" || p.Type == "" || p.Required() && p.Default != "" {
				t.Errorf("%s: parameter %+v", k.Name, p)
			}
		}
	}
}
