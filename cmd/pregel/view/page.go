package view

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"
)

// A pageData is what the template is filled with.
type pageData struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Form   string
	Data   template.JS
}

// Write writes a page of one or two traces that loads nothing.
func Write(w io.Writer, files ...*File) error {
	size := int64(0)
	for _, f := range files {
		if size += f.size; size > mostBytes {
			return &TooLarge{f.Name, size}
		}
	}
	return write(w, files, false)
}

func write(w io.Writer, files []*File, served bool) error {
	style, err := source.ReadFile("page/style.css")
	if err != nil {
		return err
	}
	script, err := link(modules)
	if err != nil {
		return err
	}
	page := pageData{Title: title(files), Style: template.CSS(style), Script: template.JS(script)}
	page.Policy = policy(string(style), script, served)
	if page.Data, page.Form, err = data(files, served); err != nil {
		return err
	}
	text, err := template.ParseFS(source, "page/page.html")
	if err != nil {
		return err
	}
	return text.Execute(w, page)
}

// policy allows this script and this style and nothing else; a served page may
// also ask its server.
func policy(style, script string, served bool) string {
	connect := "'none'"
	if served {
		connect = "'self'"
	}
	return fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; img-src data:; connect-src %s; base-uri 'none'; form-action 'none'",
		hash(script), hash(style), connect)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func title(files []*File) string {
	var names []string
	for _, f := range files {
		name := f.Header.Program
		if f.Header.Graph.Name != "" {
			name += " on " + path.Base(f.Header.Graph.Name)
		}
		names = append(names, name)
	}
	if len(names) == 2 && names[0] == names[1] {
		names = names[:1]
	}
	return strings.Join(names, ", ")
}
