//go:build !race

#include "textflag.h"

// SUMS adds up rows of floats of WIDTH bytes; their bounds have SIZE, are loaded by OFFSET, and
// compared by CMP.
//
//	DI  sums      R9   bounds of the rows in at
//	SI  list      R10  how many rows there are
//	R8  at        R11  the last index of list, of a number that is 0
//	              R14  where the last row ends
//
// CX is the row, AX where it begins, DX where it ends, BX how many of its indices are left,
// R8 where those are. An index above R11, and a bound above R14, end it all.
//
// What is left of a row, up to four indices, is always four, R11 for those that are not
// there, as where rows end is what a processor foretells worst. But where rows have four
// indices in the mean, to an eighth, it is tried first whether the next four rows have four
// each (fours). Where one has not, they are done one by one, up to R10, and the next four are
// tried, until R15 such fours have been met.
#define SUMS(WIDTH, ADD, STORE, SIZE, OFFSET, CMP) \
	MOVQ sums+0(FP), DI \
	MOVQ list+8(FP), SI \
	MOVQ at+16(FP), R8 \
	MOVQ bounds+24(FP), R9 \
	MOVQ rows+32(FP), R10 \
	MOVQ none+40(FP), R11 \
	XORQ CX, CX \
	MOVQ begin+48(FP), AX \
	MOVQ end+56(FP), R14 \
	LEAQ (R8)(AX*4), R8 \
	MOVQ R14, DX \
	SUBQ AX, DX \
	LEAQ (R10*4), BX \
	SUBQ BX, DX \
	MOVQ R10, R15 \
	SHRQ $1, R15 \
	ADDQ R15, DX \
	CMPQ DX, R10 \
	JHI row \
	MOVQ R10, R15 \
	SHRQ $6, R15 \
	INCQ R15 \
fours: \
	LEAQ 4(CX), R10 \
	CMPQ R10, rows+32(FP) \
	JGT all \
	LEAQ 4(AX), DX \
	CMP DX, (1*SIZE)(R9)(CX*SIZE) \
	JNE odd \
	LEAQ 8(AX), DX \
	CMP DX, (2*SIZE)(R9)(CX*SIZE) \
	JNE odd \
	LEAQ 12(AX), DX \
	CMP DX, (3*SIZE)(R9)(CX*SIZE) \
	JNE odd \
	LEAQ 16(AX), DX \
	CMP DX, (4*SIZE)(R9)(CX*SIZE) \
	JNE odd \
	CMPQ DX, R14 \
	JHI wrong \
	MOVQ DX, AX \
	PREFETCHT0 AHEAD(R8) \
	PREFETCHT0 AHEAD(R9)(CX*SIZE) \
	FOUR(0, 0, ADD, STORE, WIDTH) \
	FOUR(16, 1, ADD, STORE, WIDTH) \
	FOUR(32, 2, ADD, STORE, WIDTH) \
	FOUR(48, 3, ADD, STORE, WIDTH) \
	ADDQ $64, R8 \
	MOVQ R10, CX \
	CMPQ CX, rows+32(FP) \
	JLT fours \
	JMP done \
odd: \
	DECQ R15 \
	JGE row \
all: \
	MOVQ rows+32(FP), R10 \
row: \
	OFFSET SIZE(R9)(CX*SIZE), DX \
	CMPQ DX, R14 \
	JHI wrong \
	MOVQ DX, BX \
	SUBQ AX, BX \
	MOVQ DX, AX \
	XORPS X0, X0 \
	CMPQ BX, $4 \
	JLE rest \
	CMPQ BX, $16 \
	JGE long \
few: \
	TAKE(0, R12, X0, ADD, WIDTH) \
	TAKE(4, R13, X0, ADD, WIDTH) \
	TAKE(8, R12, X0, ADD, WIDTH) \
	TAKE(12, R13, X0, ADD, WIDTH) \
	ADDQ $16, R8 \
	SUBQ $4, BX \
	CMPQ BX, $4 \
	JGT few \
