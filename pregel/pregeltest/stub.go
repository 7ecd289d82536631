package pregeltest

func sleepAndWake(s *suite) { s.Skip() }
func randomVertexPrograms(s *suite) { s.Skip() }
func messagesInOrder(s *suite) { s.Skip() }
func vertexCombiners(s *suite) { s.Skip() }
func sharedColumns(s *suite) { s.Skip() }
func phasesAreSupersteps(s *suite) { s.Skip() }
