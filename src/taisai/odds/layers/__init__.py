"""Random multipliers and progressives, computed: to compare a pay table with the market's games."""
