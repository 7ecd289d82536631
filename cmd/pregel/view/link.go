package view

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed page
var source embed.FS

// modules are the page's, each after those that it imports.
var modules = []string{
	"number", "trace", "states", "why", "breakpoint", "bsp", "player", "pivot", "layout", "scale", "source",
	"chart", "timeline", "curves", "camera", "labels", "shapes", "arcs", "drawing", "graphview", "inspector", "panel", "keys", "main",
}

var (
	imports  = regexp.MustCompile(`(?m)^import \{([^}]*)\} from '\./(\w+)\.js';\n`)
	exports  = regexp.MustCompile(`(?m)^export `)
	declared = regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+|\[[^\]]*\]|\{[^}]*\})`)
	words    = regexp.MustCompile(`\w+`)
)

// A linker joins modules into one script. They share a scope there: so each name
// may be declared once, and imports may not rename.
type linker struct {
	owner  map[string]string // of each name at top level, its module
	script strings.Builder
}

// link joins the library and the given modules.
func link(names []string) (string, error) {
	library, err := source.ReadFile("page/vendor/d3-force.min.js")
	if err != nil {
		return "", err
	}
	l := &linker{owner: map[string]string{"d3": "vendor"}}
	l.script.Write(library)
	for _, name := range names {
		text, err := source.ReadFile("page/" + name + ".js")
		if err != nil {
			return "", err
		}
		if err := l.add(name, string(text)); err != nil {
			return "", fmt.Errorf("page/%s.js: %w", name, err)
		}
	}
	return l.script.String(), nil
}

func (l *linker) add(name, text string) error {
	for _, match := range imports.FindAllStringSubmatch(text, -1) {
		for _, imported := range strings.Split(match[1], ",") {
			imported = strings.TrimSpace(imported)
			if owner := l.owner[imported]; owner != match[2] {
				return fmt.Errorf("imports %q from %s, which does not come before it with that name", imported, match[2])
			}
		}
	}
	for _, match := range declared.FindAllStringSubmatch(text, -1) {
		for _, declares := range words.FindAllString(match[1], -1) {
			if other, twice := l.owner[declares]; twice {
				return fmt.Errorf("declares %s, as %s does", declares, other)
			}
			l.owner[declares] = name
		}
	}
	text = exports.ReplaceAllString(imports.ReplaceAllString(text, ""), "")
	if i := slices.IndexFunc(strings.Split(text, "\n"), func(s string) bool { return strings.HasPrefix(s, "import ") }); i >= 0 {
		return fmt.Errorf("line %d: an import that is not on one line, of names in braces, from './module.js'", i+1)
	}
	if strings.Contains(text, "</script") {
		return fmt.Errorf("has </script in it, which would end the script")
	}
	fmt.Fprintf(&l.script, "\n// %s.js\n%s", name, text)
	return nil
}
