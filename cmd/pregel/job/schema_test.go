package job_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"gopregel/cmd/pregel/job"
	"gopregel/programs"
)

// sourceOnly are the archives whose errors are of how the file is written, or
// of what a schema cannot say: it sees values, not their spelling.
var sourceOnly = []string{"aliases", "checkpoint-none", "documents", "duplicate", "empty", "generate-sum", "kernel-values", "names", "numbers", "tags",
	"trace-path", "trace-relaxed", "trace-sample"}

func loadSchema(t testing.TB, list []programs.Entry) map[string]any {
	t.Helper()
	s, err := job.Schema(list)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// The schema and the parser accept the same jobs.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	v := validator{root: loadSchema(t, list())}
	corpus := map[string]string{"everything": everything}
	files, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !slices.Contains(sourceOnly, name) && !strings.HasPrefix(name, "syntax") && !strings.HasPrefix(name, "set") {
			corpus[name] = string(archive.Files[0].Data)
		}
	}
	lines, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		corpus[fmt.Sprintf("corpus.txt:%d", i+1)] = line
	}
	accepted := 0
	for name, text := range corpus {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, parserError := parse(text)
		schemaError := v.check(v.root, value, "")
		if (parserError == nil) != (schemaError == nil) {
			t.Errorf("%s:\n%s\nparser: %v\nschema: %v", name, text, parserError, schemaError)
		}
		if parserError == nil {
			accepted++
		}
	}
	if accepted < 15 || len(corpus)-accepted < 40 {
		t.Errorf("%d of %d jobs are accepted: the corpus is lopsided", accepted, len(corpus))
	}
}

