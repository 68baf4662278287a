"""Which process runs which desks of a house, and what each has of the others."""
