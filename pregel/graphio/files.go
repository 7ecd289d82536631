package graphio

// Files lists the files that Read would read, the named one among them: of an
// LDBC graph those that belong together, of others one.
func Files(path string, o Options) ([]string, error) {
	f, err := formatFor(path, o)
	if err != nil {
		return nil, err
	}
	if f.Name != "ldbc" {
		return []string{path}, nil
	}
	r := &request{Options: o, path: path}
	found, err := r.ldbcFiles()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range []string{found.properties, found.vertices, found.edges} {
		if name != "" {
			list = append(list, name)
		}
	}
	return list, nil
}
