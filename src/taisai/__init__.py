"""Sic Bo / Tai Sai as five approved rulebooks describe it.

>>> import taisai
>>> table = taisai.pay_table("tai-sai-v6/2")
>>> taisai.settle(table, taisai.Roll(1, 1, 3), {"small": 100})["small"].returned
200

Names are imported when first used, so that `import taisai` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taisai.dice import Roll as Roll
    from taisai.errors import InputError as InputError
    from taisai.errors import RulebookError as RulebookError
    from taisai.errors import TaisaiError as TaisaiError
    from taisai.errors import UnknownName as UnknownName
    from taisai.game.apportion import apportion as apportion
    from taisai.game.awards import Award as Award
    from taisai.game.awards import settle as settle
    from taisai.game.explain import explain as explain
    from taisai.game.interruption import outcome_established as outcome_established
    from taisai.game.limits import Limit as Limit
    from taisai.game.limits import Limits as Limits
    from taisai.game.people import Actor as Actor
    from taisai.game.people import Role as Role
    from taisai.game.refusals import Refusal as Refusal
    from taisai.game.refusals import RefusalCode as RefusalCode
    from taisai.game.refusals import Refused as Refused
    from taisai.game.round import Round as Round
    from taisai.odds.exact import BoxOdds as BoxOdds
    from taisai.odds.exact import box_odds as box_odds
    from taisai.odds.exposure import Exposure as Exposure
    from taisai.odds.fairness import fairness as fairness
    from taisai.odds.mix import Mix as Mix
    from taisai.odds.par.sheet import par_sheet as par_sheet
    from taisai.odds.risk import risk_of_ruin as risk_of_ruin
    from taisai.odds.sequential import FairnessMonitor as FairnessMonitor
    from taisai.odds.simulation import simulate as simulate
    from taisai.rulebooks.catalogue import load_rulebook as load_rulebook
    from taisai.rulebooks.catalogue import pay_table as pay_table
    from taisai.rulebooks.catalogue import rulebook as rulebook
    from taisai.rulebooks.catalogue import shipped_rulebooks as shipped_rulebooks
    from taisai.rulebooks.model import Box as Box
    from taisai.rulebooks.model import PayTable as PayTable
    from taisai.rulebooks.model import Rulebook as Rulebook

__version__ = "0.2.0"

# The public names and the modules they live in.
_PUBLIC = {
    "Actor": "game.people",
    "Award": "game.awards",
    "Box": "rulebooks.model",
    "BoxOdds": "odds.exact",
    "Exposure": "odds.exposure",
    "FairnessMonitor": "odds.sequential",
    "InputError": "errors",
    "Limit": "game.limits",
    "Limits": "game.limits",
    "Mix": "odds.mix",
    "PayTable": "rulebooks.model",
    "Refusal": "game.refusals",
    "RefusalCode": "game.refusals",
    "Refused": "game.refusals",
    "Role": "game.people",
    "Roll": "dice",
    "Round": "game.round",
    "Rulebook": "rulebooks.model",
    "RulebookError": "errors",
    "TaisaiError": "errors",
    "UnknownName": "errors",
    "apportion": "game.apportion",
    "box_odds": "odds.exact",
    "explain": "game.explain",
    "fairness": "odds.fairness",
    "load_rulebook": "rulebooks.catalogue",
    "outcome_established": "game.interruption",
    "par_sheet": "odds.par.sheet",
    "pay_table": "rulebooks.catalogue",
    "risk_of_ruin": "odds.risk",
    "rulebook": "rulebooks.catalogue",
    "settle": "game.awards",
    "shipped_rulebooks": "rulebooks.catalogue",
    "simulate": "odds.simulation",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605 - a sorted list of literals is one


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'taisai' has no attribute {name!r}")
    value = getattr(import_module(f"taisai.{_PUBLIC[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
