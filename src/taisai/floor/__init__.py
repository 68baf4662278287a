"""The floor joins the game with the ledger and keeps the record of both."""
