//go:build !race

#include "textflag.h"

// BIT puts into the carry whether the bit of the number AT bytes behind DX, which AX
// then is, is set.
#define BIT(AT) \
	MOVL AT(DX), AX \
	MOVQ AX, R15 \
	SHRQ $6, R15 \
	CMPQ R15, R11 \
	JCC wrong \
	MOVQ (SI)(R15*8), R15 \
	BTQ AX, R15

// FIRST looks at the first number of the row that is so many bytes of bounds and found behind
// row CX: the carry tells whether its bit is set.
#define FIRST(LOAD, SIZE, BOUND, FOUND) \
	LOAD BOUND(R9)(CX*SIZE), DX \
	CMPQ DX, R14 \
	CMOVQHI R14, DX \
	MOVL (R8)(DX*4), AX \
	MOVL AX, FOUND(DI)(CX*4) \
	MOVL AX, R15 \
	SHRL $6, R15 \
	CMPQ R15, R11 \
	JCC  out \
	MOVQ (SI)(R15*8), R15 \
	BTQ  AX, R15

// FIRSTS looks at those of the rows of run or, where that is all 64, without a test, the last
// first, by bounds of SIZE that LOAD loads. CX is the row, R14 the last number of at, R10 the
// rows of run that are left. R12 has a bit for each of all rows so far, or has those of run that have one.
#define FIRSTS(LOAD, SIZE) \
	MOVQ found+0(FP), DI \
	MOVQ set_base+8(FP), SI \
	MOVQ set_len+16(FP), R11 \
	MOVQ at_base+32(FP), R8 \
	MOVQ at_len+40(FP), R14 \
	MOVQ bounds+56(FP), R9 \
	MOVQ run+64(FP), R10 \
	XORL R12, R12 \
	MOVB $0, done+80(FP) \
	MOVL $60, CX \
	SUBQ $1, R14 \
	JCS  out \
	CMPQ R10, $-1 \
	JNE  some \
all: \
	FIRST(LOAD, SIZE, (3*SIZE), 12) \
	ADCQ R12, R12 \
	FIRST(LOAD, SIZE, (2*SIZE), 8) \
	ADCQ R12, R12 \
	FIRST(LOAD, SIZE, SIZE, 4) \
	ADCQ R12, R12 \
	FIRST(LOAD, SIZE, 0, 0) \
	ADCQ R12, R12 \
	SUBQ $4, CX \
	JCC  all \
	JMP  told \
next: \
	TZCNTQ R10, CX \
	MOVQ R10, BX \
	NEGQ BX \
	ANDQ R10, BX \
	XORQ BX, R10 \
	FIRST(LOAD, SIZE, 0, 0) \
	SBBQ R15, R15 \
	ANDQ BX, R15 \
	ORQ  R15, R12 \
some: \
	TESTQ R10, R10 \
	JNE  next \
told: \
	MOVB $1, done+80(FP) \
out: \
	MOVQ R12, hit+72(FP) \
	RET

// OF4 puts into R13 the bits of the four numbers at DX, that of the first as bit 3.
#define OF4 \
	XORL R13, R13 \
	BIT(0) \
	ADCL R13, R13 \
	BIT(4) \
	ADCL R13, R13 \
	BIT(8) \
	ADCL R13, R13 \
	BIT(12) \
	ADCL R13, R13

