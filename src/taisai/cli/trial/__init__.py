"""A cluster on one machine, to try out what fails: `taisai cluster`."""
