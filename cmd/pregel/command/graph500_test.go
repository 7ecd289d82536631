package command

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"gopregel/cmd/pregel/graph500"
)

// A tree that is not valid ends with the exit code of certificates and, as in
// the reference code, without results; other errors stay what they are.
func TestInvalidGraph500(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := &graph500Call{app: &app{out: &out}}
	broken := errors.New("a cycle")
	err := d.failed(fmt.Errorf("graph500: %w", &graph500.Invalid{Kernel: "bfs", Root: 7, Err: broken}))
	var known *exit
	if !errors.As(err, &known) || known.code != exitCertificate || !errors.Is(err, broken) || out.String() != "No results printed for invalid run.\n" {
		t.Errorf("%v, printed %q", err, out.String())
	}
	if err := d.failed(broken); err != broken || d.app.code(t.Context(), err) == exitCertificate {
		t.Errorf("another error became %v", err)
	}
}
