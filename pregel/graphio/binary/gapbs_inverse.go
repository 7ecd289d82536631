package binary

import (
	"context"
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// convertOffsets reads the offsets and checks that they ascend from 0 to m.
func (a gapbsArcs) convertOffsets(file *gapbs, workers int) (graph.Offsets, error) {
	offsets := graph.MakeOffsets(int(file.n)+1, file.m)
	var first firstError
	parallel.Range(workers, offsets.Len(), 1<<16, func(_, lo, hi int) {
		last := uint64(0)
		if lo > 0 {
			last = little.Uint64(a.offsets[8*(lo-1):])
		}
		for i := lo; i < hi; i++ {
			x := little.Uint64(a.offsets[8*i:])
			if x < last || x > file.m {
				first.set(uint64(i), fmt.Errorf("offset %d is %d, want %d to %d", i, int64(x), last, file.m))
				return
			}
			offsets.Set(uint32(i), x)
			last = x
		}
	})
	switch n := uint32(file.n); {
	case first.err != nil:
		return graph.Offsets{}, first.err
	case offsets.At(0) != 0 || offsets.At(n) != file.m:
		return graph.Offsets{}, fmt.Errorf("offsets go from %d to %d, want 0 to %d", offsets.At(0), offsets.At(n), file.m)
	}
	return offsets, nil
}

// inspectInverse returns the sum of hashes of the in-arcs, without keeping
// them.
func (file *gapbs) inspectInverse(ctx context.Context, workers int) (uint64, error) {
	offsets, err := file.in.convertOffsets(file, workers)
	if err != nil {
		return 0, err
	}
	var first firstError
	var hash atomic.Uint64
	bounds := graph.CSR{Offsets: offsets}.Cut(1<<16, 1)
	parallel.Range(workers, len(bounds)-1, 1, func(_, i, _ int) {
		sum, err := file.inspectRange(offsets, bounds[i], bounds[i+1])
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			first.set(uint64(i), err)
			return
		}
		hash.Add(sum)
	})
	return hash.Load(), first.err
}

const inverseBuffer = 1 << 12

func (file *gapbs) inspectRange(offsets graph.Offsets, lo, hi uint32) (uint64, error) {
	var (
		sum     finding
		targets [inverseBuffer]uint32
		weights [inverseBuffer]int32
	)
	for v := lo; v < hi; v++ {
		for at, end := offsets.Row(v); at < end; {
			count := min(end-at, inverseBuffer)
			list, w := targets[:count], graph.Weights{}
			if file.weighted {
				w.Int = weights[:count]
			}
			file.in.neighborsOf(at, list, w.Int)
			for _, u := range list {
				if uint64(u) >= file.n {
					return 0, fmt.Errorf("vertex %d has source %d, there are %d vertices", v, int32(u), file.n)
				}
			}
			sum.add(v, list, w, inward)
			at += count
		}
	}
	return sum.hash, nil
}
