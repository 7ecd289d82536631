package job_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Each file of testdata/errors is a txtar archive of a job, perhaps the
// arguments of --set, and the errors it must give, to the letter. With
// UPDATE=1 in the environment the errors are written anew.
func TestGoldenErrors(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files %v", len(files), err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
		}
		var set []string
		if s := strings.TrimSuffix(parts["set"], "\n"); s != "" {
			set = strings.Split(s, "\n")
		}
		got := "no error\n"
		if _, err := parse(parts["job.yaml"], set...); err != nil {
			got = err.Error() + "\n"
		}
		if os.Getenv("UPDATE") != "" {
			update(t, file, archive, got)
		} else if diff := cmp.Diff(parts["errors"], got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", file, diff)
		}
	}
}

func update(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == "errors" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
