//go:build !race

#include "textflag.h"

// The loops of mask.go, eight numbers a turn, the last first. CX is where they are behind
// SI, AX has a one for each so far that is alike.

// EIGHT8 looks at eight numbers of eight bytes, in Y1 and Y0, beside FIRST and LAST.
#define EIGHT8(LAST, FIRST) \
	VPCMPEQQ LAST, Y0, Y0 \
	VPCMPEQQ FIRST, Y1, Y1 \
	VMOVMSKPD Y0, DX \
	VMOVMSKPD Y1, BX \
	SHLQ $8, AX \
	SHLL $4, DX \
	ORL BX, DX \
	ORQ DX, AX

// LENGTHS8 finds the lengths of eight rows, those of the last four in Y0.
#define LENGTHS8 \
	VMOVDQU 40(SI)(CX*1), Y0 \
	VMOVDQU 8(SI)(CX*1), Y1 \
	VPSUBQ 32(SI)(CX*1), Y0, Y0 \
	VPSUBQ (SI)(CX*1), Y1, Y1

// ROWS returns what was found of rows, in AX those of none, in R8 those of one.
#define ROWS \
	NOTQ AX \
	VZEROUPPER \
	MOVQ AX, some+8(FP) \
	NOTQ R8 \
	ANDQ AX, R8 \
	MOVQ R8, several+16(FP) \
	RET

// func rows64(bounds *[65]uint64) (some, several uint64)
TEXT ·rows64(SB), NOSPLIT, $0-24
	MOVQ bounds+0(FP), SI
	VPXOR Y2, Y2, Y2
	MOVL $1, AX
	VMOVQ AX, X3
	VPBROADCASTQ X3, Y3
	XORL AX, AX
	XORL R8, R8
	MOVL $448, CX

row:
	LENGTHS8
	VPCMPEQQ Y3, Y0, Y4
	VPCMPEQQ Y3, Y1, Y5
	VMOVMSKPD Y4, DX
	VMOVMSKPD Y5, BX
	SHLQ $8, R8
	SHLL $4, DX
	ORL BX, DX
	ORQ DX, R8
	EIGHT8(Y2, Y2)
	SUBQ $64, CX
	JCC row
	ROWS

// func narrowRows64(bounds *[65]uint32) (some, several uint64)
TEXT ·narrowRows64(SB), NOSPLIT, $0-24
	MOVQ bounds+0(FP), SI
	VPXOR Y2, Y2, Y2
	MOVL $1, AX
	VMOVD AX, X3
	VPBROADCASTD X3, Y3
	XORL AX, AX
	XORL R8, R8
	MOVL $224, CX

narrow:
	VMOVDQU 4(SI)(CX*1), Y0
	VPSUBD (SI)(CX*1), Y0, Y0
	VPCMPEQD Y3, Y0, Y4
	VPCMPEQD Y2, Y0, Y5
	VMOVMSKPS Y4, DX
	VMOVMSKPS Y5, BX
	SHLQ $8, R8
	SHLQ $8, AX
	ORQ DX, R8
	ORQ BX, AX
	SUBQ $32, CX
	JCC narrow
	ROWS

// func unlike8(words *[64]uint64, x uint64) (set uint64)
TEXT ·unlike8(SB), NOSPLIT, $0-24
	MOVQ words+0(FP), SI
	VPBROADCASTQ x+8(FP), Y2
	XORL AX, AX
	MOVL $448, CX

eight:
	VMOVDQU 32(SI)(CX*1), Y0
	VMOVDQU (SI)(CX*1), Y1
	EIGHT8(Y2, Y2)
	SUBQ $64, CX
	JCC eight
	NOTQ AX
	VZEROUPPER
	MOVQ AX, set+16(FP)
	RET

// func unlike4(words *[64]uint32, x uint32) (set uint64)
TEXT ·unlike4(SB), NOSPLIT, $0-24
	MOVQ words+0(FP), SI
	MOVL x+8(FP), DX
	VMOVD DX, X2
	VPBROADCASTD X2, Y2
	XORL AX, AX
	MOVL $224, CX

four:
	VPCMPEQD (SI)(CX*1), Y2, Y0
	VMOVMSKPS Y0, DX
	SHLQ $8, AX
	ORQ DX, AX
	SUBQ $32, CX
	JCC four
	NOTQ AX
	VZEROUPPER
	MOVQ AX, set+16(FP)
	RET
