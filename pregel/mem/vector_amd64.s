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

// NARROW and WIDE make all ones, of eight bytes each, of those of the next four bounds that are
// the same as the one that follows: Y, whose half is X.
#define NARROW(X, Y) \
	VMOVDQU (R9)(CX*4), X \
	VPCMPEQD 4(R9)(CX*4), X, X \
	VPMOVSXDQ X, Y

#define WIDE(X, Y) \
	VMOVDQU (R9)(CX*8), Y \
	VPCMPEQQ 8(R9)(CX*8), Y, Y

// SUMEMPTY begins the loops of numbers of WIDTH bytes, with bounds of SIZE: Y0 is the sum.
#define SUMEMPTY(WIDTH, SIZE) \
	MOVQ list+0(FP), SI \
	MOVQ bounds+8(FP), R9 \
	MOVQ n+16(FP), CX \
	MOVQ l+24(FP), DX \
	VXORPD Y0, Y0, Y0 \
	LEAQ (SI)(CX*WIDTH), SI \
	LEAQ (R9)(CX*SIZE), R9 \
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

// AFFINEEMPTY is all of the loops that add up in Y6, too, those of Y4 whose bounds are SAME.
#define AFFINEEMPTY(WIDTH, TURN, SIZE, SAME) \
	AFFINE(WIDTH, changes) \
	MOVQ bounds+48(FP), R9 \
	VXORPD Y6, Y6, Y6 \
	MOVQ n+16(FP), AX \
	LEAQ (R9)(AX*SIZE), R9 \
loop: \
	TURN \
	SAME(X7, Y7) \
	VANDPD Y4, Y7, Y7 \
	VADDPD Y7, Y6, Y6 \
	ADDQ $4, CX \
	JNE loop \
	VMOVUPD Y0, (DX) \
	MOVQ empties+56(FP), DX \
	VMOVUPD Y6, (DX) \
	VZEROUPPER \
	RET

// NARROWS8 and WIDES8 make Y2 of the low halves of what the next eight bounds rise by; Y3 is used.
#define NARROWS8 \
	VMOVDQU 4(R9)(CX*4), Y2 \
	VPSUBD (R9)(CX*4), Y2, Y2

#define WIDES8 \
	VMOVDQU 8(R9)(CX*8), Y2 \
	VMOVDQU 40(R9)(CX*8), Y3 \
	VPSUBQ (R9)(CX*8), Y2, Y2 \
	VPSUBQ 32(R9)(CX*8), Y3, Y3 \
	VSHUFPS $0x88, Y3, Y2, Y2 \
	VPERMQ $0xD8, Y2, Y2

// SHARES4 is all of the loops, with bounds of SIZE, eight a turn. The processor takes what they
// rise by for integers with a sign: it ends where one has any.
#define SHARES4(SIZE, RISES) \
	MOVQ to+0(FP), DI \
	MOVQ from+8(FP), SI \
	MOVQ bounds+16(FP), R9 \
	MOVQ n+24(FP), CX \
	MOVQ CX, DX \
	VBROADCASTSS one4<>(SB), Y6 \
	VXORPS Y7, Y7, Y7 \
	LEAQ (DI)(CX*4), DI \
	LEAQ (SI)(CX*4), SI \
	LEAQ (R9)(CX*SIZE), R9 \
	NEGQ CX \
loop: \
	RISES \
	VMOVMSKPS Y2, AX \
	TESTL AX, AX \
	JNE end \
	VCVTDQ2PS Y2, Y2 \
	VCMPPS $4, Y7, Y2, Y3 \
	VDIVPS Y2, Y6, Y2 \
	VANDPS Y3, Y2, Y2 \
	VMULPS (SI)(CX*4), Y2, Y2 \
	VMOVUPS Y2, (DI)(CX*4) \
	ADDQ $8, CX \
	JNE loop \
end: \
	ADDQ CX, DX \
	MOVQ DX, done+32(FP) \
	VZEROUPPER \
	RET

// NARROWS4 and WIDES4 make Y2, whose half is X2, of what the next four bounds rise by, the low
// halves of eight bytes each.
#define NARROWS4 \
	VMOVDQU 4(R9)(CX*4), X2 \
	VPSUBD (R9)(CX*4), X2, X2 \
	VPMOVZXDQ X2, Y2

#define WIDES4 \
	VMOVDQU 8(R9)(CX*8), Y2 \
	VPSUBQ (R9)(CX*8), Y2, Y2

// SHARES8 is all of the loops, four a turn. Shares are looked up, as a division takes as long as all
// else together; if one of the four is not among those, they are divided. R10 is the bound that
// the next is counted from.
#define SHARES8(SIZE, OFFSET, RISES) \
	MOVQ to+0(FP), DI \
	MOVQ from+8(FP), SI \
	MOVQ bounds+16(FP), R9 \
	MOVQ n+24(FP), CX \
	VBROADCASTSD whole<>(SB), Y5 \
	VBROADCASTSD one8<>(SB), Y6 \
	VXORPD Y7, Y7, Y7 \
	LEAQ ·someShares(SB), R11 \
	LEAQ (DI)(CX*8), DI \
	LEAQ (SI)(CX*8), SI \
	OFFSET (R9), R10 \
	LEAQ (R9)(CX*SIZE), R9 \
	NEGQ CX \
