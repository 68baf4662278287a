"""A real house in its own process, with everything that can fail failing: `python -m tests.faults`."""
