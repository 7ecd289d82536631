package job

import "gopkg.in/yaml.v3"

// Encode writes the job with all its values, given or not. Parsing it gives the
// same job.
func (j *Job) Encode() ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if j.Kernel != nil {
		put(root, "program", j.Kernel.encode())
	} else {
		put(root, "program", textNode(j.Program))
	}
	for _, section := range j.fields(nil) {
		if section.Type != Section || section.Name == "program" {
			continue
		}
		if section.Name == "checkpoint" && j.Checkpoint.Dir == "" {
			continue
		}
		n := mappingNode(section.Fields)
		if section.Name == "graph" && j.Graph.Generate != nil {
			var spec yaml.Node
			if err := spec.Encode(j.Graph.Generate); err != nil {
				return nil, err
			}
			put(n, "generate", &spec)
		}
		put(root, section.Name, n)
	}
	return yaml.Marshal(root)
}

func put(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

// mappingNode writes the fields that have a value.
func mappingNode(fields []Field) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, f := range fields {
		switch v := f.Value().(type) {
		case nil:
		case string:
			switch {
			case f.Type == Interval:
				put(n, f.Name, plainScalar(v))
			case v != "":
				put(n, f.Name, textNode(v))
			}
		default:
			put(n, f.Name, &yaml.Node{Kind: yaml.ScalarNode, Value: textOf(v)})
		}
	}
	return n
}

// Values returns the parameters of the program by name, as numbers, booleans
// and strings; those that are not set are null.
func (j *Job) Values() map[string]any {
	values := map[string]any{}
	for _, f := range j.params {
		values[f.Name] = f.Value()
		if f.Type == Vertex && f.Value() == "" {
			values[f.Name] = nil
		}
	}
	return values
}
