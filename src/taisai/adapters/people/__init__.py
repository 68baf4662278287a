"""What is kept of people: names apart from the record, passwords, one-time codes."""
