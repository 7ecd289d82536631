//go:build !race

#include "textflag.h"

// The loops of offers.go for processors whose gathers are slow: in a turn of eight arcs numbers
// are read one by one. What is left of a row is gathered: reads for lanes that are none of the
// row's would take longer. Registers are those of offers_amd64.s, and besides
//
//	Y6   which lanes are the row's
//	Y7   lower halves of numbers
//	Y8   the lower half of the row's base
//	Y11  signs

// ours<> has eight ones and eight zeros: from N before its middle on, N ones.
DATA ours<>+0(SB)/8, $-1
DATA ours<>+8(SB)/8, $-1
DATA ours<>+16(SB)/8, $-1
DATA ours<>+24(SB)/8, $-1
DATA ours<>+32(SB)/8, $0
DATA ours<>+40(SB)/8, $0
DATA ours<>+48(SB)/8, $0
DATA ours<>+56(SB)/8, $0
GLOBL ours<>(SB), RODATA|NOPTR, $64

// PICK is the loop: BASE reads the row's base, ALL and SOME are a turn and a row's last.
#define PICK(BASE, ALL, SOME) \
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
	BASE \
	LEAQ (R8)(AX*4), R14 \
	MOVQ 32(DI), R15 \
	LEAQ (R15)(AX*4), R15 \
turn: \
	CMPQ BX, DX \
	JHI done \
	SUBQ $8, CX \
	JLT rest \
	ALL \
	ADDQ $32, R14 \
	ADDQ $32, R15 \
	JMP turn \
rest: \
	ADDQ $8, CX \
	JEQ next \
	LEAQ ours<>+32(SB), DI \
	SHLQ $2, CX \
	SUBQ CX, DI \
	VMOVDQU (DI), Y6 \
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
	MOVB $1, 120(DI) \
	VZEROUPPER \
	RET \
wrong: \
	MOVQ s+0(FP), DI \
	MOVB $0, 120(DI) \
	VZEROUPPER \
	RET

// WITHIN goes to wrong unless all indices Y0 are within the list.
#define WITHIN \
	VPMINUD Y0, Y15, Y3 \
	VPCMPEQD Y0, Y3, Y3 \
	VPTEST Y14, Y3 \
	JCC wrong

// ALL reads indices to Y0 and makes sums in Y1, SOME for the lanes of Y6.
#define ALL \
	VMOVDQU (R14), Y0 \
	WITHIN \
	VPADDD (R15), Y12, Y1

#define SOME \
	VPMASKMOVD (R14), Y6, Y0 \
	VPMASKMOVD (R15), Y6, Y1 \
	WITHIN \
	VPADDD Y1, Y12, Y1

// READ reads the four bytes at OFFSET of each number of WIDTH bytes to Y and its lower half X,
// by X2.
#define READ(OFFSET, WIDTH, X, Y) \
	MOVL (R14), AX \
	VMOVD OFFSET(SI)(AX*WIDTH), X \
	MOVL 16(R14), DI \
	VMOVD OFFSET(SI)(DI*WIDTH), X2 \
	MOVL 4(R14), AX \
	VPINSRD $1, OFFSET(SI)(AX*WIDTH), X, X \
	MOVL 20(R14), DI \
	VPINSRD $1, OFFSET(SI)(DI*WIDTH), X2, X2 \
	MOVL 8(R14), AX \
	VPINSRD $2, OFFSET(SI)(AX*WIDTH), X, X \
	MOVL 24(R14), DI \
	VPINSRD $2, OFFSET(SI)(DI*WIDTH), X2, X2 \
	MOVL 12(R14), AX \
	VPINSRD $3, OFFSET(SI)(AX*WIDTH), X, X \
	MOVL 28(R14), DI \
	VPINSRD $3, OFFSET(SI)(DI*WIDTH), X2, X2 \
	VINSERTI128 $1, X2, Y, Y

// GATHER is READ to Y3 for the lanes of Y6; others are 0, and no sum is less.
#define GATHER(OFFSET, WIDTH) \
	VPXOR Y3, Y3, Y3 \
	VMOVDQA Y6, Y2 \
	VPGATHERDD Y2, OFFSET(SI)(Y0*WIDTH), Y3

// CHOSEN moves those of Y0 and Y1 together that Y4 does not have; AX is their mask.
#define CHOSEN \
	VMOVMSKPS Y4, AX \
	XORL $255, AX \
	VPMOVZXBD (R9)(AX*8), Y5 \
	VPERMD Y0, Y5, Y0 \
	VPERMD Y1, Y5, Y1 \
	VMOVDQU Y0, (R12)(BX*4) \
	POPCNTL AX, AX

