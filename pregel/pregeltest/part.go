package pregeltest

import (
	"fmt"
	"os"
	"testing"
)

// partName is the environment variable that spreads the suite over processes.
const partName = "PREGELTEST_PART"

// A part is what one process does of the suite: of rules whose trials are
// spread its share of them, of the others every of-th.
type part struct{ index, of int }

var whole = part{0, 1}

func newPart(t testing.TB) part {
	t.Helper()
	text := os.Getenv(partName)
	if text == "" {
		return whole
	}
	p, err := parsePart(text)
	if err != nil {
		t.Fatalf("%s: %v", partName, err)
	}
	return p
}

// parsePart reads "3/8", the third part of eight.
func parsePart(text string) (part, error) {
	var number, of int
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &number, &of, &rest); n != 2 || number < 1 || number > of {
		return part{}, fmt.Errorf("found %q, want the number of a part and how many there are, such as 3/8", text)
	}
	return part{number - 1, of}, nil
}

// manyTrials is the length of a list of which a short test takes a sample.
const manyTrials = 40

// own are the trials of this part. Neighbours in the list stay together: they
// tend to be of one program, which an engine may have to compile.
func (s *suite) own(trials []trial) []trial {
	n := len(trials)
	trials = trials[n*s.part.index/s.part.of : n*(s.part.index+1)/s.part.of]
	if n < manyTrials || !testing.Short() {
		return trials
	}
	var sample []trial
	for i := int(s.seed % 4); i < len(trials); i += 4 {
		sample = append(sample, trials[i])
	}
	return sample
}
