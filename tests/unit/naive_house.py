"""The table of the naive model: which game is played, and under which limits."""

from dataclasses import dataclass


@dataclass
class House:
    """The table: which game, and its limits on every box alike."""

    pay_table: str
    minimum: int
    maximum: int | None
    unit: int
    notice: str
    differential: int | None
    box_total: int | None = None

    @property
    def rulebook(self) -> str:
        return self.pay_table.partition("/")[0]

    @property
    def is_electronic(self) -> bool:
        return self.rulebook == "sic-bo-etg-v8"

    @property
    def is_open(self) -> bool:
        return self.rulebook == "tai-sai-open-cover"

    @property
    def has_pro_rata(self) -> bool:
        return self.rulebook in ("tai-sai-v4", "tai-sai-v6")

    @property
    def has_no_irregularities(self) -> bool:
        return self.rulebook in ("tai-sai-v3", "tai-sai-open-cover")
