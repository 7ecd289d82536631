package job

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A document is a job file as a tree, with what is wrong with it.
type document struct {
	name  string // for messages
	dir   string
	root  *yaml.Node
	flags map[*yaml.Node]string // nodes that come from --set, with its argument
	at    map[string]place      // where the values of keys stand
	errs  Errors

	fields []Field // of the job, for hints
}

func newDocument(name string) *document {
	return &document{name: name, flags: map[*yaml.Node]string{}, at: map[string]place{}}
}

// read parses the text. The root is nil when there is none.
func (d *document) read(text []byte) {
	in := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	switch err := in.Decode(&first); {
	case err == io.EOF:
		return
	case err != nil:
		d.syntax(err)
		return
	}
	switch err := in.Decode(&second); {
	case err == nil:
		d.fail(&second, "", "a second document begins here, allowed: one job in a file")
	case err != io.EOF:
		d.syntax(err)
	}
	if len(first.Content) > 0 {
		d.root = first.Content[0]
	}
}

var syntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// withoutPlace are the YAML parser's messages that never name a line; others do
// not on the first.
var withoutPlace = regexp.MustCompile(`^(unknown anchor|control characters|invalid |incomplete |input error)`)

// syntax makes an error of what the YAML parser says. It counts lines from 0 in
// some of its messages.
func (d *document) syntax(err error) {
	at, problem := place{file: d.name}, err.Error()
	if m := syntaxError.FindStringSubmatch(problem); m != nil {
		at.line, _ = strconv.Atoi(m[1])
		problem = m[2]
		if at.line == 0 && !withoutPlace.MatchString(problem) || strings.HasPrefix(problem, "did not find expected") {
			at.line++
		}
	}
	d.errs = append(d.errs, &Error{at: at, Problem: "this is not YAML: " + problem})
}

// place tells where a node was written.
func (d *document) place(n *yaml.Node) place {
	if n == nil {
		return place{file: d.name}
	}
	if flag, ok := d.flags[n]; ok {
		return place{flag: flag}
	}
	return place{file: d.name, line: n.Line, column: n.Column}
}

func (d *document) fail(n *yaml.Node, field, problem string) {
	d.errs = append(d.errs, &Error{d.place(n), field, problem})
}

// scalarAt returns the text of a scalar at the top, "" when there is none.
func (d *document) scalarAt(name string) string {
	if d.root == nil || d.root.Kind != yaml.MappingNode {
		return ""
	}
	i := index(d.root, name)
	if i < 0 || follow(d.root.Content[i+1]).Kind != yaml.ScalarNode {
		return ""
	}
	return follow(d.root.Content[i+1]).Value
}

// An entry is a key of a mapping with its value.
type entry struct {
	name       string
	key, value *yaml.Node
	where      *yaml.Node // value before an alias was followed
}

// entries returns the entries of a mapping, having reported keys that are no
// names, or not the first of theirs.
func (d *document) entries(path string, n *yaml.Node) []entry {
	var list []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		e := entry{key.Value, key, follow(value), value}
		field := join(path, e.name)
		switch {
		case key.Kind != yaml.ScalarNode:
			d.fail(key, path, "found "+describeNode(key)+" as a key, allowed: a name")
			continue
		case key.Tag == "!!merge":
			d.fail(key, field, "merge keys are not allowed: write the keys out")
			continue
		}
		if first := seen(list, e.name); first != nil {
			d.fail(key, field, "given twice, first at line "+strconv.Itoa(first.key.Line))
			continue
		}
		list = append(list, e)
	}
	return list
}

func seen(list []entry, name string) *entry {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// follow goes from an alias to what it stands for.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// err returns the errors found, in order, or nil.
func (d *document) err() error {
	if len(d.errs) == 0 {
		return nil
	}
	d.errs.sort()
	return d.errs
}

// plainScalar makes a node of a word from the command line; the empty one is
// null.
func plainScalar(text string) *yaml.Node {
	if text == "" {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err == nil && len(doc.Content) == 1 {
		n := doc.Content[0]
		whole := n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == text && n.Anchor == ""
		quoted := n.Style == yaml.DoubleQuotedStyle || n.Style == yaml.SingleQuotedStyle
		flow := n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle != 0
		if (whole || quoted || flow) && doc.HeadComment+doc.FootComment+n.LineComment+n.HeadComment+n.FootComment == "" {
			return n
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

var errNoValue = errors.New("want key=value, such as params.damping=0.9")
