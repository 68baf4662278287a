"""What everyone may see of a table: its felt, its limits, where its round stands, its history."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Final

from taisai.floor.door.rules_of_tables import rules_stand
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.reading.tables import TableReading
from taisai.floor.table.messages import ChangePlanned, TableSettings, WindowSet
from taisai.game.acts import Act, Phase, cell
from taisai.game.explain import LANGUAGES, box_name
from taisai.game.interruption import certain_winners
from taisai.game.limits import Limit, Limits
from taisai.game.refusals import RefusalCode
from taisai.game.sign import line_name, sign_of
from taisai.game.state import RoundState
from taisai.odds.exact import box_odds
from taisai.record.journal import micros
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.felt_words import caption_words, captioned_boxes
from taisai.rulebooks.marks import Marks, marks_of
from taisai.rulebooks.model import HOUSE, Box, PayTable, Rulebook
from taisai.server import wire
from taisai.server.words.house_words import SHIPPED, HouseWords

HISTORY_MAX = 60


def millis(moment: datetime) -> int:
    """A moment as the wire has it."""
    return round(moment.timestamp() * 1000)


@lru_cache(maxsize=64)
def felt_view(pay_table_id: str, words: HouseWords = SHIPPED) -> wire.FeltView:
    """A pay table's layout for a page, in the house's words."""
    pay_table = shipped_pay_table(pay_table_id)
    layout, marks = pay_table.layout, marks_of(pay_table.layout.id)
    return wire.FeltView(
        pay_table=pay_table.id,
        title=pay_table.title,
        digest=pay_table.digest,
        width=layout.width,
        height=layout.height,
        boxes=[
            _box_view(
                pay_table.box(place.box), words, marks, *map(float, (place.x, place.y, place.w, place.h))
            )
            for place in layout.places
        ],
        captions=[
            wire.CaptionView(
                group=caption.group,
                pays=_shared_pays(captioned_boxes(pay_table, caption)),
                odds=caption_words(captioned_boxes(pay_table, caption), marks)[2],
                x=float(caption.x),
                y=float(caption.y),
                w=float(caption.w),
                h=float(caption.h),
            )
            for caption in layout.captions
        ],
        placements=[
            wire.PlacementView(
                kind=str(kind),
                box=box,
                sentences={
                    language: words.table[language]["placements"][str(kind)] for language in LANGUAGES
                },
            )
            for kind, box in {group.kind: group.boxes[0] for group in reversed(pay_table.groups)}.items()
        ][::-1],
    )


def _box_view(
    box: Box, words: HouseWords, marks: Marks, x: float, y: float, w: float, h: float
) -> wire.BoxView:
    return wire.BoxView(
        id=box.id,
        kind=str(box.kind),
        numbers=list(box.numbers),
        group=box.group,
        pays=[str(pays) for pays in box.pays],
        x=x,
        y=y,
        w=w,
        h=h,
        names={language: box_name(box.id, words.table[language]) for language in LANGUAGES},
        return_percent=round(100 * float(box_odds(box).returns), 4),
        ways=box.wins.bit_count(),
        odds=marks.odds_on(box),
        marks=marks.lines_on(box),
    )


def _shared_pays(boxes: list[Box]) -> list[str]:
    """The odds that all boxes of a caption share, or none."""
    prices = {box.pays for box in boxes}
    return [str(pays) for pays in boxes[0].pays] if len(prices) == 1 else []


def limits_view(limits: Limits) -> wire.LimitsView:
    """The limits as a table displays them."""

    def view(limit: Limit) -> wire.LimitView:
        return wire.LimitView(minimum=limit.minimum, maximum=limit.maximum)

    return wire.LimitsView(
        unit=limits.unit,
        default=view(limits.default),
        groups={name: view(limit) for name, limit in limits.groups.items()},
        boxes={name: view(limit) for name, limit in limits.boxes.items()},
        differential=dict(limits.differential),
    )


def round_view(
    state: RoundState, window: WindowSet | None, warn_seconds: int, origin: str = ""
) -> wire.RoundView:
    """Where a round stands. Its dice are there once they are declared; `origin` names the house's log."""
    opens_at = closes_at = warn_at = None
    if window is not None and window.round == state.number:
        opens_at = millis(window.opens_at)
        if window.closes_at is not None:
            closes_at = millis(window.closes_at)
            warn_at = closes_at - 1000 * warn_seconds
    return wire.RoundView(
        number=state.number,
        phase=str(state.phase),
        opens_at=opens_at,
        closes_at=closes_at,
        warn_at=warn_at,
        dice=list(state.roll) if state.roll else None,
        known=list(state.known) if state.settles_known else None,
        winning_boxes=certain_winners(state.pay_table, state.outcome) if state.outcome else [],
        covered=state.covered,
        tumbles=state.tumbles,
        exposed=state.exposed,
        ground=state.ground,
        void_clause=void_clause(state),
        held=state.held,
        proof=proof_view(state, origin) if origin else None,
    )


