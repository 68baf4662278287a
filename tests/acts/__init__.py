"""Random acts on a whole house in memory: nothing stops, nothing is lost, every chip is in one place."""
