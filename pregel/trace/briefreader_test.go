package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"gopregel/pregel/trace"
)

const (
	head4 = `{"kind":"trace","version":4,"program":"bfs","graph":{"name":"g","vertices":3},"engine":{"device":"cpu"},"values":"none"}` + "\n"
	// brief3 is a superstep, and three that are brief: {1, 2, 3 done, twice}, {5, 6, 0, once}.
	brief3 = `{"kind":"supersteps","superstep":0,"count":4,"shapes":[{"program":"bfs","why":"{have} of {limit}"},{"program":"bfs","why":"{have} of {limit}","brief":{"each":2,"share":3,"plus":1,"least":31}}],` +
		`"runs":[[0,1],[1,3]],"awake":[7],"nanoseconds":[50],"starts":[99,7,8],"groups":[2,9,1,3],"briefs":"AQIDAgUGAAE="}` + "\n"
)

// Brief supersteps are read as the format says.
func TestBriefForm(t *testing.T) {
	t.Parallel()
	for law, want := range map[string]string{
		`"each":2,"share":3,"plus":1,"least":31`:        "7 0 0 of 0 50/0; 1 1 4 of 33 5/2; 1 5 4 of 32 4/2; 5 8 12 of 32 3/0; ",
		`"each":0,"pushed":true,"plus":9`:               "7 0 0 of 0 50/0; 1 1 7 of 9 5/2; 1 5 9 of 9 4/2; 5 8 11 of 9 3/0; ",
		`"each":1,"share":1,"plus":0,"least":94`:        "7 0 0 of 0 50/0; 1 1 2 of 96 5/2; 1 5 2 of 94 4/2; 5 8 6 of 94 3/0; ",
		`"each":0,"share":0,"plus":0,"least":0`:         "7 0 0 of 0 50/0; 1 1 0 of 0 5/2; 1 5 0 of 0 4/2; 5 8 0 of 0 3/0; ",
		`"each":0,"share":1000,"plus":5,"else":{"x":1}`: "7 0 0 of 0 50/0; 1 1 0 of 5 5/2; 1 5 0 of 5 4/2; 5 8 0 of 5 3/0; ",
	} {
		list, err := readAll([]byte(head4 + strings.Replace(brief3, `"each":2,"share":3,"plus":1,"least":31`, law, 1)))
		got := ""
		for _, rec := range list {
			if s, ok := rec.(*trace.Superstep); ok {
				got += fmt.Sprintf("%d %d %s %d/%d; ", s.Awake, s.Next, s.Why, s.Nanoseconds, s.Timed)
			}
		}
		if got != want {
			t.Errorf("%s: read as %s\nwant %s\n%v", law, got, want, err)
		}
	}
}

func TestBriefErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{`AQIDAgUGAAE=`, `AQIDAg==`, "briefs: found 2 supersteps of a run, want 3"},
		{`AQIDAgUGAAE=`, `AQIDAgUGAAI=`, "briefs: found one of 2 supersteps where 1 of a run are left"},
		{`AQIDAgUGAAE=`, `AQIDAgUGAAA=`, "briefs: found one of 0 supersteps where 1 of a run are left"},
		{`AQIDAgUGAAE=`, `AQIDAgUGAAEFBgAB`, "found 1 briefs, 0 groups and 0 starts more than runs of short supersteps have"},
		{`AQIDAgUGAAE=`, `AQIDAgUGAA==`, "briefs, groups or starts: found a part of one"},
		{`[2,9,1,3]`, `[2,9]`, "groups: found 2 supersteps of a run, want 3"},
		{`[2,9,1,3]`, `[4,9]`, "groups: found one of 4 supersteps where 3 of a run are left"},
		{`[2,9,1,3]`, `[2,9,0,3]`, "groups: found 0 supersteps in 3 nanoseconds, want 1 to 65536 in 9223372036854775807 at most"},
		{`[2,9,1,3]`, `[2,9223372036854775808,1,3]`, "groups: found 2 supersteps in 9223372036854775808 nanoseconds, want 1 to 65536 in 9223372036854775807 at most"},
		{`[2,9,1,3]`, `[2,9,1]`, "briefs, groups or starts: found a part of one"},
		{`[99,7,8]`, `[]`, "starts: found fewer than runs of short supersteps"},
		{`[99,7,8]`, `[99,7,8,1,2,3]`, "found 0 briefs, 0 groups and 1 starts more than runs of short supersteps have"},
		{`"awake":[7]`, `"awake":[7,7,7,7]`, "awake: found 4 numbers, want 1, one a superstep"},
		{`[50]`, `{"sums":[50]}`, "nanoseconds: found sums, and groups of short supersteps"},
		{`[[0,1],[1,3]],"awake":[7],"nanoseconds":[50]`, `[[1,4]],"awake":[7],"nanoseconds":[]`, "briefs: found 3 supersteps of a run, want 4\ngroups: found 3 supersteps of a run, want 4"},
		{`"version":4`, `"version":3`, "brief supersteps in a trace of version 3"},
	} {
		_, err := readAll([]byte(strings.Replace(head4+brief3, c.from, c.to, 1)))
		if want := "t.jsonl:2: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s in place of %s\ngave %v\nwant %v", c.to, c.from, err, want)
		}
	}
	none := strings.NewReplacer(`[[0,1],[1,3]]`, `[[1,3]]`, `"count":4`, `"count":3`, `,"awake":[7],"nanoseconds":[50]`, `,"awake":[7],"next":"following"`).Replace(brief3)
	if _, err := readAll([]byte(head4 + none)); err == nil || err.Error() != "t.jsonl:2: awake: found 1 numbers, want 0, one a superstep" {
		t.Errorf("columns without records gave %v", err)
	}
}
