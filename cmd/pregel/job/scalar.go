package job

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Numbers are decimal, without leading zeros, which YAML 1.1 takes for octal.
var (
	wholeForm  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	numberForm = regexp.MustCompile(`^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
)

func plainNumber(text string) bool { return numberForm.MatchString(text) }

// parse returns the value of a scalar as the field's type: a string, int64,
// uint64, float64 or bool.
func (f *Field) parse(n *yaml.Node) (value any, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Style&yaml.TaggedStyle != 0 || isNull(n) {
		return nil, false
	}
	switch f.Type {
	case Boolean:
		return n.Value == "true", !quoted(n) && (n.Value == "true" || n.Value == "false")
	case Integer:
		return f.parseInteger(n)
	case Number:
		return f.parseNumber(n)
	case Interval:
		return parseInterval(n)
	case Vertex:
		return n.Value, n.Value != "" && (isString(n) || wholeForm.MatchString(n.Value) && n.Tag == "!!int")
	}
	return n.Value, n.Value != "" && isString(n) && (f.Form == nil || f.Form.pattern.MatchString(n.Value)) && (len(f.Enum) == 0 || slices.Contains(f.Enum, n.Value))
}

func (f *Field) parseInteger(n *yaml.Node) (any, bool) {
	if quoted(n) || !wholeForm.MatchString(n.Value) {
		return nil, false
	}
	if f.Max != nil && f.Max.Value > math.MaxInt64 { // a uint64
		x, err := strconv.ParseUint(n.Value, 10, 64)
		return x, err == nil && f.admits(float64(x))
	}
	x, err := strconv.ParseInt(n.Value, 10, 64)
	return x, err == nil && f.admits(float64(x))
}

func (f *Field) parseNumber(n *yaml.Node) (any, bool) {
	if quoted(n) || !plainNumber(n.Value) {
		return nil, false
	}
	x, err := strconv.ParseFloat(n.Value, 64)
	return x + 0, err == nil && f.admits(x) // + 0 makes -0 a 0
}

func quoted(n *yaml.Node) bool {
	return n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// isString tells a string; a date is one too, for us.
func isString(n *yaml.Node) bool { return n.Tag == "!!str" || n.Tag == "!!timestamp" }

func isNull(n *yaml.Node) bool { return n.Tag == "!!null" && !quoted(n) }

// formHint says how a whole number in another form, such as 1e3, 0x10 or
// 1_000, is written plainly. A leading zero could mean either of two numbers.
func formHint(text string) string {
	if len(text) > 20 || strings.Contains(text, "p") {
		return ""
	}
	if digits := strings.TrimLeft(text, "-+"); len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return "; write it without the leading zero"
	}
	if i, ok := new(big.Int).SetString(text, 0); ok {
		return "; write it as " + i.String()
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return "; write it as " + strconv.FormatFloat(x, 'f', 0, 64)
	}
	return ""
}

const longest = 60

// describeNode says what was found.
func describeNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	text := n.Value
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	switch {
	case isNull(n) && (text == "" || n.Style&yaml.TaggedStyle != 0):
		return "nothing"
	case n.Style&yaml.TaggedStyle != 0:
		return n.Tag + " " + strconv.Quote(text)
	case quoted(n) || text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }):
		return strconv.Quote(text)
	}
	return text
}
