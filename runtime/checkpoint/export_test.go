package checkpoint

// OnStage has f called at every stage of writing a file.
func (s *Store) OnStage(f func(stage string)) { s.stage = f }

// Whole tells what is wrong with a file, nil if nothing is.
func Whole(path string) error {
	_, err := inspect(path)
	return err
}
