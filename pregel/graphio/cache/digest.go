package cache

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"sync"

	"gopregel/pregel/parallel"
)

// block is what is summed at once; the sum of a file is that of its blocks'
// sums, so that several workers can make it.
const block = 1 << 20

// digest sums a file as it is.
func digest(ctx context.Context, path string, workers int) (sum [sha256.Size]byte, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sum, 0, err
	}
	size = info.Size()
	sums := make([]byte, (size+block-1)/block*sha256.Size)
	var once sync.Once
	parallel.Range(workers, len(sums)/sha256.Size, 8, func(_, lo, hi int) {
		if problem := digestBlocks(ctx, f, size, lo, sums[lo*sha256.Size:hi*sha256.Size]); problem != nil {
			once.Do(func() { err = fmt.Errorf("%s: %w", path, problem) })
		}
	})
	return sha256.Sum256(sums), size, err
}

// digestBlocks sums the blocks from the given one on.
func digestBlocks(ctx context.Context, f *os.File, size int64, first int, sums []byte) error {
	buffer := make([]byte, block)
	for at := int64(first) * block; len(sums) > 0; at += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buffer[:min(block, size-at)]
		if n, err := f.ReadAt(b, at); n < len(b) {
			return fmt.Errorf("%d of %d bytes at %d: %w", n, len(b), at, err)
		}
		sum := sha256.Sum256(b)
		copy(sums, sum[:])
		sums = sums[sha256.Size:]
	}
	return nil
}