loop: \
	OFFSET SIZE(R9)(CX*SIZE), AX \
	OFFSET (2*SIZE)(R9)(CX*SIZE), BX \
	OFFSET (3*SIZE)(R9)(CX*SIZE), R8 \
	OFFSET (4*SIZE)(R9)(CX*SIZE), R12 \
	MOVQ R12, R13 \
	SUBQ R8, R12 \
	SUBQ BX, R8 \
	SUBQ AX, BX \
	SUBQ R10, AX \
	MOVQ R13, R10 \
	MOVQ AX, DX \
	ORQ BX, DX \
	ORQ R8, DX \
	ORQ R12, DX \
	CMPQ DX, $256 \
	JCC divide \
	VMOVSD (R11)(AX*8), X2 \
	VMOVHPD (R11)(BX*8), X2, X2 \
	VMOVSD (R11)(R8*8), X3 \
	VMOVHPD (R11)(R12*8), X3, X3 \
	VINSERTF128 $1, X3, Y2, Y2 \
	VMULPD (SI)(CX*8), Y2, Y2 \
next: \
	VMOVUPD Y2, (DI)(CX*8) \
	ADDQ $4, CX \
	JNE loop \
	VZEROUPPER \
	RET \
divide: \
	RISES \
	VPBLENDD $0xAA, Y5, Y2, Y2 \
	VSUBPD Y5, Y2, Y2 \
	VCMPPD $4, Y7, Y2, Y3 \
	VDIVPD Y2, Y6, Y2 \
	VANDPD Y3, Y2, Y2 \
	VMULPD (SI)(CX*8), Y2, Y2 \
	JMP next

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

// func affineEmptyNarrow4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)
TEXT ·affineEmptyNarrow4(SB), NOSPLIT, $0-64
	AFFINEEMPTY(4, AFFINE4, 4, NARROW)

// func affineEmptyNarrow8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)
TEXT ·affineEmptyNarrow8(SB), NOSPLIT, $0-64
	AFFINEEMPTY(8, AFFINE8, 4, NARROW)

// func affineEmptyWide4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)
TEXT ·affineEmptyWide4(SB), NOSPLIT, $0-64
	AFFINEEMPTY(4, AFFINE4, 8, WIDE)

// func affineEmptyWide8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)
TEXT ·affineEmptyWide8(SB), NOSPLIT, $0-64
	AFFINEEMPTY(8, AFFINE8, 8, WIDE)

// func sumEmptyNarrow4(list, bounds unsafe.Pointer, n int, l *lanes)
TEXT ·sumEmptyNarrow4(SB), NOSPLIT, $0-32
	SUMEMPTY(4, 4)
loop:
	NARROW(X1, Y1)
	VCVTPS2PD (SI)(CX*4), Y2
	VANDPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func sumEmptyNarrow8(list, bounds unsafe.Pointer, n int, l *lanes)
TEXT ·sumEmptyNarrow8(SB), NOSPLIT, $0-32
	SUMEMPTY(8, 4)
loop:
	NARROW(X1, Y1)
	VANDPD (SI)(CX*8), Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func sumEmptyWide4(list, bounds unsafe.Pointer, n int, l *lanes)
TEXT ·sumEmptyWide4(SB), NOSPLIT, $0-32
	SUMEMPTY(4, 8)
loop:
	WIDE(X1, Y1)
	VCVTPS2PD (SI)(CX*4), Y2
	VANDPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func sumEmptyWide8(list, bounds unsafe.Pointer, n int, l *lanes)
TEXT ·sumEmptyWide8(SB), NOSPLIT, $0-32
	SUMEMPTY(8, 8)
loop:
	WIDE(X1, Y1)
	VANDPD (SI)(CX*8), Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $4, CX
	JNE loop
	VMOVUPD Y0, (DX)
	VZEROUPPER
	RET

// func sharesNarrow4(to, from, bounds unsafe.Pointer, n int) (done int)
TEXT ·sharesNarrow4(SB), NOSPLIT, $0-40
	SHARES4(4, NARROWS8)

// func sharesWide4(to, from, bounds unsafe.Pointer, n int) (done int)
TEXT ·sharesWide4(SB), NOSPLIT, $0-40
	SHARES4(8, WIDES8)

// func sharesNarrow8(to, from, bounds unsafe.Pointer, n int)
TEXT ·sharesNarrow8(SB), NOSPLIT, $0-32
	SHARES8(4, MOVL, NARROWS4)

// func sharesWide8(to, from, bounds unsafe.Pointer, n int)
TEXT ·sharesWide8(SB), NOSPLIT, $0-32
	SHARES8(8, MOVQ, WIDES4)

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
