"""Play followed round by round on a lattice of nets, with any rule for when it stops."""