rest: \
	PREFETCHT0 AHEAD(R8) \
	TAKEIF(1, 0, R12, X0, ADD, WIDTH) \
	TAKEIF(2, 4, R13, X0, ADD, WIDTH) \
	TAKEIF(3, 8, R12, X0, ADD, WIDTH) \
	TAKEIF(4, 12, R13, X0, ADD, WIDTH) \
	LEAQ (R8)(BX*4), R8 \
	STORE X0, (DI)(CX*WIDTH) \
	INCQ CX \
	CMPQ CX, R10 \
	JLT row \
	CMPQ CX, rows+32(FP) \
	JLT fours \
done: \
	MOVB $1, ret+64(FP) \
	RET \
wrong: \
	MOVB $0, ret+64(FP) \
	RET \
long: \
	XORPS X1, X1 \
	XORPS X2, X2 \
	XORPS X3, X3 \
lanes: \
	PREFETCHT0 AHEAD(R8) \
	TAKE(0, R12, X0, ADD, WIDTH) \
	TAKE(4, R13, X1, ADD, WIDTH) \
	TAKE(8, R12, X2, ADD, WIDTH) \
	TAKE(12, R13, X3, ADD, WIDTH) \
	ADDQ $16, R8 \
	SUBQ $4, BX \
	CMPQ BX, $4 \
	JGT lanes \
	ADD X1, X0 \
	ADD X3, X2 \
	ADD X2, X0 \
	JMP rest

// AHEAD is how many bytes ahead indices are asked for. A processor that reads them one by
// one, by one instruction, foretells that by itself; by four, and fewer at the end of a row,
// it does not: where the graph fits no cache, sums took half as long again.
// Where rows have four indices bounds are a third of what is read, and are asked for, too: a
// grid of 1024² in float32 takes a seventh less while others use the memory as well.
#define AHEAD 2048

// TAKE adds the number of the index AT bytes behind R8.
#define TAKE(AT, INDEX, SUM, ADD, WIDTH) \
	MOVL AT(R8), INDEX \
	CMPQ INDEX, R11 \
	JHI wrong \
	ADD (SI)(INDEX*WIDTH), SUM

// FOUR sums up the four indices AT bytes behind R8, of the Kth row from CX on.
#define FOUR(AT, K, ADD, STORE, WIDTH) \
	XORPS X0, X0 \
	TAKE(AT, R12, X0, ADD, WIDTH) \
	TAKE(AT+4, R13, X0, ADD, WIDTH) \
	TAKE(AT+8, R12, X0, ADD, WIDTH) \
	TAKE(AT+12, R13, X0, ADD, WIDTH) \
	STORE X0, (K*WIDTH)(DI)(CX*WIDTH)

// TAKEIF is TAKE if there are as many indices as N, else 0 is added.
#define TAKEIF(N, AT, INDEX, SUM, ADD, WIDTH) \
	MOVL AT(R8), INDEX \
	CMPQ BX, $N \
	CMOVQLT R11, INDEX \
	CMPQ INDEX, R11 \
	JHI wrong \
	ADD (SI)(INDEX*WIDTH), SUM

// func sumRowsNarrow4(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool
TEXT ·sumRowsNarrow4(SB), NOSPLIT, $0-65
	SUMS(4, ADDSS, MOVSS, 4, MOVL, CMPL)

// func sumRowsNarrow8(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool
TEXT ·sumRowsNarrow8(SB), NOSPLIT, $0-65
	SUMS(8, ADDSD, MOVSD, 4, MOVL, CMPL)

// func sumRowsWide4(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool
TEXT ·sumRowsWide4(SB), NOSPLIT, $0-65
	SUMS(4, ADDSS, MOVSS, 8, MOVQ, CMPQ)

// func sumRowsWide8(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool
TEXT ·sumRowsWide8(SB), NOSPLIT, $0-65
	SUMS(8, ADDSD, MOVSD, 8, MOVQ, CMPQ)
