"""A live player's two names: the one people use, and the one the record has, which is the table's own.

Money at a table is that table's to keep: one person at two tables has two accounts.
"""


def player_at(player: str, table: str) -> str:
    """A player as the record of a live table has them."""
    return player if player.endswith(f"@{table}") else f"{player}@{table}"


def plain_player(player: str, table: str) -> str:
    """A player of a live table as people call them."""
    return player.removesuffix(f"@{table}")