// A schema for one program alone has its parameters in place.
func TestSchemaOfOne(t *testing.T) {
	t.Parallel()
	v := validator{root: loadSchema(t, list()[1:])}
	for text, good := range map[string]bool{
		"{program: walk, graph: {path: g.txt}, params: {source: 1}}":              true,
		"{program: walk, graph: {path: g.txt}}":                                   false,
		"{program: walk, graph: {path: g.txt}, params: {source: 1, unknown: 2}}":  false,
		"{program: count, graph: {path: g.txt}, params: {source: 1}}":             false,
		"{program: walk, graph: {path: g.txt}, params: {source: 1, chance: 0}}":   false,
		"{program: walk, graph: {path: g.txt}, params: {source: a, chance: 1.0}}": true,
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := v.check(v.root, value, ""); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The built-in programs have a schema, with documentation for every key.
func TestSchemaDocumented(t *testing.T) {
	t.Parallel()
	var walk func(path string, s map[string]any)
	walk = func(path string, s map[string]any) {
		for name, p := range asMap(s["properties"]) {
			if p, ok := p.(map[string]any); ok {
				if p["description"] == nil && p["$ref"] == nil && p["const"] == nil && p["enum"] == nil {
					t.Errorf("%s.%s has no description", path, name)
				}
				walk(path+"."+name, p)
			}
		}
	}
	schema := loadSchema(t, programs.All())
	walk("", schema)
	for name, s := range asMap(schema["$defs"]) {
		walk(name, asMap(s))
	}
}

func asMap(x any) map[string]any {
	m, _ := x.(map[string]any)
	return m
}

// A validator checks values by the part of JSON Schema that our schema uses. It
// fails on keywords that it does not know.
type validator struct{ root map[string]any }

func (v validator) check(schema, value any, path string) error {
	if b, ok := schema.(bool); ok {
		if !b {
			return fmt.Errorf("%s: not allowed", path)
		}
		return nil
	}
	s := schema.(map[string]any)
	for keyword, arg := range s {
		rule, ok := rules[keyword]
		if !ok {
			return fmt.Errorf("%s: unknown keyword %s", path, keyword)
		}
		if rule == nil {
			continue
		}
		if err := rule(v, s, arg, value, path); err != nil {
			return err
		}
	}
	return nil
}

type rule func(v validator, s map[string]any, arg, value any, path string) error

var rules map[string]rule

// The table is filled in TestMain: its functions refer to it.
func TestMain(m *testing.M) {
	rules = map[string]rule{
		"$schema": nil, "title": nil, "description": nil, "default": nil, "$comment": nil, "$defs": nil, "then": nil,
		"additionalProperties": nil, // with properties
		"type":                 checkType, "properties": checkProperties, "required": checkRequired,
		"enum": checkEnum, "const": checkConst, "$ref": checkRef, "if": checkIf,
		"anyOf": checkCount, "oneOf": checkOne, "allOf": checkAll,
		"minProperties": func(_ validator, _ map[string]any, arg, value any, path string) error {
			if object, ok := value.(map[string]any); ok && float64(len(object)) < arg.(float64) {
				return fmt.Errorf("%s: too few keys", path)
			}
			return nil
		},
		"propertyNames":    checkNames,
		"pattern":          checkPattern,
		"minimum":          compare(func(x, bound float64) bool { return x >= bound }),
		"maximum":          compare(func(x, bound float64) bool { return x <= bound }),
		"exclusiveMinimum": compare(func(x, bound float64) bool { return x > bound }),
		"exclusiveMaximum": compare(func(x, bound float64) bool { return x < bound }),
		"minLength": func(_ validator, _ map[string]any, arg, value any, path string) error {
			if text, ok := value.(string); ok && float64(len([]rune(text))) < arg.(float64) {
				return fmt.Errorf("%s: too short", path)
			}
			return nil
		},
	}
	os.Exit(m.Run())
}

func number(value any) (float64, bool) {
	r := reflect.ValueOf(value)
	switch {
	case value == nil:
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

func compare(ok func(x, bound float64) bool) rule {
	return func(_ validator, _ map[string]any, arg, value any, path string) error {
		if x, isNumber := number(value); isNumber && !ok(x, arg.(float64)) {
			return fmt.Errorf("%s: %v is beyond %v", path, x, arg)
		}
		return nil
	}
}

func checkType(_ validator, _ map[string]any, arg, value any, path string) error {
	x, isNumber := number(value)
	ok := false
	switch arg {
	case "object":
		_, ok = value.(map[string]any)
	case "string":
		_, ok = value.(string)
	case "boolean":
		_, ok = value.(bool)
	case "number":
		ok = isNumber
	case "integer":
		ok = isNumber && x == float64(int64(x)) || isNumber && reflect.ValueOf(value).CanUint()
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %v", path, value, arg)
	}
	return nil
}

func checkProperties(v validator, s map[string]any, arg, value any, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	known := arg.(map[string]any)
	for name, inner := range object {
		if p, ok := known[name]; ok {
			if err := v.check(p, inner, path+"."+name); err != nil {
				return err
			}
		} else if s["additionalProperties"] == false {
			return fmt.Errorf("%s.%s: unknown", path, name)
		} else if rest, ok := s["additionalProperties"].(map[string]any); ok {
			if err := v.check(rest, inner, path+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkNames(_ validator, _ map[string]any, arg, value any, path string) error {
	object, _ := value.(map[string]any)
	form := regexp.MustCompile(asMap(arg)["pattern"].(string))
	for name := range object {
		if !form.MatchString(name) {
			return fmt.Errorf("%s: the name %q", path, name)
		}
	}
	return nil
}

func checkPattern(_ validator, _ map[string]any, arg, value any, path string) error {
	if text, ok := value.(string); ok && !regexp.MustCompile(arg.(string)).MatchString(text) {
		return fmt.Errorf("%s: %q does not match %s", path, text, arg)
	}
	return nil
}

func checkRequired(_ validator, _ map[string]any, arg, value any, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	for _, name := range arg.([]any) {
		if _, ok := object[name.(string)]; !ok {
			return fmt.Errorf("%s.%s: missing", path, name)
		}
	}
	return nil
}

func checkEnum(_ validator, _ map[string]any, arg, value any, path string) error {
	if !slices.Contains(arg.([]any), value) {
		return fmt.Errorf("%s: %v is none of %v", path, value, arg)
	}
	return nil
}

func checkConst(_ validator, _ map[string]any, arg, value any, path string) error {
	if arg != value {
		return fmt.Errorf("%s: %v is not %v", path, value, arg)
	}
	return nil
}

func checkRef(v validator, _ map[string]any, arg, value any, path string) error {
	name, ok := strings.CutPrefix(arg.(string), "#/$defs/")
	target := asMap(v.root["$defs"])[name]
	if !ok || target == nil {
		return fmt.Errorf("%s: dangling reference %v", path, arg)
	}
	return v.check(target, value, path)
}

func checkIf(v validator, s map[string]any, arg, value any, path string) error {
	if v.check(arg, value, path) != nil {
		return nil
	}
	return v.check(s["then"], value, path)
}

func matches(v validator, arg, value any, path string) (count int, last error) {
	for _, s := range arg.([]any) {
		if err := v.check(s, value, path); err == nil {
			count++
		} else {
			last = err
		}
	}
	return count, last
}

func checkAll(v validator, _ map[string]any, arg, value any, path string) error {
	_, err := matches(v, arg, value, path)
	return err
}

func checkCount(v validator, _ map[string]any, arg, value any, path string) error {
	if n, err := matches(v, arg, value, path); n == 0 {
		return err
	}
	return nil
}

func checkOne(v validator, _ map[string]any, arg, value any, path string) error {
	if n, _ := matches(v, arg, value, path); n != 1 {
		return fmt.Errorf("%s: %d alternatives match, want 1", path, n)
	}
	return nil
}
