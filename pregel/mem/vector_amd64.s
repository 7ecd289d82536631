//go:build !race

#include "textflag.h"

// The loops of vector.go, four numbers a turn or eight. CX counts from -n to 0, and the lists are
// given by their ends. Nothing is fused: a product is rounded before it is added.

DATA abs<>+0(SB)/8, $0x7fffffffffffffff
GLOBL abs<>(SB), RODATA|NOPTR, $8

// 2^52, whose low half holds an integer below 2^32 in the same place as an uint64 does.
DATA whole<>+0(SB)/8, $0x4330000000000000
GLOBL whole<>(SB), RODATA|NOPTR, $8

DATA one4<>+0(SB)/4, $0x3f800000
GLOBL one4<>(SB), RODATA|NOPTR, $4

DATA one8<>+0(SB)/8, $0x3ff0000000000000
GLOBL one8<>(SB), RODATA|NOPTR, $8

// SUMEMPTY begins the loops of numbers of WIDTH bytes: Y0 is the sum.
#define SUMEMPTY(WIDTH) \
	MOVQ list+0(FP), SI \
	MOVQ bounds+8(FP), R9 \
	MOVQ n+16(FP), CX \
	MOVQ l+24(FP), DX \
	VXORPD Y0, Y0, Y0 \
	LEAQ (SI)(CX*WIDTH), SI \
	LEAQ (R9)(CX*8), R9 \
	NEGQ CX

// AFFINE begins the loops of numbers of WIDTH bytes: Y0 is the sum of changes, Y1 base, Y2
// factor, Y3 what leaves out signs.
#define AFFINE(WIDTH, LANES) \
	MOVQ to+0(FP), DI \
	MOVQ from+8(FP), SI \
	MOVQ n+16(FP), CX \
	VBROADCASTSD base+24(FP), Y1 \
	VBROADCASTSD factor+32(FP), Y2 \
	MOVQ LANES+40(FP), DX \
	VBROADCASTSD abs<>(SB), Y3 \
	VXORPD Y0, Y0, Y0 \
	LEAQ (DI)(CX*WIDTH), DI \
	LEAQ (SI)(CX*WIDTH), SI \
	NEGQ CX

// AFFINE4 is a turn of it for numbers of 4 bytes. Y4 is what they are now, as wide ones.
#define AFFINE4 \
	VCVTPS2PD (SI)(CX*4), Y4 \
	VCVTPS2PD (DI)(CX*4), Y5 \
	VMULPD Y4, Y2, Y4 \
	VADDPD Y4, Y1, Y4 \
	VCVTPD2PSY Y4, X4 \
	VMOVUPS X4, (DI)(CX*4) \
	VCVTPS2PD X4, Y4 \
	VSUBPD Y5, Y4, Y5 \
	VANDPD Y3, Y5, Y5 \
	VADDPD Y5, Y0, Y0

// AFFINE8 is AFFINE4 for numbers of 8 bytes.
#define AFFINE8 \
	VMULPD (SI)(CX*8), Y2, Y4 \
	VADDPD Y4, Y1, Y4 \
	VSUBPD (DI)(CX*8), Y4, Y5 \
	VMOVUPD Y4, (DI)(CX*8) \
	VANDPD Y3, Y5, Y5 \
	VADDPD Y5, Y0, Y0

// EMPTY adds to Y6 those of Y4 whose bounds are the same; EMPTIES begins with that.
#define EMPTY \
	VMOVDQU (R9)(CX*8), Y7 \
	VPCMPEQQ 8(R9)(CX*8), Y7, Y7 \
	VANDPD Y4, Y7, Y7 \
	VADDPD Y7, Y6, Y6

#define EMPTIES \
	MOVQ bounds+48(FP), R9 \
	VXORPD Y6, Y6, Y6 \
	MOVQ n+16(FP), AX \
	LEAQ (R9)(AX*8), R9

// func affine4(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)
TEXT ·affine4(SB), NOSPLIT, $0-48
	AFFINE(4, l)
loop:
	AFFINE4
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func affine8(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)
TEXT ·affine8(SB), NOSPLIT, $0-48
	AFFINE(8, l)
loop:
	AFFINE8
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func affineEmpty4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds *uint64, empties *lanes)
TEXT ·affineEmpty4(SB), NOSPLIT, $0-64
	AFFINE(4, changes)
	EMPTIES
loop:
	AFFINE4
	EMPTY
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	MOVQ empties+56(FP), DX
	VMOVUPD Y6, (DX)
	VZEROUPPER
	RET

// func affineEmpty8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds *uint64, empties *lanes)
TEXT ·affineEmpty8(SB), NOSPLIT, $0-64
	AFFINE(8, changes)
	EMPTIES
loop:
	AFFINE8
	EMPTY
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	MOVQ empties+56(FP), DX
	VMOVUPD Y6, (DX)
	VZEROUPPER
	RET

// func sumEmpty4(list unsafe.Pointer, bounds *uint64, n int, l *lanes)
TEXT ·sumEmpty4(SB), NOSPLIT, $0-32
	SUMEMPTY(4)
