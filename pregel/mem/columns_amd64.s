//go:build !race

#include "textflag.h"

// The loops of columns.go, eight numbers a turn. CX counts from -n to 0, and the lists are
// given by their ends. Y15 are all ones, Y14 how many were so, Y13 the greatest, plus one.

#define BEGIN \
	VPCMPEQD Y15, Y15, Y15 \
	VPXOR Y14, Y14, Y14 \
	VPXOR Y13, Y13, Y13 \
	NEGQ CX

// TELL looks at the numbers in Y0; Y1 is used.
#define TELL \
	VPCMPEQD Y15, Y0, Y1 \
	VPSUBD Y1, Y14, Y14 \
	VPSUBD Y15, Y0, Y1 \
	VPMAXUD Y1, Y13, Y13

#define END \
	VMOVDQU Y14, (DX) \
	VMOVDQU Y13, 32(DX) \
	VZEROUPPER \
	RET

// func unzip8(firsts, seconds, pairs *uint32, n int, e *eights)
TEXT ·unzip8(SB), NOSPLIT, $0-40
	MOVQ firsts+0(FP), DI
	MOVQ seconds+8(FP), R8
	MOVQ pairs+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ e+32(FP), DX
	LEAQ (DI)(CX*4), DI
	LEAQ (R8)(CX*4), R8
	LEAQ (SI)(CX*8), SI
	BEGIN
loop:
	VMOVDQU (SI)(CX*8), Y2
	VMOVDQU 32(SI)(CX*8), Y3
	VSHUFPS $0x88, Y3, Y2, Y0 // the first of each pair, of two and two by turns
	VSHUFPS $0xdd, Y3, Y2, Y4
	VPERMQ $0xd8, Y0, Y0
	VPERMQ $0xd8, Y4, Y4
	VMOVDQU Y0, (DI)(CX*4)
	VMOVDQU Y4, (R8)(CX*4)
	TELL
	ADDQ $8, CX
	JNE loop
	END

// func widen8(to *int64, from *uint32, n int, none int64, e *eights)
TEXT ·widen8(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	VPBROADCASTQ none+24(FP), Y5
	MOVQ e+32(FP), DX
	LEAQ (DI)(CX*8), DI
	LEAQ (SI)(CX*4), SI
	BEGIN
	VPSRLQ $32, Y15, Y6 // a number that is not known, widened
loop:
	VMOVDQU (SI)(CX*4), Y0
	TELL
	VPMOVZXDQ (SI)(CX*4), Y2
	VPMOVZXDQ 16(SI)(CX*4), Y3
	VPCMPEQQ Y6, Y2, Y4
	VPBLENDVB Y4, Y5, Y2, Y2
	VPCMPEQQ Y6, Y3, Y4
	VPBLENDVB Y4, Y5, Y3, Y3
	VMOVDQU Y2, (DI)(CX*8)
	VMOVDQU Y3, 32(DI)(CX*8)
	ADDQ $8, CX
	JNE loop
	END

// func split8(to *int64, lows *uint32, from *uint64, n int, none int64, e *eights)
TEXT ·split8(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ lows+8(FP), R8
	MOVQ from+16(FP), SI
	MOVQ n+24(FP), CX
	VPBROADCASTQ none+32(FP), Y5
	MOVQ e+40(FP), DX
	LEAQ (DI)(CX*8), DI
	LEAQ (R8)(CX*4), R8
	LEAQ (SI)(CX*8), SI
	BEGIN
	VPSRLQ $32, Y15, Y6 // an upper half that is not known
loop:
	VMOVDQU (SI)(CX*8), Y2
	VMOVDQU 32(SI)(CX*8), Y3
	VSHUFPS $0x88, Y3, Y2, Y4 // the lower halves, of two and two by turns
	VSHUFPS $0xdd, Y3, Y2, Y0
	VPERMQ $0xd8, Y4, Y4
	VMOVDQU Y4, (R8)(CX*4)
	TELL
	VPSRLQ $32, Y2, Y2
	VPSRLQ $32, Y3, Y3
	VPCMPEQQ Y6, Y2, Y4
	VPBLENDVB Y4, Y5, Y2, Y2
	VPCMPEQQ Y6, Y3, Y4
	VPBLENDVB Y4, Y5, Y3, Y3
	VMOVDQU Y2, (DI)(CX*8)
	VMOVDQU Y3, 32(DI)(CX*8)
	ADDQ $8, CX
	JNE loop
	END

// func extent8(list *uint32, n int, e *eights)
TEXT ·extent8(SB), NOSPLIT, $0-24
	MOVQ list+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ e+16(FP), DX
	LEAQ (SI)(CX*4), SI
	BEGIN
loop:
	VMOVDQU (SI)(CX*4), Y0
	TELL
	ADDQ $8, CX
	JNE loop
	END

// func storeWords(p *uint64, n int, x uint64)
TEXT ·storeWords(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), AX
	CLD
	REP
	STOSQ
	RET
