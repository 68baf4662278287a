"""The inverse questions: bankroll, stake, limits and odds for what is wanted of them."""
