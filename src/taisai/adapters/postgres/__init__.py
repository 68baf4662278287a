"""The record in PostgreSQL, with standbys and leases."""
