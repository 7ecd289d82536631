//go:build !race

#include "textflag.h"
#include "offers_amd64.h"

// The loops of offers.go.

// OWN asks for lines to write. SIB is (SI)(AX*4) or (SI)(AX*8) of PREFETCHW, which the
// assembler does not know.
#define OWN(SIB) \
	MOVQ list+0(FP), SI \
	MOVQ at+8(FP), DX \
	MOVQ n+16(FP), CX \
one: \
	MOVL (DX), AX \
	BYTE $0x0f; BYTE $0x0d; BYTE $0x0c; BYTE $SIB \
	ADDQ $4, DX \
	DECQ CX \
	JNE one \
	RET

// KEEP writes those of the indices Y0 and sums Y1 that are less, of which Y2 are to be read.
#define KEEP4 \
	VPXOR Y3, Y3, Y3 \
	VPGATHERDD Y2, (SI)(Y0*4), Y3 \
	VPMINUD Y1, Y3, Y4 \
	VPCMPEQD Y3, Y4, Y4 \
	VMOVMSKPS Y4, AX \
	XORL $255, AX \
	VPMOVZXBD (R9)(AX*8), Y5 \
	VPERMD Y0, Y5, Y0 \
	VPERMD Y1, Y5, Y1 \
	VMOVDQU Y0, (R12)(BX*4) \
	VMOVDQU Y1, (R13)(BX*4) \
	POPCNTL AX, AX \
	ADDQ AX, BX

#define ALL4 \
	VMOVDQU (R14), Y0 \
	VPADDD (R15), Y12, Y1 \
	WITHIN \
	VMOVDQA Y3, Y2 \
	KEEP4

#define SOME4 \
	VMOVDQU (DI), Y2 \
	VPMASKMOVD (R14), Y2, Y0 \
	VPMASKMOVD (R15), Y2, Y1 \
	VPADDD Y1, Y12, Y1 \
	WITHIN \
	VPAND Y3, Y2, Y2 \
	KEEP4

// KEEP8 has one half of Y0 alone, sign by sign compared.
#define KEEP8 \
	VPSLLQ X10, Y1, Y1 \
	VPADDQ Y1, Y12, Y1 \
	VPXOR Y3, Y3, Y3 \
	VPGATHERDQ Y2, (SI)(X0*8), Y3 \
	VPXOR Y1, Y11, Y4 \
	VPXOR Y3, Y11, Y5 \
	VPCMPGTQ Y4, Y5, Y4 \
	KEEPHALF

#define ALL8 \
	VMOVDQU (R14), X0 \
	VPMOVZXDQ (R15), Y1 \
	WITHIN \
	VPMOVSXDQ X3, Y2 \
	KEEP8

#define SOME8 \
	VMOVDQU (DI), X2 \
	VPMASKMOVD (R14), X2, X0 \
	VPMASKMOVD (R15), X2, X1 \
	VPMOVZXDQ X1, Y1 \
	WITHIN \
	VPAND X3, X2, X2 \
	VPMOVSXDQ X2, Y2 \
	KEEP8

// func collect4(s *offering)
TEXT ·collect4(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	COLLECT(8, VPBROADCASTD, ALL4, SOME4)

// func collect8(s *offering)
TEXT ·collect8(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	MOVQ 88(DI), X10
	COLLECT(4, VPBROADCASTQ, ALL8, SOME8)

// func own4(list unsafe.Pointer, at *uint32, n int)
TEXT ·own4(SB), NOSPLIT, $0-24
	OWN(0x86)

// func own8(list unsafe.Pointer, at *uint32, n int)
TEXT ·own8(SB), NOSPLIT, $0-24
	OWN(0xc6)

// func prefetchArcs(at, weights, rows unsafe.Pointer, n int)
//
// Of each row eight lines are asked for, and that of the last of those arcs: a short row may end in another than it
// begins in. AX is where an arc is, CX where the last may be.
TEXT ·prefetchArcs(SB), NOSPLIT, $0-32
	MOVQ at+0(FP), R8
	MOVQ weights+8(FP), R9
	MOVQ rows+16(FP), R10
	MOVQ n+24(FP), R11
row:
	MOVQ (R10), AX
	MOVQ 8(R10), CX
	LEAQ 128(AX), BX
	CMPQ BX, CX
	CMOVQLT BX, CX
line:
	PREFETCHT0 (R8)(AX*4)
	PREFETCHT0 (R9)(AX*4)
	ADDQ $16, AX
	CMPQ AX, CX
	JLT line
	PREFETCHT0 -4(R8)(CX*4)
	PREFETCHT0 -4(R9)(CX*4)
	ADDQ $24, R10
	DECQ R11
	JNE row
	RET