loop:
	VMOVDQU (R9)(CX*8), Y1
	VPCMPEQQ 8(R9)(CX*8), Y1, Y1
	VCVTPS2PD (SI)(CX*4), Y2
	VANDPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func sumEmpty8(list unsafe.Pointer, bounds *uint64, n int, l *lanes)
TEXT ·sumEmpty8(SB), NOSPLIT, $0-32
	SUMEMPTY(8)
loop:
	VMOVDQU (R9)(CX*8), Y1
	VPCMPEQQ 8(R9)(CX*8), Y1, Y1
	VANDPD (SI)(CX*8), Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func shares4(to, from unsafe.Pointer, bounds *uint64, n int) (done int)
//
// Eight a turn. Y2 is the low halves of bounds[i+1]-bounds[i], which the processor takes for
// integers with a sign: it ends where one has any.
TEXT ·shares4(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ bounds+16(FP), R9
	MOVQ n+24(FP), CX
	MOVQ CX, DX
	VBROADCASTSS one4<>(SB), Y6
	VXORPS Y7, Y7, Y7
	LEAQ (DI)(CX*4), DI
	LEAQ (SI)(CX*4), SI
	LEAQ (R9)(CX*8), R9
	NEGQ CX
loop:
	VMOVDQU 8(R9)(CX*8), Y2
	VMOVDQU 40(R9)(CX*8), Y3
	VPSUBQ (R9)(CX*8), Y2, Y2
	VPSUBQ 32(R9)(CX*8), Y3, Y3
	VSHUFPS $0x88, Y3, Y2, Y2 // 0 1 4 5 2 3 6 7
	VPERMQ $0xD8, Y2, Y2
	VMOVMSKPS Y2, AX
	TESTL AX, AX
	JNE end
	VCVTDQ2PS Y2, Y2
	VCMPPS $4, Y7, Y2, Y3 // not equal to 0
	VDIVPS Y2, Y6, Y2
	VANDPS Y3, Y2, Y2
	VMULPS (SI)(CX*4), Y2, Y2
	VMOVUPS Y2, (DI)(CX*4)
	ADDQ $8, CX
	JNE loop
end:
	ADDQ CX, DX
	MOVQ DX, done+32(FP)
	VZEROUPPER
	RET

// func shares8(to, from unsafe.Pointer, bounds *uint64, n int)
//
// Four a turn. Shares are looked up, as a division takes as long as all else together; if one of
// the four is not among those, they are divided. R10 is the bound that the next is counted from.
TEXT ·shares8(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ bounds+16(FP), R9
	MOVQ n+24(FP), CX
	VBROADCASTSD whole<>(SB), Y5
	VBROADCASTSD one8<>(SB), Y6
	VXORPD Y7, Y7, Y7
	LEAQ ·someShares(SB), R11
	LEAQ (DI)(CX*8), DI
	LEAQ (SI)(CX*8), SI
	MOVQ (R9), R10
	LEAQ (R9)(CX*8), R9
	NEGQ CX
loop:
	MOVQ 8(R9)(CX*8), AX
	MOVQ 16(R9)(CX*8), BX
	MOVQ 24(R9)(CX*8), R8
	MOVQ 32(R9)(CX*8), R12
	MOVQ R12, R13
	SUBQ R8, R12
	SUBQ BX, R8
	SUBQ AX, BX
	SUBQ R10, AX
	MOVQ R13, R10
	MOVQ AX, DX
	ORQ BX, DX
	ORQ R8, DX
	ORQ R12, DX
	CMPQ DX, $256
	JCC divide
	VMOVSD (R11)(AX*8), X2
	VMOVHPD (R11)(BX*8), X2, X2
	VMOVSD (R11)(R8*8), X3
	VMOVHPD (R11)(R12*8), X3, X3
	VINSERTF128 $1, X3, Y2, Y2
	VMULPD (SI)(CX*8), Y2, Y2
next:
	VMOVUPD Y2, (DI)(CX*8)
	ADDQ $4, CX
	JNE loop
	VZEROUPPER
	RET
divide:
	VMOVDQU 8(R9)(CX*8), Y2
	VPSUBQ (R9)(CX*8), Y2, Y2
	VPBLENDD $0xAA, Y5, Y2, Y2
	VSUBPD Y5, Y2, Y2 // the differences modulo 2^32, as floats
	VCMPPD $4, Y7, Y2, Y3 // not equal to 0
	VDIVPD Y2, Y6, Y2
	VANDPD Y3, Y2, Y2
	VMULPD (SI)(CX*8), Y2, Y2
	JMP next

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	XORL CX, CX
	CPUID
	CMPL AX, $7
	JLT no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // XGETBV may be used, and AVX
	CMPL CX, $0x18000000
	JNE no
	XORL CX, CX
	XGETBV
	ANDL $6, AX // the system keeps both halves
	CMPL AX, $6
	JNE no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX // AVX2
	ANDL $1, BX
	MOVB BX, ret+0(FP)
no:
	RET
