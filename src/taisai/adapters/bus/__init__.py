"""One house in many processes: what they say to one another over core NATS."""
