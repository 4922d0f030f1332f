package assign

import "math/bits"

// bitTable is a table of bits, a row each for members or topics.
type bitTable struct {
	words []uint64
	width int // words in a row
}

func newBitTable(rows, columns int) bitTable {
	width := (columns + 63) / 64
	return bitTable{make([]uint64, rows*width), width}
}

func (b bitTable) row(row int) []uint64 { return b.words[row*b.width : (row+1)*b.width] }

func (b bitTable) set(row int, column int32) { b.row(row)[column/64] |= 1 << (column % 64) }

func (b bitTable) has(row int, column int32) bool {
	return b.row(row)[column/64]>>(column%64)&1 != 0
}

// firstCommon returns the first column that two rows of equal width both have; -1 if there is none.
func firstCommon(a, b []uint64) int32 {
	for i, word := range a {
		if common := word & b[i]; common != 0 {
			return int32(i*64 + bits.TrailingZeros64(common))
		}
	}
	return -1
}
