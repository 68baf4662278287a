"""What a house offers its players, priced: rebates on losses, match play, promotional chips, comps."""