#define BASE4 \
	VPBROADCASTD 16(R10), Y12

#define KEEP4 \
	VPMINUD Y1, Y3, Y4 \
	VPCMPEQD Y3, Y4, Y4 \
	CHOSEN \
	VMOVDQU Y1, (R13)(BX*4) \
	ADDQ AX, BX

#define ALL4 \
	ALL \
	READ(0, 4, X3, Y3) \
	KEEP4

// Of four and fewer, of whom CX has four times as many, four are gathered.
#define SOME4 \
	SOME \
	CMPQ CX, $16 \
	JHI eight \
	VPXOR Y3, Y3, Y3 \
	VPGATHERDD X6, (SI)(X0*4), X3 \
	JMP gathered \
eight: \
	GATHER(0, 4) \
gathered: \
	KEEP4

#define BASE8 \
	VPBROADCASTD 20(R10), Y12 \
	VPBROADCASTD 16(R10), Y8

// KEEP8 compares upper halves; where some are equal the lower ones decide, at TIES, which goes
// on at LESS.
#define KEEP8(TIES, LESS) \
	VPMINUD Y1, Y3, Y4 \
	VPCMPEQD Y3, Y4, Y4 \
	VPCMPEQD Y1, Y3, Y3 \
	VPTEST Y3, Y3 \
	JNE TIES \
LESS: \
	CHOSEN \
	VPMOVZXDQ X1, Y3 \
	VEXTRACTI128 $1, Y1, X1 \
	VPMOVZXDQ X1, Y1 \
	VPMOVZXDQ X8, Y5 \
	VPSLLQ $32, Y3, Y3 \
	VPSLLQ $32, Y1, Y1 \
	VPOR Y5, Y3, Y3 \
	VPOR Y5, Y1, Y1 \
	VMOVDQU Y3, (R13)(BX*8) \
	VMOVDQU Y1, 32(R13)(BX*8) \
	ADDQ AX, BX

#define ALL8 \
	ALL \
	READ(4, 8, X3, Y3) \
	KEEP8(tiesAll, lessAll)

// Four and fewer are compared as a whole.
#define SOME8 \
	SOME \
	CMPQ CX, $16 \
	JHI eight \
	FOUR8 \
	JMP next \
eight: \
	GATHER(4, 8) \
	KEEP8(tiesSome, lessSome)

#define FOUR8 \
	VPMOVSXDQ X6, Y2 \
	VPXOR Y3, Y3, Y3 \
	VPGATHERDQ Y2, (SI)(X0*8), Y3 \
	VPMOVZXDQ X8, Y7 \
	VPMOVZXDQ X1, Y4 \
	VPSLLQ $32, Y4, Y4 \
	VPOR Y7, Y4, Y4 \
	VPXOR Y4, Y11, Y4 \
	VPXOR Y3, Y11, Y3 \
	VPCMPGTQ Y4, Y3, Y4 \
	VMOVMSKPD Y4, AX \
	VPMOVZXBD (R9)(AX*8), X5 \
	VPERMILPS X5, X0, X0 \
	VPERMILPS X5, X1, X1 \
	VMOVDQU X0, (R12)(BX*4) \
	VPMOVZXDQ X1, Y1 \
	VPSLLQ $32, Y1, Y1 \
	VPOR Y7, Y1, Y1 \
	VMOVDQU Y1, (R13)(BX*8) \
	POPCNTL AX, AX \
	ADDQ AX, BX

// UNTIE takes those of Y3 out of Y4 whose lower half, in Y7, is more than the base's.
#define UNTIE \
	VPMINUD Y8, Y7, Y2 \
	VPCMPEQD Y7, Y2, Y2 \
	VPANDN Y3, Y2, Y2 \
	VPANDN Y4, Y2, Y4

// func pick4(s *offering)
TEXT ·pick4(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	PICK(BASE4, ALL4, SOME4)

// func pick8(s *offering)
TEXT ·pick8(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	PICK(BASE8, ALL8, SOME8)
tiesAll:
	READ(0, 8, X7, Y7)
	UNTIE
	JMP lessAll
tiesSome:
	VPXOR Y7, Y7, Y7
	VPGATHERDD Y6, 0(SI)(Y0*8), Y7
	UNTIE
	JMP lessSome

// func byAMD() bool
TEXT ·byAMD(SB), NOSPLIT, $0-1
	XORL AX, AX
	XORL CX, CX
	CPUID
	CMPL BX, $0x68747541 // "Auth" of AuthenticAMD
	SETEQ ret+0(FP)
	RET
