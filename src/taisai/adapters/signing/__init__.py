"""Where a house's signing keys are kept: in files of its own, or inside a security module."""
