package kernels

import "strings"

// A token is a word, a string or a sign of a source.
type token struct {
	text string
	line int // of the expanded source, from 0
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// scanner cuts a source into tokens, leaving out comments and the lines of the
// preprocessor.
type scanner struct {
	text   string
	at     int
	line   int
	fresh  bool // nothing but blanks so far on this line
	tokens []token
}

func scan(lines []string) []token {
	s := &scanner{text: strings.Join(lines, "\n") + "\n", fresh: true}
	for s.at < len(s.text) {
		s.step()
	}
	return s.tokens
}

func (s *scanner) step() {
	c := s.text[s.at]
	switch {
	case c == '\n':
		s.advance(1)
		s.fresh = true
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		s.at++
	case c == '\\' && s.at+1 < len(s.text) && s.text[s.at+1] == '\n':
		s.advance(2)
	case c == '#' && s.fresh:
		s.directive()
	case strings.HasPrefix(s.text[s.at:], "//"):
		s.restOfLine()
	case strings.HasPrefix(s.text[s.at:], "/*"):
		end := strings.Index(s.text[s.at+2:], "*/")
		if end < 0 {
			end = len(s.text) - s.at - 4
		}
		s.advance(max(end, 0) + 4)
	default:
		s.fresh = false
		s.token(c)
	}
}

// advance passes over n bytes and counts the lines in them.
func (s *scanner) advance(n int) {
	end := min(s.at+n, len(s.text))
	s.line += strings.Count(s.text[s.at:end], "\n")
	s.at = end
}

// restOfLine passes over a line and those that continue it.
func (s *scanner) restOfLine() {
	for {
		n := strings.IndexByte(s.text[s.at:], '\n')
		if n < 0 {
			s.at = len(s.text)
			return
		}
		if n == 0 || s.text[s.at+n-1] != '\\' {
			s.at += n
			return
		}
		s.advance(n + 1)
	}
}

// directive passes over a directive; a comment that begins in it may go on.
func (s *scanner) directive() {
	for s.at < len(s.text) {
		switch rest := s.text[s.at:]; {
		case strings.HasPrefix(rest, "//"):
			s.restOfLine()
			return
		case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "\\\n"):
			s.step()
		case rest[0] == '"':
			s.at += quoted(rest)
		case rest[0] == '\n':
			return
		default:
			s.at++
		}
	}
}

func (s *scanner) token(c byte) {
	rest := s.text[s.at:]
	n := 1
	switch {
	case c == '"' || c == '\'':
		n = quoted(rest)
	case isWord(c):
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
	}
	s.tokens = append(s.tokens, token{rest[:n], s.line})
	s.advance(n)
}

// quoted returns the length of the string or character that s begins with; it
// ends at its line's end at the latest.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}
