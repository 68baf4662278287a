"""Until when a house plays by a rulebook, as its settings say: no rulebook ends by itself."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from taisai.errors import InputError
from taisai.rulebooks.catalogue import rulebook
from taisai.rulebooks.in_force import FRONT_PAGE_ZONE, in_force_since


class RulebookConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a house says of one rulebook; a time without a zone is Singapore's, as on the front pages."""

    until: datetime


def rulebooks_until(said: Mapping[str, RulebookConfig]) -> dict[str, datetime]:
    """The end of each rulebook that has one."""
    return {name: _moment(config.until) for name, config in said.items()}


def rulebook_faults(said: Mapping[str, RulebookConfig]) -> list[str]:
    """A rulebook that there is not, or one that would end before it begins."""
    faults = []
    for name, config in said.items():
        try:
            since = in_force_since(rulebook(name))
        except InputError as error:
            faults.append(f"rulebook.{name}: {error}")
            continue
        if since is not None and _moment(config.until) <= since:
            faults.append(f"rulebook.{name}.until: expected after {since}, got {config.until}")
    return faults


def _moment(until: datetime) -> datetime:
    return until if until.tzinfo else until.replace(tzinfo=FRONT_PAGE_ZONE)
