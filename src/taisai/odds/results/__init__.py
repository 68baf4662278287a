"""What a computation returns: comparable, exact or rounded, as a table of columns, and as a picture."""
