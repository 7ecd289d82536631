package pregeltest

import (
	_ "embed"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"gopregel/pregel"
)

// The CUDA forms of the contract's programs, so that a device is held to the
// same contract. Programs that spy on their own calls have none.

//go:embed machine.cu
var machineSource string

//go:embed mix.cu
var mixSource string

// Twin is the machine in CUDA, settling and waiting ones too.
func (m machine[M]) Twin() pregel.Twin {
	limits := fmt.Sprintf("#define LARGEST %s\n#define SMALLEST %s\n", literal(pregel.Largest[M]()), literal(pregel.Smallest[M]()))
	return pregel.Twin{Name: "machine.cu", Source: mixSource + limits + machineSource, Params: struct {
		Salt, Asleep, Quiet uint64
		Steps               int32
		Constant, Special   bool
	}{m.salt, m.asleep, m.quiet, m.steps, m.constant, m.special}}
}

// literal writes a number in C.
func literal(x any) string {
	v := reflect.ValueOf(x)
	switch {
	case v.CanFloat() && v.Float() > 0:
		return "((Message)__longlong_as_double(0x7ff0000000000000ll))"
	case v.CanFloat():
		return "((Message)__longlong_as_double(0xfff0000000000000ll))"
	case v.CanInt():
		return fmt.Sprintf("((Message)0x%xull)", uint64(v.Int()))
	}
	return fmt.Sprintf("((Message)0x%xull)", v.Uint())
}

// plain makes a twin of a program without parameters, from the bodies of its
// functions and what stands before them.
func plain(name, initial, emit, apply string, before ...string) pregel.Twin {
	return pregel.Twin{Name: name + ".cu", Source: fmt.Sprintf(`%s
__device__ Value init(Vertex v, Value x, const Params &p, bool &awake) { %s }
__device__ Message emit(Vertex v, Value x, const Params &p) { %s }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { %s }
`, strings.Join(before, "\n"), initial, emit, apply)}
}

// Twin is the probe in CUDA.
func (p probe[M]) Twin() pregel.Twin {
	sent := literal(p.sent)
	t := plain("probe", "awake = v.id % p.every == 0; return 0;", "return "+sent+";",
		"return !got && m == IDENTITY ? 1 : got && m == "+sent+" ? 2 : 3;")
	t.Params = struct{ Every uint32 }{p.every}
	return t
}

// Twin is the chooser in CUDA.
func (chooser) Twin() pregel.Twin {
	return plain("chooser", "awake = v.id % 3 != 0; return -1;", "return 1000 * (i64)v.id;", "return m;")
}

// Twin is the shift in CUDA.
func (shift) Twin() pregel.Twin {
	return plain("shift", "awake = true; return (i64)v.id + 1;", "return x;", "awake = true; return got ? m : 0;")
}

// Twin is the least awake source in CUDA.
func (parent) Twin() pregel.Twin {
	return plain("parent", fmt.Sprintf("awake = %s; return NONE;", "v.id % 3 != 0"), "return 0;", "return m;")
}

// Twin is the harmonic in CUDA.
func (harmonic) Twin() pregel.Twin {
	return plain("harmonic", "awake = v.id % 3 != 0; return 1 / ((double)(mix(SEED, v.id) % 1000) + 0.7);", "return x;",
		"awake = v.superstep < 3; return x / 3 + m / ((double)v.out_degree + 1);", mixSource)
}

// Twin is the distances in CUDA, stepped ones not.
func (distances) Twin() pregel.Twin {
	return plain("distances", "awake = v.id == 0; return awake ? 0 : IDENTITY;", "return x;", "awake = m < x; return awake ? m : x;")
}

// Twin is the stepped distances in CUDA.
func (p steppedDistances) Twin() pregel.Twin {
	t := p.distances.Twin()
	t.Source += "\n__device__ u64 priority(Value x, const Params &p) { return (u64)(x / p.delta); }\n"
	t.Params = struct{ Delta int64 }{p.delta}
	return t
}

// Twin is the wave in CUDA, settling or not.
func (wave) Twin() pregel.Twin {
	return plain("wave", "awake = v.id % 500 == 7; return awake ? 0 : -1;", "return v.id;",
		"if (x >= 0) return x; awake = true; return v.superstep + 1;", "__device__ bool settled(Value x) { return x >= 0; }")
}

// Twin is the rounder in CUDA.
func (p edgeRounder) Twin() pregel.Twin {
	power := "__device__ double power(u32 i) {\n  const double all[30] = {"
	for i := range 30 {
		power += fmt.Sprintf("%b, ", math.Pow(10, float64(i)-15))
	}
	power = binaryFloat.ReplaceAllString(power, "ldexp((double)${1}ull, $2)") + "};\n  return all[i];\n}\n"
	add := `u64 h = mix(mix(SEED, v.id), (u64)(i64)(v.superstep + 1));
  double d = (double)(h % 100000) * power((h >> 40) % 30);
  v.add_sum(d);
  v.add_ever((float)d);`
	t := plain("rounder", add+" awake = true; return 0;", "return 0;",
		add+" awake = mix(SEED, v.id) % (1ull << (3 * v.superstep + 3)) == 0 && v.superstep < 5; return 0;", mixSource, power)
	t.Tallies = []pregel.NamedTally{{Name: "sum", Tally: p.sum}, {Name: "ever", Tally: p.ever}}
	return t
}

// binaryFloat is how %b writes a number: 4503599627370496p-52.
var binaryFloat = regexp.MustCompile(`(\d+)p([+-]\d+)`)

// Twin tells that calls on the device are not seen.
func (*spy) Twin() pregel.Twin { return pregel.Twin{} }

// Twin tells that a device cannot cancel.
func (within) Twin() pregel.Twin { return pregel.Twin{} }
