package cuda

// Skewed tells whether a vertex has so many of the arcs of c that the graph is
// taken to have hubs: distances in it are short, and a few vertices have a large
// part of the arcs.
func (d *Graph) Skewed(c *CSR) (bool, error) { return d.reaches(c, d.engine.skew.arcs) }
