// Package binary reads and writes graphs as the arrays they are in memory: the
// project's own .pgr files, used in place, and the serialised graphs of the GAP
// Benchmark Suite (.sg, .wsg), which are converted.
//
// # The .pgr format, version 1
//
// All numbers are little-endian. A file is a header, a table of sections, the
// sections, and the checksums:
//
//	  0  8  magic 89 50 47 52 0D 0A 1A 0A ("\x89PGR\r\n\x1a\n")
//	  8  4  byte order mark 0x0A0B0C0D
//	 12  4  version, 1
//	 16  8  size of the file in bytes
//	 24  8  vertices, n
//	 32  8  arcs, m (an undirected edge is two, an undirected loop one)
//	 40  8  self-loops
//	 48  8  id of vertex 0 where ids are a range, else 0
//	 56  1  1: directed, 0: not
//	 57  1  weights: 0 none, 1 int32, 2 float32
//	 58  1  ids: 0 range, 1 numbers, 2 strings
//	 59  1  zero
//	 60  4  features: whoever does not know one of bits 0 to 15 must refuse the
//	        file, bits 16 to 31 may be ignored. Version 1 has none
//	 64  4  number of sections
//	 68  4  bytes a checksum covers, 4194304
//	 72 52  zero
//	124  4  CRC-32C of bytes 0 to 123 and of the table
//	128 32s table: for each section its kind (4 bytes; bit 31: may be ignored by
//	        whoever does not know it), the size of an element (4), where it
//	        starts (8), its length in bytes (8), zero (8)
//
// Sections follow in the order of the table, each at the next multiple of 64
// with zeros between. Their kinds, in order: 1 offsets of the out-arcs (n+1 of
// 8 bytes), 2 targets (m of 4), 3 weights (m of 4), 4 to 6 the same for the
// in-arcs of a directed graph (optional), 7 ids as numbers (n of 8), 8 offsets
// of ids as strings (n+1 of 8), 9 their bytes; then unknown ones that may be
// ignored. Kind 16, the last, is the checksums: the CRC-32C of each 4 MiB of
// all that stands before this section, the header included, then the CRC-32C
// of these numbers. It ends the file.
//
// WritePrepared adds, in sections that may be ignored, the graph once more with
// its vertices in another order: 2^31+1 a text that says what it was made of, 2
// the order (n of 4 bytes), 3 to 8 arcs as in sections 1 to 6. Whoever ignores
// them has the graph itself.
//
// # What is guaranteed
//
// Read maps a file and uses the arrays in place. What it checks is
// [ReadOptions].Verify:
//
//   - Always, as Verify does: every checksum, so that any flipped byte anywhere
//     is found; zeros where zeros must be; offsets ascending, targets in range
//     and sorted, an undirected graph symmetric, in-arcs and out-arcs the same
//     (by a 64-bit sum of hashes), the number of self-loops. A file that passes
//     cannot make a later computation go wrong.
//   - Never: the header and the table with their checksum, the size of the file
//     and of every section, the first and last offset, the ids (strictly
//     ascending). Numbers inside the arrays may then be wrong: an index out of
//     range ends in a Go panic, never in a read outside the file.
//   - Auto, the default: as Always for files below 256 MiB. For larger ones as
//     Never, and also the checksums of 8 blocks of 4 MiB spread over the file,
//     the first and the last among them; and of the checksums themselves.
//
// Ids that are a range cost nothing to open; numbers and strings are looked at
// once, in O(n), and strings get a table of 16 bytes each in memory.
//
// A mapped file must not be shortened or overwritten while its graph is in use.
// Write never does so: it replaces the file, and graphs of the old one stay
// valid. Hosts must be little-endian.
package binary
