//go:build !race

package graph

const UnderRace = false
