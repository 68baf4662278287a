"""Proofs that a player can keep: trees over a round's slips and results, the house's log, receipts."""
