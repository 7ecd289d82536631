package graphio

import (
	"encoding/binary"
	"math/bits"
)

// number parses the digits at b[p:] and returns their value and where they
// end: p when there are none, or more than 19, which may not fit.
//
// Eight bytes are looked at together. After XOR with '0' a digit is a byte of
// 0 to 9; adding 0x76 to a byte sets its top bit when it is 10 or more, and a
// carry only disturbs bytes behind the first such one, so the lowest top bit
// tells the number of digits. Shifting them to the top puts zeros in front;
// then neighbours are joined three times: 8 digits to 4 pairs, 2 quads, 1
// number (D. Lemire, "Quickly parsing eight digits", 2018).
func number(b []byte, p int) (value uint64, end int) {
	y := binary.LittleEndian.Uint64(b[p:]) ^ 0x3030303030303030
	other := (y + 0x7676767676767676 | y) & 0x8080808080808080
	if other == 0 {
		return longNumber(b, p)
	}
	n := bits.TrailingZeros64(other) >> 3
	y <<= 8
	y <<= (56 - 8*n) & 63
	y = (y*10 + y>>8) & 0x00FF00FF00FF00FF
	y = (y*100 + y>>16) & 0x0000FFFF0000FFFF
	return uint64(uint32(y*10000 + y>>32)), p + n
}

// longNumber parses numbers of eight digits and more.
func longNumber(b []byte, p int) (value uint64, end int) {
	for end = p; b[end]-'0' <= 9; end++ {
		value = value*10 + uint64(b[end]-'0')
		if end-p == 19 {
			return 0, p
		}
	}
	return value, end
}

// smallFloat parses digits with a point among them, of fewer than 2^24 without
// it, and at most ten digits behind it: numbers whose nearest float32 is what
// one division gives (W. Clinger, "How to read floating point numbers
// accurately", 1990). It returns p for all others.
func smallFloat(b []byte, p int) (value float32, end int) {
	whole, at := number(b, p)
	if at == p || whole >= 1<<24 || b[at] != '.' {
		return 0, p
	}
	part, end := number(b, at+1)
	places := end - at - 1
	if places == 0 || places >= len(powers) || part >= 1<<24 {
		return 0, p
	}
	if whole = whole*uint64(powers[places]) + part; whole >= 1<<24 {
		return 0, p
	}
	return float32(whole) / powers[places], end
}

// powers are the powers of ten that a float32 holds exactly.
var powers = [...]float32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}
