package kernels

import (
	"fmt"
	"slices"
	"strings"
)

// parser finds the entry points among the tokens of a source.
type parser struct {
	tokens  []token
	at      []Position // of lines
	structs map[string]bool
	entries []Entry
}

// Parse reads a source that has entry points. What stands within #if is read
// whatever the condition.
func Parse(name, text string) (Source, error) {
	s, err := ParseFunctions(name, text)
	if err == nil && len(s.Entries) == 0 {
		err = &Error{Position{name, 1}, `no entry point: want extern "C" __global__ void NAME(...)`}
	}
	return s, err
}

// ParseFunctions reads a source that need not have entry points: one of device
// functions, to be placed into a template.
func ParseFunctions(name, text string) (Source, error) {
	lines, at, err := expand(name, text)
	if err != nil {
		return Source{}, err
	}
	p := &parser{tokens: scan(lines), at: at, structs: make(map[string]bool)}
	if err := p.parse(); err != nil {
		return Source{}, err
	}
	return Source{Name: name, Text: strings.Join(lines, "\n") + "\n", Entries: p.entries}, nil
}

func (p *parser) text(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].text
}

func (p *parser) errorAt(i int, format string, args ...any) error {
	line := len(p.at) - 1
	if i < len(p.tokens) {
		line = min(p.tokens[i].line, line)
	}
	return &Error{p.at[line], fmt.Sprintf(format, args...)}
}

// parse goes through the tokens. Braces opened by extern "C" { are told from
// others, since all declarations within are extern "C".
func (p *parser) parse() error {
	var linkage []bool // of the open braces
	for i := 0; i < len(p.tokens); i++ {
		switch p.text(i) {
		case "{":
			linkage = append(linkage, p.text(i-1) == `"C"` && p.text(i-2) == "extern")
		case "}":
			linkage = linkage[:max(len(linkage)-1, 0)]
		case "struct", "union":
			p.structs[p.text(i+1)] = true
		case "__global__":
			end, err := p.kernel(i, slices.Contains(linkage, true))
			if err != nil {
				return err
			}
			i = end
		}
	}
	return nil
}

// kernel reads the declaration of a kernel around __global__ at place i, and
// returns the place of the parenthesis that closes its parameters.
func (p *parser) kernel(i int, inC bool) (int, error) {
	first := i
	for first > 0 && !slices.Contains([]string{";", "{", "}"}, p.text(first-1)) {
		first--
	}
	before := p.tokens[first:i]
	c := inC || p.text(first) == "extern" && p.text(first+1) == `"C"`
	open, returns, err := p.head(i + 1)
	if err != nil {
		return 0, err
	}
	name := p.text(open - 1)
	closing := p.closing(open)
	if closing < 0 {
		return 0, p.errorAt(open, "the parameters of kernel %s have no closing parenthesis", name)
	}
	isTemplate := slices.ContainsFunc(before, func(t token) bool { return t.text == "template" })
	returns = returns || slices.ContainsFunc(before, func(t token) bool { return t.text == "void" })
	switch {
	case isTemplate || p.text(closing+1) == ";":
		return closing, nil
	case !c:
		return 0, p.errorAt(i, `kernel %s is not extern "C", so it could not be found by its name`, name)
	case !returns:
		return 0, p.errorAt(i, "kernel %s does not return void", name)
	}
	return closing, p.add(name, open, closing)
}

// head finds the parenthesis that opens the parameters, after __launch_bounds__
// and the like, and tells whether void came before it.
func (p *parser) head(i int) (open int, void bool, err error) {
	for from := i; i < len(p.tokens); i++ {
		switch t := p.text(i); {
		case t == "void":
			void = true
		case t == "(" && i > from && p.text(i-1) != "void" && isName(p.text(i-1)) && !strings.HasPrefix(p.text(i-1), "__"):
			return i, void, nil
		case t == "(":
			if i = p.closing(i); i < 0 {
				return 0, false, p.errorAt(from, "__launch_bounds__ without a closing parenthesis")
			}
		case !isName(t):
			return 0, false, p.errorAt(i, "%q after __global__, want void NAME(...)", t)
		}
	}
	return 0, false, p.errorAt(i, "the source ends after __global__, want void NAME(...)")
}

func isName(s string) bool { return s != "" && isWord(s[0]) && (s[0] < '0' || s[0] > '9') }

// closing finds the parenthesis that closes the one at place i; -1: none.
func (p *parser) closing(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		switch p.text(i) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (p *parser) add(name string, open, closing int) error {
	e := Entry{Name: name, At: p.at[p.tokens[open].line]}
	for _, old := range p.entries {
		if old.Name == name {
			return p.errorAt(open, "a second entry point %s; the first is at %s", name, old.At)
		}
	}
	for from := open + 1; from < closing || from == closing && len(e.Params) > 0; {
		to := p.comma(from, closing)
		param, err := p.param(name, from, to, len(e.Params)+1)
		if err != nil {
			return err
		}
		if to == closing && len(e.Params) == 0 && param.Type == "void" {
			break
		}
		e.Params = append(e.Params, param)
		if from = to + 1; to == closing {
			break
		}
	}
	p.entries = append(p.entries, e)
	return nil
}

// comma finds the end of the parameter that begins at place i.
func (p *parser) comma(i, closing int) int {
	depth := 0
	for ; i < closing; i++ {
		switch p.text(i) {
		case "(", "<", "[", "{":
			depth++
		case ")", ">", "]", "}":
			depth--
		case ",":
			if depth <= 0 {
				return i
			}
		}
	}
	return closing
}

// scalars are the types of numbers that can be passed.
var scalars = []string{"u32", "u64", "i32", "i64", "float", "double", "Offset",
	"int", "unsigned", "unsigned int", "long long", "unsigned long long"}

var qualifiers = []string{"const", "volatile", "__restrict__", "__restrict", "__grid_constant__", "struct"}

// param reads the parameter between two places.
func (p *parser) param(kernel string, from, to, number int) (Param, error) {
	var words []string
	for i := from; i < to; i++ {
		words = append(words, p.text(i))
	}
	if strings.Join(words, "") == "void" {
		return Param{Type: "void"}, nil
	}
	pointer := slices.Contains(words, "*")
	if n := slices.Index(words, "["); n >= 0 {
		pointer, words = true, append(words[:n:n], "*")
		if n > 0 {
			words[n-1], words[n] = "*", words[n-1]
		}
	}
	base := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(qualifiers, w) })
	name := ""
	if n := len(base); n > 1 && isName(base[n-1]) && !slices.Contains(scalars, strings.Join(base, " ")) {
		name, base = base[n-1], base[:n-1]
		words = words[:slices.Index(words, name)]
	}
	plain := strings.Join(base, " ")
	if !pointer && !slices.Contains(scalars, plain) && !p.structs[plain] {
		return Param{}, p.errorAt(from, "kernel %s: parameter %d, %q, is of type %q, want a pointer, a struct of this source, or one of %s",
			kernel, number, strings.TrimSpace(plain+" "+name), plain, strings.Join(scalars[:7], ", "))
	}
	if pointer && slices.Contains(base, "&") {
		return Param{}, p.errorAt(from, "kernel %s: parameter %d is a reference, want a pointer", kernel, number)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "__restrict__" || w == "__restrict" || w == "__grid_constant__" })
	return Param{Type: strings.Join(words, " "), Name: name}, nil
}
