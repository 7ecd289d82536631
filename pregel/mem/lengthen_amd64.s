//go:build !race

#include "textflag.h"

// ENDS has CX count from -n to 0, and DI and SI be where the lists end, whose numbers have TO and
// FROM bytes.
#define ENDS(TO, FROM) \
	MOVQ to+0(FP), DI \
	MOVQ from+8(FP), SI \
	MOVQ n+16(FP), CX \
	LEAQ (DI)(CX*TO), DI \
	LEAQ (SI)(CX*FROM), SI \
	NEGQ CX

// func lengthen16(to *uint64, from *uint32, n int)
TEXT ·lengthen16(SB), NOSPLIT, $0-24
	ENDS(8, 4)
loop:
	PREFETCHT0 1024(SI)(CX*4)
	VPMOVZXDQ (SI)(CX*4), Y0
	VPMOVZXDQ 16(SI)(CX*4), Y1
	VPMOVZXDQ 32(SI)(CX*4), Y2
	VPMOVZXDQ 48(SI)(CX*4), Y3
	VMOVDQU Y0, (DI)(CX*8)
	VMOVDQU Y1, 32(DI)(CX*8)
	VMOVDQU Y2, 64(DI)(CX*8)
	VMOVDQU Y3, 96(DI)(CX*8)
	ADDQ $16, CX
	JNE loop
	VZEROUPPER
	RET

// func differences4(to, from *uint32, n int)
TEXT ·differences4(SB), NOSPLIT, $0-24
	ENDS(4, 4)
narrow:
	VMOVDQU 4(SI)(CX*4), Y0
	VPSUBD (SI)(CX*4), Y0, Y0
	VMOVDQU Y0, (DI)(CX*4)
	ADDQ $8, CX
	JNE narrow
	VZEROUPPER
	RET

// func differences8(to *uint32, from *uint64, n int)
//
// The lower halves of eight differences, in Y0 and Y1, are put beside each other by lanes of 16
// bytes: rows 0, 1, 4, 5 and 2, 3, 6, 7.
TEXT ·differences8(SB), NOSPLIT, $0-24
	ENDS(4, 8)
wide:
	VMOVDQU 8(SI)(CX*8), Y0
	VMOVDQU 40(SI)(CX*8), Y1
	VPSUBQ (SI)(CX*8), Y0, Y0
	VPSUBQ 32(SI)(CX*8), Y1, Y1
	VSHUFPS $0x88, Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VMOVDQU Y0, (DI)(CX*4)
	ADDQ $8, CX
	JNE wide
	VZEROUPPER
	RET
