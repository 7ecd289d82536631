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

// func seekRowsBy(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run, wide uint64) (hit uint64, done bool)
//
//	DI  found              R9   bounds
//	SI  set, of R11 words  R10  rows yet to look at
//	R8  at, of R14 numbers R12  rows that have one
//	R13 from
//
// CX is the row, DX where its next number is, BX how many it has from there. wide, not
// 0: there is AVX2, and what is behind the first four is passed by up to sixteen at a time
// if 256 bits from the first of those on, which have the last, are all zero, or else looked at
// by eights, in words of 32 bits: Y9 is the last of those in each lane, Y7 31, Y6 0. Y8 has a lane
// of zeros where a word was beyond; it was not read. far is the last byte that 256 bits
// begin at.
TEXT ·seekRowsBy(SB), NOSPLIT, $8-113
	MOVQ found+0(FP), DI
	MOVQ set_base+8(FP), SI
	MOVQ set_len+16(FP), R11
	MOVQ at_base+32(FP), R8
	MOVQ at_len+40(FP), R14
	MOVQ bounds_base+56(FP), R9
	MOVQ from+80(FP), R13
	MOVQ run+88(FP), R10
	XORL R12, R12
	CMPQ wide+96(FP), $0
	JEQ  next
	MOVL $31, AX
	VMOVD AX, X7
	VPBROADCASTD X7, Y7
	LEAQ -1(R11)(R11*1), AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	VPCMPEQD Y8, Y8, Y8
	VPXOR Y6, Y6, Y6
	LEAQ -32(R11*8), AX
	MOVQ AX, far-8(SP)
	JMP  next

row:
	BSFQ R10, CX
	MOVQ (R9)(CX*8), AX
	MOVQ 8(R9)(CX*8), BX
	ADDQ R13, AX
	CMPQ BX, R14
	JHI  wrong
	SUBQ AX, BX
	JCS  wrong
	LEAQ (R8)(AX*4), DX
	CMPQ BX, $4
	JLT  rest

fours:
	XORL R13, R13
	BIT(0)
	ADCL R13, R13
	BIT(4)
	ADCL R13, R13
	BIT(8)
	ADCL R13, R13
	BIT(12)
	ADCL R13, R13
	JNZ  among
	ADDQ $16, DX
	SUBQ $4, BX
	CMPQ BX, $4
	JLT  rest
	CMPQ wide+96(FP), $0
	JEQ  fours

near:
	MOVL    $16, AX
	CMPQ    BX, AX
	CMOVQLT BX, AX
	MOVL    (DX), R15
	MOVL    -4(DX)(AX*4), R13
	SUBL    R15, R13
	CMPL    R13, $248 // with the seven bits before the first in its byte
	JHI     eights
	SHRL    $3, R15
	CMPQ    R15, far-8(SP)
	JGT     eights
	VMOVDQU (SI)(R15*1), Y0
	VPTEST  Y0, Y0
	JNE     eights
	LEAQ    (DX)(AX*4), DX
	SUBQ    AX, BX
	JMP     behind

eights:
	CMPQ BX, $8
	JLT  fours
	VMOVDQU (DX), Y0
	VPSRLD $5, Y0, Y1
	VPMAXUD Y1, Y9, Y2
	VPCMPEQD Y9, Y2, Y2
	VPAND Y2, Y8, Y8
	VMOVDQA Y6, Y3
	VPGATHERDD Y2, (SI)(Y1*4), Y3
	VPANDN Y7, Y0, Y4
	VPSLLVD Y4, Y3, Y3
	VMOVMSKPS Y3, AX // the bits, which are the sign now
	TESTL AX, AX
	JNZ  among_eight
	ADDQ $32, DX
	SUBQ $8, BX

behind:
	CMPQ BX, $4
	JGE  near

rest:
	TESTQ BX, BX
	JEQ   passed

one:
	BIT(0)
	JCS  one_has
	ADDQ $4, DX
	DECQ BX
	JNE  one

passed:
	LEAQ -1(R10), AX
	ANDQ AX, R10

next:
	MOVQ  from+80(FP), R13
	TESTQ R10, R10
	JNE   row
	CMPQ  wide+96(FP), $0
	JEQ   told
	VMOVMSKPS Y8, AX
	VZEROUPPER
	CMPL  AX, $0xff
	JNE   none

told:
	MOVQ  R12, hit+104(FP)
	MOVB  $1, done+112(FP)
	RET

among_eight:
	BSFL AX, AX
	MOVL (DX)(AX*4), AX
	JMP  one_has

among: // the first of four is bit 3
	BSRL R13, R13
	XORL $3, R13
	MOVL (DX)(R13*4), AX

one_has:
	MOVL AX, (DI)(CX*4)
	BTSQ CX, R12
	JMP  passed

wrong:
	CMPQ wide+96(FP), $0
	JEQ  none
	VZEROUPPER

none:
	MOVQ $0, hit+104(FP)
	MOVB $0, done+112(FP)
	RET
