package emulator

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	acquire = regexp.MustCompile(`asm volatile\("ld\.acquire[^"]*"[^;"]*"=[rl]"\((\w+)\)[^;"]*"l"\((\w+)\)[^;]*;`)
	timer   = regexp.MustCompile(`asm volatile\("mov\.u64 %0, %globaltimer;"[^;"]*"=l"\((\w+)\)\);`)
	dynamic = regexp.MustCompile(`extern\s+__shared__\s+([\w ]+?)\s+(\w+)\s*\[\s*\]\s*;`)
	shared  = regexp.MustCompile(`__shared__\s+([^;]*);`)
	first   = regexp.MustCompile(`^([\w:<>\s]*?)\s+(\w+)\s*((?:\[[^\]]*\])*)$`)
	further = regexp.MustCompile(`^\s*(\w+)\s*((?:\[[^\]]*\])*)$`)
	entry   = regexp.MustCompile(`extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\(([^()]*)\)\s+)?(\w+)\s*\(`)
)

// Translate makes C++ of CUDA C, line by line: shared variables become
// references into the memory of their block, two PTX instructions calls of the
// emulator, and before each entry point there is what a launch must know of it.
func Translate(source string) (string, error) {
	text := acquire.ReplaceAllString(source, "$1 = emu_acquire($2);")
	text = timer.ReplaceAllString(text, "$1 = emu->time();")
	text = dynamic.ReplaceAllString(text, "$1 *$2 = ($1 *)emu->dynamic();")
	var err error
	number := 0
	text = shared.ReplaceAllStringFunc(text, func(found string) string {
		var b strings.Builder
		of := ""
		for i, declarator := range strings.Split(shared.FindStringSubmatch(found)[1], ",") {
			match := further.FindStringSubmatch(declarator)
			if i == 0 {
				if match = first.FindStringSubmatch(declarator); match != nil {
					of, match = match[1], match[1:]
				}
			}
			if match == nil {
				err = fmt.Errorf("%q is a shared variable of a form that is not emulated", found)
				return found
			}
			fmt.Fprintf(&b, "typedef %[1]s emu_shared_%[2]d%[4]s; emu_shared_%[2]d &%[3]s = *(emu_shared_%[2]d *)emu->shared(%[2]d, sizeof(emu_shared_%[2]d)); ",
				of, number, match[1], match[2])
			number++
		}
		return b.String()
	})
	if err != nil {
		return "", err
	}
	return entries(text), nil
}

// entries puts a declaration and a description before each entry point.
func entries(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range entry.FindAllStringSubmatchIndex(text, -1) {
		end, depth := at[1], 1
		for ; end < len(text) && depth > 0; end++ {
			switch text[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		bounds := "0"
		if at[2] >= 0 {
			bounds = text[at[2]:at[3]]
		}
		name, parameters := text[at[4]:at[5]], strings.Join(strings.Fields(text[at[1]:end]), " ")
		b.WriteString(text[from:at[0]])
		fmt.Fprintf(&b, "extern \"C\" void %[1]s(%[2]s; EMU_ENTRY(%[1]s, %[3]s) ", name, parameters, bounds)
		from = at[0]
	}
	return b.String() + text[from:]
}
