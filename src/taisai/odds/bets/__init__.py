"""What bets net on one roll and over many: the columns that every other figure is made from."""