// ROWS looks at the rows of run, by bounds of SIZE that LOAD loads.
//
//	DI  found              R9   bounds
//	SI  set, of R11 words  R10  rows yet to look at
//	R8  at, of R14 numbers R12  rows that have one
//
// CX is the row, DX where its next number is, BX how many it has from there. vector, not
// 0: there is AVX2, and what is behind the first four is passed by up to sixteen at a time
// if 256 bits from the first of those on, which have the last, are all zero, or else looked at
// by eights, in words of 32 bits: Y9 is the last of those in each lane, Y7 31, Y6 0. Y8 has a lane
// of zeros where a word was beyond; it was not read. far is the last byte that 256 bits
// begin at, end where at ends.
//
// With AVX2 the first four of each row are looked at first, with those behind it where it is
// shorter, which a table (R14 then) leaves out: there is no branch on what a row is
// like. That is done for 32 rows, half 0, and 32: in the lower half of R12 are those that have
// one, in the upper those that have more to look at. Those, from start on, and late ones,
// behind which at has no four numbers, are left to the loop row.
//
// near is whether the last of up to sixteen is at most 248 behind the first: with the seven bits before
// the first in its byte that is 256. Of eights the bits are the signs of Y3; of four the first is bit 3.
#define ROWS(LOAD, SIZE) \
	MOVQ found+0(FP), DI \
	MOVQ set_base+8(FP), SI \
	MOVQ set_len+16(FP), R11 \
	MOVQ at_base+32(FP), R8 \
	MOVQ bounds+56(FP), R9 \
	MOVQ from+64(FP), AX \
	MOVQ AX, start-16(SP) \
	MOVQ run+72(FP), R10 \
	XORL R12, R12 \
	MOVQ $0, late-24(SP) \
	MOVQ at_len+40(FP), R14 \
	LEAQ (R8)(R14*4), AX \
	MOVQ AX, end-32(SP) \
	CMPQ vector+80(FP), $0 \
	JEQ  next \
	MOVL $31, AX \
	VMOVD AX, X7 \
	VPBROADCASTD X7, Y7 \
	LEAQ -1(R11)(R11*1), AX \
	VMOVD AX, X9 \
	VPBROADCASTD X9, Y9 \
	VPCMPEQD Y8, Y8, Y8 \
	VPXOR Y6, Y6, Y6 \
	LEAQ -32(R11*8), AX \
	MOVQ AX, far-8(SP) \
	LEAQ -4(R14), AX \
	MOVQ AX, four-40(SP) \
	MOVQ $0, half-48(SP) \
	MOVQ $5, five-64(SP) \
	MOVQ table+88(FP), R14 \
	MOVL R10, R10 \
	TESTQ R10, R10 \
	JEQ  halved \
first: \
	TZCNTQ R10, CX \
	LOAD (R9)(CX*SIZE), DX \
	LOAD SIZE(R9)(CX*SIZE), BX \
	ADDQ start-16(SP), DX \
	CMPQ BX, at_len+40(FP) \
	JHI  wrong \
	SUBQ DX, BX \
	JCS  wrong \
	CMPQ DX, four-40(SP) \
	JGT  is_late \
	LEAQ (R8)(DX*4), DX \
	OF4 \
	CMPQ BX, $5 \
	CMOVQGT five-64(SP), BX \
	SHLL $4, BX \
	ORL  R13, BX \
	MOVQ (R14)(BX*8), AX \
	MOVBLZX 768(R14)(BX*1), BX \
	SHLQ CX, AX \
	ORQ  AX, R12 \
	MOVL (DX)(BX*4), AX \
	MOVL AX, (DI)(CX*4) \
first_next: \
	LEAQ -1(R10), AX \
	ANDQ AX, R10 \
	JNE  first \
halved: \
	CMPQ half-48(SP), $0 \
	JNE  rows \
	MOVQ R12, low-56(SP) \
	XORL R12, R12 \
	ADDQ $(32*SIZE), R9 \
	ADDQ $128, DI \
	MOVQ $32, half-48(SP) \
	MOVQ run+72(FP), R10 \
	SHRQ $32, R10 \
	TESTQ R10, R10 \
	JNE  first \
rows: \
	SUBQ $(32*SIZE), R9 \
	SUBQ $128, DI \
	MOVQ low-56(SP), AX \
	MOVQ R12, R10 \
	SHRQ $32, R10 \
	SHLQ $32, R10 \
	MOVQ AX, BX \
	SHRQ $32, BX \
	ORQ  BX, R10 \
	MOVL AX, AX \
	SHLQ $32, R12 \
	ORQ  AX, R12 \
	MOVQ at_len+40(FP), R14 \
	ADDQ $4, start-16(SP) \
	JMP  next \
is_late: \
	MOVQ half-48(SP), AX \
	ADDQ CX, AX \
	BTSQ AX, late-24(SP) \
	JMP  first_next \
again: \
	MOVQ late-24(SP), R10 \
	MOVQ $0, late-24(SP) \
	MOVQ from+64(FP), AX \
	MOVQ AX, start-16(SP) \
row: \
	TZCNTQ R10, CX \
	LOAD (R9)(CX*SIZE), AX \
	LOAD SIZE(R9)(CX*SIZE), BX \
	ADDQ start-16(SP), AX \
	CMPQ BX, R14 \
	JHI  wrong \
	SUBQ AX, BX \
	JCS  wrong \
	LEAQ (R8)(AX*4), DX \
	CMPQ vector+80(FP), $0 \
	JNE  behind \
	CMPQ BX, $4 \
	JLT  rest \
