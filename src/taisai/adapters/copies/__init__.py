"""Backups, archives of closed months, and their restoring."""
