//go:build !race

#include "go_asm.h"
#include "textflag.h"

// ASK puts into DX where the row begins that is AHEAD rows on, or this one where there is
// none.
#define ASK(AHEAD, OFFSET, SIZE) \
	LEAQ    AHEAD(SI), DX \
	CMPQ    DX, reaching_have(R15) \
	CMOVQCC SI, DX \
	MOVL    (R13)(DX*4), DX \
	CMPQ    DX, R9 \
	JCC     end \
	OFFSET  (R10)(DX*SIZE), DX

// BRANCHLESS does a row of CX arcs, if they are eight or more, alone and without a branch on what a word is
// like: whose turn it is to be reached is what a processor foretells worst (ca-AstroPh, two supersteps
// of 5000 arcs and more: 51 to 34 µs). Of shorter rows it foretells ends, too, and of grids
// all of it (the same for all rows: grid 1024² 1.15 of the time).
#define BRANCHLESS(WIDTH, LOAD, XOR, TEST, CMP, CMOVNE, CMOVLS, CMOVEQ) \
	CMPQ CX, $8 \
	JLT  more \
each: \
	MOVL (BX), DX \
	CMPQ DX, R9 \
	JCC  end \
	ADDQ $4, BX \
	LOAD (R8)(DX*WIDTH), AX \
	MOVL DX, (R12) \
	LOAD AX, CX \
	XOR  reaching_stamp(R15), CX \
	TEST CX, reaching_other(R15) \
	LOAD R14, CX \
	CMOVNE AX, CX \
	CMP  AX, R14 \
	CMOVLS AX, CX \
	CMP  AX, reaching_rest(R15) \
	CMOVEQ R14, CX \
	SETEQ AL \
	LOAD CX, (R8)(DX*WIDTH) \
	MOVBLZX AL, AX \
	LEAQ (R12)(AX*4), R12 \
	CMPQ BX, DI \
	JNE  each \
	JMP  more

// ROWS does rows with words of WIDTH bytes, and offsets of SIZE, which OFFSET loads; PUT writes R14 into that of DX if it still is AX,
// and goes on or back to again. LONG may do a row of CX arcs, and else goes to more.
//
//	R15 r                  R12 where the next index is listed
//	R8  words, of R9       SI  the row, by its place in us
//	R10 offsets            BX  where its next target is
//	R11 targets            DI  where they end
//	R13 us                 R14 the word that has this vertex as its message
//
// DX is a target, AX its word. Offsets are read once: what has been checked is used.
#define ROWS(OFFSET, SIZE, WIDTH, LOAD, XOR, AND, CMP, PUT, LONG) \
	MOVQ r+0(FP), R15 \
	MOVQ reaching_words(R15), R8 \
	MOVQ reaching_n(R15), R9 \
	MOVQ reaching_offsets(R15), R10 \
	MOVQ reaching_targets(R15), R11 \
	MOVQ reaching_list(R15), R12 \
	MOVQ reaching_us(R15), R13 \
	MOVQ reaching_room(R15), AX \
	LEAQ (R12)(AX*4), AX \
	MOVQ AX, reaching_room(R15) \
	XORL SI, SI \
row: \
	CMPQ SI, reaching_rows(R15) \
	JCC  end \
	ASK(20, OFFSET, SIZE) \
	PREFETCHT0 (R11)(DX*4) \
	PREFETCHT0 12(R11)(DX*4) \
	ASK(8, OFFSET, SIZE) \
	MOVQ reaching_end(R15), AX \
	SUBQ $4, AX \
	JCS  own \
	CMPQ DX, AX \
	JHI  own \
	MOVL (R11)(DX*4), AX \
	MOVL 4(R11)(DX*4), BX \
	MOVL 8(R11)(DX*4), CX \
	MOVL 12(R11)(DX*4), DI \
	PREFETCHT0 (R8)(AX*WIDTH) \
	PREFETCHT0 (R8)(BX*WIDTH) \
	PREFETCHT0 (R8)(CX*WIDTH) \
	PREFETCHT0 (R8)(DI*WIDTH) \
