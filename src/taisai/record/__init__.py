"""The record: a signed, chained journal. It knows accounts and transfers, and no dice."""
