package graphio

import (
	"io"
	"strings"
)

// Properties are what an LDBC .properties file says of a graph and of the
// parameters of the algorithms that are run on it.
type Properties struct {
	Name       string
	Directed   bool
	VertexFile string            // as written, relative to the file's folder
	EdgeFile   string            // as written; it may wrongly name the vertex file
	Values     map[string]string // by key without "graph.<name>.", as bfs.source-vertex
}

// ReadProperties reads an LDBC .properties file.
func ReadProperties(path string) (Properties, error) {
	t, err := openText(path, defaultBlock, 0, &progress{})
	if err != nil {
		return Properties{}, err
	}
	defer t.close()
	all := map[string]string{}
	for {
		line, err := t.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Properties{}, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' || text[0] == '!' {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return Properties{}, t.fail("%s is not key = value", excerpt(line))
		}
		all[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return propertiesOf(t, all)
}

func propertiesOf(t *text, all map[string]string) (p Properties, err error) {
	const before, after = "graph.", ".vertex-file"
	for key := range all {
		if strings.HasPrefix(key, before) && strings.HasSuffix(key, after) && len(key) > len(before)+len(after) {
			if p.Name != "" {
				return p, t.failAll("there is more than one key graph.<name>.vertex-file")
			}
			p.Name = key[len(before) : len(key)-len(after)]
		}
	}
	if p.Name == "" {
		return p, t.failAll("there is no key graph.<name>.vertex-file")
	}
	p.Values = map[string]string{}
	for key, value := range all {
		p.Values[strings.TrimPrefix(key, before+p.Name+".")] = value
	}
	p.VertexFile, p.EdgeFile = p.Values["vertex-file"], p.Values["edge-file"]
	if p.EdgeFile == "" {
		return p, t.failAll("there is no key graph.%s.edge-file", p.Name)
	}
	switch value := p.Values["directed"]; value {
	case "true":
		p.Directed = true
	case "false":
	default:
		return p, t.failAll("graph.%s.directed is %q, want true or false", p.Name, value)
	}
	return p, nil
}

// weightType returns the type of the weights that the file tells, "" for none.
func (p Properties) weightType() string {
	switch p.Values["edge-properties.types"] {
	case "real":
		return "float32"
	case "integer", "int":
		return "int32"
	}
	return ""
}
