"""Ruin, solved: flat staking on a lattice, any staking rule of finite state as a Markov chain."""
