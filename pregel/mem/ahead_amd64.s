#include "textflag.h"

// PREFETCH asks for the lines of numbers of so many bytes: SI is the list, DX the indices,
// CX how many there are, not 0.
#define PREFETCH(WIDTH) \
	SUBQ $4, CX \
	JLT last \
four: \
	MOVL (DX), AX \
	MOVL 4(DX), BX \
	MOVL 8(DX), R8 \
	MOVL 12(DX), R9 \
	PREFETCHT0 (SI)(AX*WIDTH) \
	PREFETCHT0 (SI)(BX*WIDTH) \
	PREFETCHT0 (SI)(R8*WIDTH) \
	PREFETCHT0 (SI)(R9*WIDTH) \
	ADDQ $16, DX \
	SUBQ $4, CX \
	JGE four \
last: \
	ADDQ $4, CX \
	JEQ done \
one: \
	MOVL (DX), AX \
	PREFETCHT0 (SI)(AX*WIDTH) \
	ADDQ $4, DX \
	DECQ CX \
	JNE one \
done: \
	RET

// FIRST asks for the first numbers of the rows run, not 0, by bounds of SIZE that LOAD loads.
#define FIRST(LOAD, SIZE) \
	MOVQ at+0(FP), SI \
	MOVQ bounds+8(FP), DX \
	MOVQ run+16(FP), R10 \
row: \
	TZCNTQ R10, CX \
	LOAD (DX)(CX*SIZE), AX \
	LEAQ -1(R10), BX \
	PREFETCHT0 (SI)(AX*4) \
	ANDQ BX, R10 \
	JNE row \
	RET

// func prefetch4(list unsafe.Pointer, at *uint32, n int)
TEXT ·prefetch4(SB), NOSPLIT, $0-24
	MOVQ list+0(FP), SI
	MOVQ at+8(FP), DX
	MOVQ n+16(FP), CX
	PREFETCH(4)

// func prefetch8(list unsafe.Pointer, at *uint32, n int)
TEXT ·prefetch8(SB), NOSPLIT, $0-24
	MOVQ list+0(FP), SI
	MOVQ at+8(FP), DX
	MOVQ n+16(FP), CX
	PREFETCH(8)

// func prefetchAt4(list unsafe.Pointer, at *uint64, n int)
TEXT ·prefetchAt4(SB), NOSPLIT, $0-24
	MOVQ list+0(FP), SI
	MOVQ at+8(FP), DX
	MOVQ n+16(FP), CX
	SUBQ $2, CX
	JLT last
two:
	MOVQ (DX), AX
	MOVQ 8(DX), BX
	PREFETCHT0 (SI)(AX*4)
	PREFETCHT0 (SI)(BX*4)
	ADDQ $16, DX
	SUBQ $2, CX
	JGE two
last:
	ADDQ $2, CX
	JEQ done
	MOVQ (DX), AX
	PREFETCHT0 (SI)(AX*4)
done:
	RET

// func prefetchFirstNarrow(at, bounds unsafe.Pointer, run uint64)
TEXT ·prefetchFirstNarrow(SB), NOSPLIT, $0-24
	FIRST(MOVL, 4)

// func prefetchFirstWide(at, bounds unsafe.Pointer, run uint64)
TEXT ·prefetchFirstWide(SB), NOSPLIT, $0-24
	FIRST(MOVQ, 8)

// func prefetchLines(list unsafe.Pointer, bytes int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-16
	MOVQ list+0(FP), SI
	MOVQ bytes+8(FP), CX
	ADDQ SI, CX
	ANDQ $-64, SI
line:
	PREFETCHT0 (SI)
	ADDQ $64, SI
	CMPQ SI, CX
	JCS line
	RET
