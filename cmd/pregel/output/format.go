// Package output writes answers to files and reads them back: CSV, TSV, NDJSON
// (one JSON object a line), each also compressed, and Parquet.
//
// A file has a header, `id` first for tables with a row for each vertex, and its
// rows in the order of the vertices, which is that of the ids. Nothing is an
// empty field (null in NDJSON and Parquet); numbers are as short as reads back
// to the same bits; strings are quoted where CSV's rules want it. Files appear
// when they are complete.
package output

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// The formats.
const (
	CSV     = "csv"
	TSV     = "tsv"
	NDJSON  = "ndjson"
	Parquet = "parquet"
)

// Formats lists the names of the formats.
func Formats() []string { return []string{CSV, TSV, NDJSON, Parquet} }

const names = "a name that ends in .csv, .tsv, .ndjson (also with .gz or .zst) or .parquet"

// FormatOf tells the format and the compression ("", "gz" or "zst") that the
// name of a file stands for.
func FormatOf(path string) (format, compression string, err error) {
	compression, ext := extensions(path)
	if ext == "jsonl" {
		ext = NDJSON
	}
	if !slices.Contains(Formats(), ext) {
		return "", "", fmt.Errorf("found %s, whose name tells no format, allowed: %s, or a format beside it (%s)", path, names, strings.Join(Formats(), ", "))
	}
	return ext, compression, checkCompression(path, ext, compression)
}

// Form returns the format, which may be given or "", and the compression of a
// file.
func Form(path, given string) (format, compression string, err error) {
	switch {
	case given == "":
		return FormatOf(path)
	case !slices.Contains(Formats(), given):
		return "", "", fmt.Errorf("no format is called %q (known: %s)", given, strings.Join(Formats(), ", "))
	}
	compression, _ = extensions(path)
	return given, compression, checkCompression(path, given, compression)
}

func extensions(path string) (compression, ext string) {
	base := strings.ToLower(filepath.Base(path))
	if ext := filepath.Ext(base); ext == ".gz" || ext == ".zst" {
		compression, base = ext[1:], strings.TrimSuffix(base, ext)
	}
	return compression, strings.TrimPrefix(filepath.Ext(base), ".")
}

func checkCompression(path, format, compression string) error {
	if format == Parquet && compression != "" {
		return fmt.Errorf("found %s, but Parquet files are compressed inside, allowed: a name that ends in .parquet", path)
	}
	return nil
}
