package kernels

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A Registry is a set of sources with different names: the built-in ones, and
// those of a user. It is safe for concurrent use.
type Registry struct {
	mu      sync.RWMutex
	sources map[string]Source
}

// NewRegistry returns a registry of the given sources.
func NewRegistry(sources ...Source) (*Registry, error) {
	r := &Registry{sources: make(map[string]Source)}
	for _, s := range sources {
		if err := r.Register(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Register adds a source.
func (r *Registry) Register(s Source) error {
	if s.Name == "" {
		return fmt.Errorf("kernels: a source without a name")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.sources[s.Name]; ok {
		return fmt.Errorf("kernels: there already is a source %q", s.Name)
	}
	r.sources[s.Name] = s
	return nil
}

// Get returns the source of a name.
func (r *Registry) Get(name string) (Source, error) {
	r.mu.RLock()
	s, ok := r.sources[name]
	r.mu.RUnlock()
	if !ok {
		return Source{}, fmt.Errorf("kernels: no source %q; there are %s", name, list(r.Names()))
	}
	return s, nil
}

// Names returns the names of the sources, in order.
func (r *Registry) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Sorted(maps.Keys(r.sources))
}
