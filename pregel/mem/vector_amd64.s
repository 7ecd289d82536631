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
#define AFFINE(WIDTH) \
	MOVQ to+0(FP), DI \
	MOVQ from+8(FP), SI \
	MOVQ n+16(FP), CX \
	VBROADCASTSD base+24(FP), Y1 \
	VBROADCASTSD factor+32(FP), Y2 \
	MOVQ l+40(FP), DX \
	VBROADCASTSD abs<>(SB), Y3 \
	VXORPD Y0, Y0, Y0 \
	LEAQ (DI)(CX*WIDTH), DI \
	LEAQ (SI)(CX*WIDTH), SI \
	NEGQ CX

// func affine4(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)
TEXT ·affine4(SB), NOSPLIT, $0-48
	AFFINE(4)
loop:
	VCVTPS2PD (SI)(CX*4), Y4
	VCVTPS2PD (DI)(CX*4), Y5
	VMULPD Y4, Y2, Y4
	VADDPD Y4, Y1, Y4
	VCVTPD2PSY Y4, X4
	VMOVUPS X4, (DI)(CX*4)
	VCVTPS2PD X4, Y4
	VSUBPD Y5, Y4, Y4
	VANDPD Y3, Y4, Y4
	VADDPD Y4, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func affine8(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)
TEXT ·affine8(SB), NOSPLIT, $0-48
	AFFINE(8)
loop:
	VMULPD (SI)(CX*8), Y2, Y4
	VADDPD Y4, Y1, Y4
	VSUBPD (DI)(CX*8), Y4, Y5
	VMOVUPD Y4, (DI)(CX*8)
	VANDPD Y3, Y5, Y5
	VADDPD Y5, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
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

// DEGREES makes Y2 the four bounds[i+1]-bounds[i] modulo 2^32, as floats.
#define DEGREES \
	VMOVDQU 8(R9)(CX*8), Y2 \
	VPSUBQ (R9)(CX*8), Y2, Y2 \
	VPBLENDD $0xAA, Y5, Y2, Y2 \
	VSUBPD Y5, Y2, Y2

// func shares8(to, from unsafe.Pointer, bounds *uint64, n int)
TEXT ·shares8(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ bounds+16(FP), R9
	MOVQ n+24(FP), CX
	VBROADCASTSD whole<>(SB), Y5
	VBROADCASTSD one8<>(SB), Y6
	VXORPD Y7, Y7, Y7
	LEAQ (DI)(CX*8), DI
	LEAQ (SI)(CX*8), SI
	LEAQ (R9)(CX*8), R9
	NEGQ CX
loop:
	DEGREES
	VCMPPD $4, Y7, Y2, Y3 // not equal to 0
	VDIVPD Y2, Y6, Y2
	VANDPD Y3, Y2, Y2
	VMULPD (SI)(CX*8), Y2, Y2
	VMOVUPD Y2, (DI)(CX*8)
	ADDQ $4, CX
	JNE loop
	VZEROUPPER
	RET

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
