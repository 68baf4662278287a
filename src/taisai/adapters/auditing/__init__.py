"""One audit of a record, by one process or several."""
