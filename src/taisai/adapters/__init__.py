"""Adapters: each implements a port of the floor."""
