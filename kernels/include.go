package kernels

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// expander puts headers in the place of the directives that include them.
type expander struct {
	out   []string
	at    []Position // of the lines of out
	taken map[string]bool
}

// Expand returns a source with the embedded headers that it includes put in,
// each once. Name stands for the source in the compiler's messages.
func Expand(name, text string) (string, error) {
	lines, _, err := expand(name, text)
	return strings.Join(lines, "\n") + "\n", err
}

func expand(name, text string) ([]string, []Position, error) {
	if name == "" || strings.ContainsFunc(name, unicode.IsControl) {
		return nil, nil, fmt.Errorf("kernels: %q is no name of a source", name)
	}
	x := &expander{taken: make(map[string]bool)}
	err := x.file(name, text)
	return x.out, x.at, err
}

func (x *expander) emit(line string, at Position) {
	x.out, x.at = append(x.out, line), append(x.at, at)
}

// file puts in a file. #pragma once is left out: the compiler would warn about
// it outside of a header, and every header is put in once.
func (x *expander) file(name, text string) error {
	at := Position{name, 1}
	x.emit(lineDirective(at), at)
	depth, comment, spliced := 0, false, false
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		var words []string
		if !spliced {
			words = directive(line, comment)
		}
		comment = commentAfter(line, comment)
		spliced = strings.HasSuffix(line, `\`)
		next := Position{at.File, at.Line + 1}
		switch word(words, 0) {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		case "line":
			if told, ok := told(words, at.File); ok {
				next = told
			}
		}
		switch {
		case word(words, 0) == "include":
			if err := x.include(words, at, depth); err != nil {
				return err
			}
			x.emit(lineDirective(next), next)
		case word(words, 0) == "pragma" && word(words, 1) == "once":
			x.emit("", at)
		default:
			x.emit(line, at)
		}
		at = next
	}
	return nil
}

func (x *expander) include(words []string, at Position, depth int) error {
	what := strings.Join(words[1:], " ")
	name, ok := strings.CutPrefix(what, `"`)
	name, closed := strings.CutSuffix(name, `"`)
	switch {
	case strings.HasPrefix(what, "<"):
		return &Error{at, fmt.Sprintf("#include %s: there are no system headers here; the headers are %s", what, list(headers()))}
	case !ok || !closed:
		return &Error{at, fmt.Sprintf(`#include %s: want #include "NAME.cuh"`, what)}
	case depth > 0:
		return &Error{at, fmt.Sprintf("#include %s within #if: put it before; headers are put in once, whatever the condition", what)}
	case x.taken[name]:
		return nil
	}
	text, err := header(name)
	if err != nil {
		return &Error{at, err.Error()}
	}
	x.taken[name] = true
	return x.file(name, text)
}

// directive splits a preprocessor's line into words; nil when it is none.
func directive(line string, comment bool) []string {
	if comment {
		return nil
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	if !ok {
		return nil
	}
	if i := strings.Index(rest, "//"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.Index(rest, "/*"); i >= 0 {
		rest = rest[:i]
	}
	// #include"x" needs no blank.
	if i := strings.IndexAny(rest, `"<`); i >= 0 {
		rest = rest[:i] + " " + rest[i:]
	}
	return strings.Fields(rest)
}

func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// commentAfter tells whether a /* comment is open at the end of a line.
func commentAfter(line string, open bool) bool {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		pair := line[i:min(i+2, len(line))]
		switch {
		case open:
			if pair == "*/" {
				open = false
				i++
			}
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case pair == "//":
			return false
		case pair == "/*":
			open = true
			i++
		case c == '"' || c == '\'':
			quote = c
		}
	}
	return open
}

// told reads #line N "file".
func told(words []string, file string) (Position, bool) {
	line, err := strconv.Atoi(word(words, 1))
	if err != nil || line < 0 {
		return Position{}, false
	}
	if name := strings.Join(words[min(2, len(words)):], " "); len(name) > 2 {
		file = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(strings.Trim(name, `"`))
	}
	return Position{file, line}, true
}

func lineDirective(p Position) string {
	return fmt.Sprintf(`#line %d "%s"`, p.Line, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.File))
}
