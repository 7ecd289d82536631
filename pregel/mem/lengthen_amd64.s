//go:build !race

#include "textflag.h"

// func lengthen16(to *uint64, from *uint32, n int)
//
// CX counts from -n to 0, and the lists are given by their ends.
TEXT ·lengthen16(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	LEAQ (DI)(CX*8), DI
	LEAQ (SI)(CX*4), SI
	NEGQ CX
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