own: \
	MOVL (R13)(SI*4), R14 \
	CMPQ R14, R9 \
	JCC  end \
	OFFSET (R10)(R14*SIZE), BX \
	OFFSET SIZE(R10)(R14*SIZE), DI \
	CMPQ DI, reaching_end(R15) \
	JHI  end \
	SUBQ BX, DI \
	JCS  end \
	LEAQ (R12)(DI*4), DX \
	CMPQ DX, reaching_room(R15) \
	JHI  end \
	ADDQ DI, (reaching_done+Reached_Arcs)(R15) \
	MOVQ reaching_shift(R15), CX \
	SHLQ CX, R14 \
	ANDQ reaching_message(R15), R14 \
	ORQ  reaching_stamp(R15), R14 \
	LEAQ (R11)(BX*4), BX \
	MOVQ DI, CX \
	LEAQ (BX)(DI*4), DI \
	LONG \
arc: \
	MOVL (BX), DX \
	CMPQ DX, R9 \
	JCC  end \
	ADDQ $4, BX \
	LOAD (R8)(DX*WIDTH), AX \
again: \
	CMP  AX, reaching_rest(R15) \
	JEQ  take \
	LOAD AX, CX \
	XOR  reaching_stamp(R15), CX \
	AND  reaching_other(R15), CX \
	JNE  more \
	CMP  AX, R14 \
	JLS  more \
take: \
	PUT \
	PREFETCHT0 (R10)(DX*SIZE) \
	MOVL DX, (R12) \
	XORL CX, CX \
	CMP  AX, reaching_rest(R15) \
	SETEQ CL \
	LEAQ (R12)(CX*4), R12 \
more: \
	CMPQ BX, DI \
	JNE  arc \
	INCQ SI \
	JMP  row \
end: \
	MOVQ SI, (reaching_done+Reached_Rows)(R15) \
	SUBQ reaching_list(R15), R12 \
	SHRQ $2, R12 \
	MOVQ R12, (reaching_done+Reached_Next)(R15) \
	RET

#define SWAP4 \
	LOCK \
	CMPXCHGL R14, (R8)(DX*4) \
	JNE again

#define SWAP8 \
	LOCK \
	CMPXCHGQ R14, (R8)(DX*8) \
	JNE again

#define STORE4 \
	MOVL R14, (R8)(DX*4)

#define STORE8 \
	MOVQ R14, (R8)(DX*8)

#define BRANCHLESS4 BRANCHLESS(4, MOVL, XORL, TESTL, CMPL, CMOVLNE, CMOVLLS, CMOVLEQ)

#define BRANCHLESS8 BRANCHLESS(8, MOVQ, XORQ, TESTQ, CMPQ, CMOVQNE, CMOVQLS, CMOVQEQ)

// func reachNarrow4(r *reaching)
TEXT ·reachNarrow4(SB), NOSPLIT, $0-8
	ROWS(MOVL, 4, 4, MOVL, XORL, ANDL, CMPL, SWAP4, JMP more)

// func reachNarrow8(r *reaching)
TEXT ·reachNarrow8(SB), NOSPLIT, $0-8
	ROWS(MOVL, 4, 8, MOVQ, XORQ, ANDQ, CMPQ, SWAP8, JMP more)

// func reachNarrowAlone4(r *reaching)
TEXT ·reachNarrowAlone4(SB), NOSPLIT, $0-8
	ROWS(MOVL, 4, 4, MOVL, XORL, ANDL, CMPL, STORE4, BRANCHLESS4)

// func reachNarrowAlone8(r *reaching)
TEXT ·reachNarrowAlone8(SB), NOSPLIT, $0-8
	ROWS(MOVL, 4, 8, MOVQ, XORQ, ANDQ, CMPQ, STORE8, BRANCHLESS8)

// func reachWide4(r *reaching)
TEXT ·reachWide4(SB), NOSPLIT, $0-8
	ROWS(MOVQ, 8, 4, MOVL, XORL, ANDL, CMPL, SWAP4, JMP more)

// func reachWide8(r *reaching)
TEXT ·reachWide8(SB), NOSPLIT, $0-8
	ROWS(MOVQ, 8, 8, MOVQ, XORQ, ANDQ, CMPQ, SWAP8, JMP more)

// func reachWideAlone4(r *reaching)
TEXT ·reachWideAlone4(SB), NOSPLIT, $0-8
	ROWS(MOVQ, 8, 4, MOVL, XORL, ANDL, CMPL, STORE4, BRANCHLESS4)

// func reachWideAlone8(r *reaching)
TEXT ·reachWideAlone8(SB), NOSPLIT, $0-8
	ROWS(MOVQ, 8, 8, MOVQ, XORQ, ANDQ, CMPQ, STORE8, BRANCHLESS8)
