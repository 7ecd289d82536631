//go:build !race

#include "textflag.h"
#include "offers_amd64.h"

// The loops of offers.go for float64. Registers are those of offers_amd64.h, and Y10 is
// below all numbers: it stands for those that follow the end of a row. Numbers are read one by
// one, as gathers are slow on some processors and no faster on others; those of a row's
// end are gathered.

// INSIDE goes to wrong unless all indices of Y0 are within the list.
#define INSIDE \
	VPMINUD Y0, Y15, Y3 \
	VPCMPEQD Y0, Y3, Y3 \
	VPTEST Y14, Y3 \
	JCC wrong

// KEEP writes those of the indices X0 and sums Y1 that are less than the numbers Y3.
#define KEEP \
	VCMPPD $0x11, Y3, Y1, Y4 \
	KEEPHALF

// ALL is a turn, where CONVERT makes weights float64.
#define ALL(CONVERT) \
	VMOVDQU (R14), X0 \
	INSIDE \
	CONVERT (R15), Y1 \
	VADDPD Y1, Y12, Y1 \
	MOVL (R14), AX \
	VMOVSD (SI)(AX*8), X3 \
	MOVL 8(R14), AX \
	VMOVSD (SI)(AX*8), X4 \
	MOVL 4(R14), AX \
	VMOVHPD (SI)(AX*8), X3, X3 \
	MOVL 12(R14), AX \
	VMOVHPD (SI)(AX*8), X4, X4 \
	VINSERTF128 $1, X4, Y3, Y3 \
	KEEP

// SOME is a turn for the lanes of the mask at DI.
#define SOME(CONVERT) \
	VMOVDQU (DI), X2 \
	VPMASKMOVD (R14), X2, X0 \
	VPMASKMOVD (R15), X2, X1 \
	INSIDE \
	CONVERT X1, Y1 \
	VADDPD Y1, Y12, Y1 \
	VPMOVSXDQ X2, Y2 \
	VMOVAPD Y10, Y3 \
	VGATHERDPD Y2, (SI)(X0*8), Y3 \
	KEEP

// func lengthsInt(s *offering)
TEXT ·lengthsInt(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	VPCMPEQD Y10, Y10, Y10
	VPSLLQ $52, Y10, Y10
	COLLECT(4, VBROADCASTSD, ALL(VCVTDQ2PD), SOME(VCVTDQ2PD))

// func lengthsFloat(s *offering)
TEXT ·lengthsFloat(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), DI
	VPCMPEQD Y10, Y10, Y10
	VPSLLQ $52, Y10, Y10
	COLLECT(4, VBROADCASTSD, ALL(VCVTPS2PD), SOME(VCVTPS2PD))
