package cuda

// What is made of a graph for speed alone (ranks, columns, tiles, lists by weight, their
// lightest arcs, first neighbours, boxes kept clean) must not keep a run from the room it
// needs: the graph is made slim, and the run begins again.

// Slim tells whether the device has not had the room for a run beside forms of
// the graph that are there for speed alone. None are made from then on.
func (d *Graph) Slim() bool { return d.slim }

// slimmed gives up all such forms, and what runs have left that they would make
// again, and tells whether there may be more room now.
func (d *Graph) slimmed() bool {
	given := !d.slim // who asks for less where it is slim may begin again
	d.slim = true
	clear(d.engine.forms)
	given = d.out.strip(d.engine) || d.boxes != nil || given
	d.boxes.free(d.engine)
	d.boxes = nil
	given = d.before != nil || given
	d.giveUpOwn()
	if d.Directed && d.in != nil {
		d.in.free(d.engine) // uploaded again where it is needed
		d.in, given = nil, true
	}
	return given
}

// strip gives up what was made of the arcs, and tells whether there was any.
func (c *CSR) strip(e *Engine) (given bool) {
	given = c.schedule != nil || c.ranks != nil || c.byWeight[LightestFirst].arcs != nil || c.byWeight[HeaviestFirst].arcs != nil || c.first != nil || len(c.columns) > 0 || len(c.tiles) > 0
	if c.schedule != nil {
		c.schedule.free(e)
	}
	c.ranks.free(e)
	for _, made := range c.columns {
		made.free(e)
	}
	for _, made := range c.tiles {
		made.free(e)
	}
	for o := range c.byWeight {
		c.byWeight[o].free(e)
	}
	e.free(c.first)
	c.schedule, c.ranks, c.columns, c.first, c.tiles = nil, nil, nil, nil, nil
	c.firstLack = lack{} // there is more room now
	return given
}

// free gives the arcs up, and all that was made of them.
func (c *CSR) free(e *Engine) {
	if c == nil {
		return
	}
	c.strip(e)
	e.free(c.Offsets)
	e.free(c.Targets)
	e.free(c.Weights)
}
