"""A table's day and year: what it wins, holds, needs in its float, and loses at its worst."""
