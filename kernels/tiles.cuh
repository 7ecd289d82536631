// What makers and users of arcs by tile agree on.
#pragma once

#ifndef TILE
#define TILE 1024 // vertices of a tile
#endif

namespace tile {
static const u32 ROW = 4;       // arcs inside of a tile that a vertex has in a row
static const u32 MANY = 0xfffe; // in place of a neighbour: there are more, in a list
} // namespace tile