fours: \
	OF4 \
	JNZ  among \
	ADDQ $16, DX \
	SUBQ $4, BX \
	CMPQ BX, $4 \
	JLT  rest \
	CMPQ vector+80(FP), $0 \
	JEQ  fours \
near: \
	MOVL    $16, AX \
	CMPQ    BX, AX \
	CMOVQLT BX, AX \
	MOVL    (DX), R15 \
	MOVL    -4(DX)(AX*4), R13 \
	SUBL    R15, R13 \
	CMPL    R13, $248 \
	JHI     eights \
	SHRL    $3, R15 \
	CMPQ    R15, far-8(SP) \
	JGT     eights \
	VMOVDQU (SI)(R15*1), Y0 \
	VPTEST  Y0, Y0 \
	JNE     eights \
	LEAQ    (DX)(AX*4), DX \
	SUBQ    AX, BX \
	JMP     behind \
eights: \
	CMPQ BX, $8 \
	JLT  fours \
	VMOVDQU (DX), Y0 \
	VPSRLD $5, Y0, Y1 \
	VPMAXUD Y1, Y9, Y2 \
	VPCMPEQD Y9, Y2, Y2 \
	VPAND Y2, Y8, Y8 \
	VMOVDQA Y6, Y3 \
	VPGATHERDD Y2, (SI)(Y1*4), Y3 \
	VPANDN Y7, Y0, Y4 \
	VPSLLVD Y4, Y3, Y3 \
	VMOVMSKPS Y3, AX \
	TESTL AX, AX \
	JNZ  among_eight \
	ADDQ $32, DX \
	SUBQ $8, BX \
behind: \
	CMPQ BX, $4 \
	JGE  near \
rest: \
	TESTQ BX, BX \
	JEQ   passed \
	LEAQ  16(DX), AX \
	CMPQ  AX, end-32(SP) \
	JHI   one \
	OF4 \
	SHLL  $4, BX \
	ORL   R13, BX \
	MOVQ  table+88(FP), AX \
	TESTL $1, (AX)(BX*8) \
	JEQ   passed \
	MOVBLZX 768(AX)(BX*1), AX \
	MOVL  (DX)(AX*4), AX \
	JMP   one_has \
one: \
	BIT(0) \
	JCS  one_has \
	ADDQ $4, DX \
	DECQ BX \
	JNE  one \
passed: \
	LEAQ -1(R10), AX \
	ANDQ AX, R10 \
next: \
	TESTQ R10, R10 \
	JNE   row \
	CMPQ  late-24(SP), $0 \
	JNE   again \
	CMPQ  vector+80(FP), $0 \
	JEQ   told \
	VMOVMSKPS Y8, AX \
	VZEROUPPER \
	CMPL  AX, $0xff \
	JNE   none \
told: \
	MOVQ  R12, hit+96(FP) \
	MOVB  $1, done+104(FP) \
	RET \
among_eight: \
	BSFL AX, AX \
	MOVL (DX)(AX*4), AX \
	JMP  one_has \
among: \
	BSRL R13, R13 \
	XORL $3, R13 \
	MOVL (DX)(R13*4), AX \
one_has: \
	MOVL AX, (DI)(CX*4) \
	BTSQ CX, R12 \
	JMP  passed \
wrong: \
	CMPQ vector+80(FP), $0 \
	JEQ  none \
	VZEROUPPER \
none: \
	MOVQ $0, hit+96(FP) \
	MOVB $0, done+104(FP) \
	RET

// func seekFirstWide(found *[64]uint32, set []uint64, at []uint32, bounds *[65]uint64, run uint64) (hit uint64, done bool)
TEXT ·seekFirstWide(SB), NOSPLIT, $0-81
	FIRSTS(MOVQ, 8)

// func seekFirstNarrow(found *[64]uint32, set []uint64, at []uint32, bounds *[65]uint32, run uint64) (hit uint64, done bool)
TEXT ·seekFirstNarrow(SB), NOSPLIT, $0-81
	FIRSTS(MOVL, 4)

// func seekRowsWide(found *[64]uint32, set []uint64, at []uint32, bounds *uint64, from, run, vector uint64, table *fourths) (hit uint64, done bool)
TEXT ·seekRowsWide(SB), NOSPLIT, $64-105
	ROWS(MOVQ, 8)

// func seekRowsNarrow(found *[64]uint32, set []uint64, at []uint32, bounds *uint32, from, run, vector uint64, table *fourths) (hit uint64, done bool)
TEXT ·seekRowsNarrow(SB), NOSPLIT, $64-105
	ROWS(MOVL, 4)
