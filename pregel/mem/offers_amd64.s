//go:build !race

#include "textflag.h"

// The loops of offers.go.
//
//	SI   list                  R8   at
//	Y15  its last index        R9   heads
//	R10  row, R11 the last's end   R14  at, where the row's next arc is
//	R12  where At is written   R15  weights, likewise
//	R13  where Sums is         CX   arcs of the row that are left
//	BX   how many are found    Y12  the row's base
//	DX   when there is no room
//
// Of numbers beyond the list Y13 says so, and they are not read: 0 stands for them, and for
// those that follow the end of a row.

// first<> has eight ones and eight zeros: from N before its middle on, N ones.
DATA first<>+0(SB)/8, $-1
DATA first<>+8(SB)/8, $-1
DATA first<>+16(SB)/8, $-1
DATA first<>+24(SB)/8, $-1
DATA first<>+32(SB)/8, $0
DATA first<>+40(SB)/8, $0
DATA first<>+48(SB)/8, $0
DATA first<>+56(SB)/8, $0
GLOBL first<>(SB), RODATA|NOPTR, $64

// COLLECT is the loop. WIDTH numbers are looked at by a turn: ALL is for so many, SOME for
// those of Y2.
#define COLLECT(WIDTH, BROADCAST, ALL, SOME) \
	MOVQ 0(DI), SI \
	VPBROADCASTD 8(DI), Y15 \
	MOVQ 16(DI), R8 \
	MOVQ 112(DI), R9 \
	MOVQ 40(DI), R10 \
	MOVQ 48(DI), R11 \
	LEAQ (R11)(R11*2), R11 \
	LEAQ (R10)(R11*8), R11 \
	MOVQ 56(DI), R12 \
	MOVQ 64(DI), R13 \
	MOVQ 72(DI), DX \
	MOVQ 80(DI), BX \
	VPCMPEQD Y13, Y13, Y13 \
	VPCMPEQD Y14, Y14, Y14 \
	VPSLLQ $63, Y14, Y11 \
row: \
	CMPQ R10, R11 \
	JEQ done \
	MOVQ s+0(FP), DI \
	MOVQ (R10), AX \
	MOVQ 8(R10), CX \
	CMPQ CX, 24(DI) \
	JHI wrong \
	SUBQ AX, CX \
	JCS wrong \
	BROADCAST 16(R10), Y12 \
	LEAQ (R8)(AX*4), R14 \
	MOVQ 32(DI), R15 \
	LEAQ (R15)(AX*4), R15 \
turn: \
	CMPQ BX, DX \
	JHI done \
	SUBQ $WIDTH, CX \
	JLT rest \
	ALL \
	ADDQ $(4*WIDTH), R14 \
	ADDQ $(4*WIDTH), R15 \
	JMP turn \
rest: \
	ADDQ $WIDTH, CX \
	JEQ next \
	LEAQ first<>+32(SB), DI \
	SHLQ $2, CX \
	SUBQ CX, DI \
	SOME \
next: \
	ADDQ $24, R10 \
	JMP row \
done: \
	MOVQ s+0(FP), DI \
	MOVQ BX, 80(DI) \
	SUBQ R8, R14 \
	SHRQ $2, R14 \
	MOVQ R14, 104(DI) \
	SUBQ 40(DI), R10 \
	MOVQ R10, 96(DI) \
	VPTEST Y14, Y13 \
	SETCS 120(DI) \
	VZEROUPPER \
	RET \
wrong: \
	MOVB $0, 120(DI) \
	VZEROUPPER \
	RET

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

// WITHIN sets Y3 to which indices of Y0 are within the list.
#define WITHIN \
	VPMINUD Y0, Y15, Y3 \
	VPCMPEQD Y0, Y3, Y3 \
	VPAND Y3, Y13, Y13

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
	VMOVMSKPD Y4, AX \
	VPMOVZXBD (R9)(AX*8), Y5 \
	VPERMD Y1, Y5, Y1 \
	VPSHUFD $0x88, Y5, Y6 \
	VPERMQ $0x08, Y6, Y6 \
	VPSRLD $1, X6, X6 \
	VPERMILPS X6, X0, X0 \
	VMOVDQU X0, (R12)(BX*4) \
	VMOVDQU Y1, (R13)(BX*8) \
	POPCNTL AX, AX \
	ADDQ AX, BX

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
// Of each row eight lines are asked for. AX is where an arc is, CX where the last may be.
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
	ADDQ $24, R10
	DECQ R11
	JNE row
	RET
