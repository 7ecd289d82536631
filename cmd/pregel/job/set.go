package job

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"gopregel/cmd/pregel/output"
)

// apply makes the changes of --set and --output to the tree.
func (d *document) apply(o Options) error {
	for _, arg := range o.Set {
		if !utf8.ValidString(arg) {
			return fmt.Errorf("--set %q: is not UTF-8", arg)
		}
		key, text, ok := strings.Cut(arg, "=")
		if path := strings.Split(key, "."); !ok || slices.Contains(path, "") {
			return fmt.Errorf("--set %s: %w", arg, errNoValue)
		} else if len(d.errs) == 0 {
			d.set("--set "+arg, path, plainScalar(text))
		}
	}
	if o.Output == "" || len(d.errs) > 0 {
		return nil
	}
	if !utf8.ValidString(o.Output) {
		return fmt.Errorf("--output %q: is not UTF-8", o.Output)
	}
	arg := "--output " + o.Output
	d.set(arg, []string{"output", "path"}, textNode(o.Output))
	if _, _, err := output.FormatOf(o.Output); err == nil { // it tells the format, whatever the job says
		d.set(arg, []string{"output", "format"}, plainScalar(""))
	}
	return nil
}

// set puts a value at the place named by path, making the mappings on the way.
// A null takes away what is there.
func (d *document) set(arg string, path []string, value *yaml.Node) {
	remove := value.Kind == yaml.ScalarNode && isNull(value)
	d.mark(value, arg)
	if d.root == nil || isNull(d.root) {
		d.root = d.mapping(arg)
	}
	at := d.root
	for i, name := range path {
		if at.Kind != yaml.MappingNode {
			d.errs = append(d.errs, &Error{place{flag: arg}, strings.Join(path[:i], "."), "is " + describeNode(at) + " in the job file, not a mapping"})
			return
		}
		k := index(at, name)
		switch last := i == len(path)-1; {
		case remove && k < 0:
			return
		case remove && last:
			at.Content = append(at.Content[:k:k], at.Content[k+2:]...)
			return
		case k < 0:
			key := d.mark(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, arg)
			at.Content = append(at.Content, key, d.mapping(arg))
			k = len(at.Content) - 2
			fallthrough
		default:
			if last {
				at.Content[k+1] = value
				return
			}
			if isNull(at.Content[k+1]) {
				at.Content[k+1] = d.mapping(arg)
			}
			at.Content[k+1] = d.copied(at.Content[k+1])
			at = at.Content[k+1]
		}
	}
}

// copied returns a copy, one level deep, that may be changed without changing
// what an alias elsewhere stands for.
func (d *document) copied(n *yaml.Node) *yaml.Node {
	c := *follow(n)
	c.Content = slices.Clone(c.Content)
	if arg, ok := d.flags[n]; ok {
		d.flags[&c] = arg
	}
	return &c
}

func index(n *yaml.Node, name string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return i
		}
	}
	return -1
}

func (d *document) mapping(arg string) *yaml.Node {
	return d.mark(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, arg)
}

// mark notes that a tree comes from the command line.
func (d *document) mark(n *yaml.Node, arg string) *yaml.Node {
	d.flags[n] = arg
	for _, c := range n.Content {
		d.mark(c, arg)
	}
	return n
}
