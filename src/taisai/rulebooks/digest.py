"""The digest that identifies a rulebook or a pay table for ever.

It covers what decides a round: boxes, odds, procedure, limits, grounds, and which clause governs what. It
does not cover how the file is written, in which order, where boxes stand on the felt, or our wording of
the clauses, so that mending a sentence never makes yesterday's rounds look as if they had been played
under other rules.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

# Topics that only say why an act is refused decide nothing, and came after the first digests.
REFUSAL_TOPICS: Final = frozenset({"round"})

if TYPE_CHECKING:
    from taisai.rulebooks.layers import Layer
    from taisai.rulebooks.model import Box, Rulebook


def _sha256(meaning: Mapping[str, object]) -> str:
    canonical = json.dumps(meaning, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def pay_table_digest(pay_table_id: str, boxes: Iterable["Box"], layer: "Layer | None" = None) -> str:
    """What is offered at which odds. The winning rolls are in it too: a box is its set of rolls."""
    beyond = {} if layer is None else {"layer": repr(layer)}
    return _sha256(
        {
            **beyond,
            "what": "taisai pay table, 1",
            "id": pay_table_id,
            "boxes": {
                box.id: {
                    "group": box.group,
                    "prices": [[f"{price.rolls:054x}", str(price.pays_to_one)] for price in box.prices],
                }
                for box in boxes
            },
        }
    )


def rulebook_digest(rulebook: "Rulebook") -> str:
    """Everything that decides how a round goes under this rulebook."""
    procedure, limits = rulebook.procedure, rulebook.limits
    return _sha256(
        {
            "what": "taisai rulebook, 1",
            "id": rulebook.id,
            "version": rulebook.version,
            "effective": rulebook.effective.isoformat() if rulebook.effective else None,
            "electronic": rulebook.electronic,
            "colour_chips": rulebook.colour_chips,
            "damaged_dice": rulebook.damaged_dice,
            "procedure": [procedure.cover, procedure.tumbles_min],
            "limits": {
                "minimum": limits.minimum,
                "maximum": limits.maximum,
                "excess": limits.excess,
                "notice": sorted(limits.notice),
                "differential": limits.differential,
                "pro_rata": limits.pro_rata,
            },
            "void": dict(rulebook.void),
            "triple_wins": dict(rulebook.triple_wins),
            "cites": {
                topic: list(clauses)
                for topic, clauses in rulebook.cites.items()
                if topic not in REFUSAL_TOPICS
            },
            "clauses": sorted(rulebook.clauses),
            "pay_tables": {str(table.number): table.digest for table in rulebook.pay_tables},
        }
    )
