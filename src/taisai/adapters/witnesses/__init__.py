"""Witnesses of the record and of the log, and what a house makes its proofs with."""
