package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// plainDigest sums as digest does, one block after the other.
func plainDigest(b []byte) [sha256.Size]byte {
	var sums []byte
	for len(b) > 0 {
		n := min(len(b), 1<<20)
		sum := sha256.Sum256(b[:n])
		sums, b = append(sums, sum[:]...), b[n:]
	}
	return sha256.Sum256(sums)
}

// Sums of files of no, one and many blocks, by any number of workers.
func TestDigest(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	path := filepath.Join(t.TempDir(), "f")
	for _, size := range []int{0, 1, 1 << 20, 1<<20 + 1, 11<<20 + r.IntN(1<<20)} {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			sum, n, err := digest(t.Context(), path, workers)
			if err != nil || n != int64(size) || sum != plainDigest(b) {
				t.Errorf("%d bytes, %d workers: %x of %d bytes, %v; want %x", size, workers, sum, n, err, plainDigest(b))
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := digest(ctx, path, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
