"""Reports as one file: a page in the look of the felt, by day and by night, with its pictures inside."""
