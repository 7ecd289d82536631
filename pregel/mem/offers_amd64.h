// What the loops of offers.go in offers_amd64.s and lengths_amd64.s have in common.
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
	MOVQ s+0(FP), DI \
	MOVB $0, 120(DI) \
	VZEROUPPER \
	RET

// WITHIN sets Y3 to which indices of Y0 are within the list.
#define WITHIN \
	VPMINUD Y0, Y15, Y3 \
	VPCMPEQD Y0, Y3, Y3 \
	VPAND Y3, Y13, Y13

// KEEPHALF writes those of the indices X0 and of the sums Y1, of 8 bytes, that Y4 has.
#define KEEPHALF \
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
