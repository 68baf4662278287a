"""The interface for people: fields, examples, commands and problems, made from the files for machines."""