def proof_view(state: RoundState, origin: str) -> wire.RoundProofView | None:
    """What everyone is shown of a round's proofs: never more than is published already."""
    if state.opened_at is None:
        return None
    return wire.RoundProofView(
        origin=origin,
        opened_at=micros(state.opened_at),
        rulebook=state.rulebook.digest,
        pay_table=state.pay_table.digest,
        commitment=state.commitment,
        slips=state.slips_closed if state.slip_root else 0,
        root=state.slip_root,
        secret=state.secret,
        share=state.share,
        by_people=bool(state.dice_clause),
    )


def void_clause(state: RoundState) -> str | None:
    """The clause under which a round is void."""
    if state.phase is not Phase.VOID or state.ground is None:
        return None
    return {str(ground): clause for ground, clause in state.rulebook.void.items()}.get(
        state.ground, state.rulebook.cite("ruling")
    )


def result_view(state: RoundState, *, corrected: bool = False) -> wire.ResultView:
    """A round's outcome for the history."""
    void, roll = state.phase is Phase.VOID, state.roll
    if void or roll is None:
        return wire.ResultView(
            round=state.number, dice=None, total=None, triple=False, void=void, corrected=corrected
        )
    return wire.ResultView(
        round=state.number,
        dice=list(roll),
        total=roll.total,
        triple=roll.is_triple,
        corrected=corrected,
    )


def table_view(
    house: HousePlan,
    plan: TablePlan,
    state: TableReading,
    settings: TableSettings,
    round_: wire.RoundView | None,
    history: Iterable[wire.ResultView],
    terminals: int,
    words: HouseWords,
    now: datetime,
) -> wire.TableView:
    """A table as everyone may see it: by the rules of the round in play, else by those of the next."""
    pay_table, limits = rules_shown(settings, state.current)
    rulebook = rulebook_of(pay_table.id)
    procedure = rulebook.procedure
    untimed = plan.automatic and plan.kind == "cluster" and settings.timing.betting_seconds is None
    return wire.TableView(
        name=plan.name,
        title=plan.title,
        kind=plan.kind,
        rulebook=rulebook.id,
        pay_table=pay_table.id,
        say_open=procedure.say_open,
        say_close=procedure.say_close,
        cover=procedure.cover,
        limits=limits_view(limits),
        sign=sign_view(rulebook, pay_table, limits, words),
        clauses=page_clauses(rulebook),
        rules={rule: rulebook.cite_first(*topics) for rule, topics in _RULES_TOLD.items()},
        round=round_,
        history=list(history),
        play_money=house.play_money,
        currency=house.currency,
        currency_exponent=house.currency_exponent,
        terminals=terminals,
        untimed=untimed,
        shared=untimed and plan.terminals_max > 1,
        practice=plan.practice,
        titles={"en": plan.title, **plan.titles},
        video=plan.video,
        closed=state.closed,
        in_force=rules_stand(house, pay_table.id, now).value,
        next_rules=next_rules(state.planned),
    )


# The rules that pages tell in a sentence, by the topic that each is a clause of.
_RULES_TOLD: Final = {
    "triples": ("triple", "settle"),
    "triples_big": ("triple", "settle"),
    "cut_off": ("late_bets",),
    "registered": ("registered",),
    "void": ("void_returns",),
    "interruption": ("interruption",),
    "dice_decide": ("lamps", "display", "result"),
    "limits": ("limits_shown",),
}


def sign_view(
    rulebook: Rulebook, pay_table: PayTable, limits: Limits, words: HouseWords = SHIPPED
) -> list[wire.SignLineView]:
    """The table's sign, in the house's words."""
    return [
        wire.SignLineView(
            names={language: line_name(pay_table, line, words.table[language]) for language in LANGUAGES},
            minimum=line.minimum,
            maximum=line.maximum,
            total=line.total,
        )
        for line in sign_of(rulebook, pay_table, limits).lines
    ]


def page_clauses(rulebook: Rulebook) -> dict[str, str]:
    """What a page cites that refuses a bet before it asks: as the desk would, by the code of the refusal."""
    limits = rulebook.cite("limits_kept")
    return {
        RefusalCode.BETTING_CLOSED: cell(rulebook, Act.PLACE_BETS, Phase.CLOSED).clause,
        RefusalCode.BOX_UNKNOWN: rulebook.cite("layout"),
        RefusalCode.STAKE_NOT_IN_UNITS: limits,
        RefusalCode.BELOW_MINIMUM: limits,
        RefusalCode.ABOVE_MAXIMUM: limits,
        RefusalCode.FUNDS_INSUFFICIENT: HOUSE,
    }


def rules_shown(settings: TableSettings, current: RoundState | None) -> tuple[PayTable, Limits]:
    """A round in play keeps the rules that were pinned when it opened."""
    if current is not None and current.phase not in (Phase.CONCLUDED, Phase.VOID):
        return current.pay_table, current.limits
    return shipped_pay_table(settings.pay_table), settings.limits


def next_rules(planned: ChangePlanned | None) -> wire.NextRulesView | None:
    """The change that waits for its time, for everyone to see."""
    if planned is None:
        return None
    return wire.NextRulesView(pay_table=planned.settings.pay_table, effective=millis(planned.effective))
