"""The PAR sheet as one JSON document: exact fractions as text, floats beside them."""

from fractions import Fraction
from typing import Any

from taisai.money import say_odds
from taisai.odds.bets.outcomes import OUTCOMES, WAYS
from taisai.odds.exact import OF
from taisai.odds.par.measures import LEVELS, BoxMeasures
from taisai.odds.par.sheet import ParSheet

FORMAT = 1


def par_document(sheet: ParSheet) -> dict[str, Any]:
    """Everything on the sheet as plain values."""
    names = [box.id for box in sheet.pay_table.boxes]
    return {
        "format": FORMAT,
        "identity": identity(sheet),
        "sample_space": {
            "rolls": OF,
            "combinations": len(OUTCOMES),
            "ways_of_totals": {str(total): ways for total, ways in sheet.totals.items()},
            "patterns": {
                name: {"combinations": combinations, "ways": ways}
                for name, (combinations, ways) in sheet.patterns.items()
            },
            "ways_of_combinations": {str(roll): ways for roll, ways in zip(OUTCOMES, WAYS, strict=True)},
        },
        "boxes": [_box(box) for box in sheet.boxes.values()],
        "below_return_floor": {"floor": str(sheet.return_floor), "boxes": sheet.below_floor},
        "sessions": {line.id: _sessions(line.measures) for line in sheet.lines},
        "covariance": {"boxes": names, "matrix": _rounded(sheet.covariances.tolist())},
        "correlation": {"boxes": names, "matrix": _rounded(sheet.correlations.tolist())},
        "liability": _liability(sheet),
        "cross_check": _check(sheet),
    }


def identity(sheet: ParSheet) -> dict[str, Any]:
    """Which game, which odds, which software."""
    book, table = sheet.rulebook, sheet.pay_table
    return {
        "pay_table": table.id,
        "pay_table_title": table.title,
        "pay_table_digest": table.digest,
        "rulebook": book.id,
        "rulebook_title": book.title,
        "rulebook_version": book.version,
        "rulebook_digest": book.digest,
        "rulebook_effective": None if book.effective is None else book.effective.isoformat(),
        "boxes": len(table.boxes),
        "dice": "three fair, independent six-sided dice",
        "taisai": sheet.version,
    }


def _box(box: BoxMeasures) -> dict[str, Any]:
    odds = box.odds
    return {
        "box": odds.box.id,
        "kind": str(odds.box.kind),
        "group": odds.box.group,
        "pays_to_one": [str(pays) for pays in odds.box.pays],
        "pays_for_one": [str(pays + 1) for pays in odds.box.pays],
        "ways": odds.ways,
        "ways_by_price": [price.rolls.bit_count() for price in odds.box.prices],
        "of": OF,
        "probability": str(odds.probability),
        "hit_frequency": float(odds.probability),
        "one_in": float(box.one_in),
        "average_pays_to_one": str(box.average_pays),
        "break_even_pays_to_one": str(box.break_even),
        "return": str(odds.returns),
        "return_float": float(odds.returns),
        "edge": str(odds.edge),
        "edge_percent": round(float(100 * odds.edge), 4),
        "variance": str(odds.variance),
        "standard_deviation": odds.standard_deviation,
        "third_central_moment": str(odds.central_moment(3)),
        "skewness": odds.skewness,
        "skewness_squared": str(odds.skewness_squared),
        "kurtosis": str(box.kurtosis),
        "kurtosis_float": float(box.kurtosis),
        "volatility_index": {str(level): box.volatility_index(level) for level in LEVELS},
        "rounds_to_half_percent_95": box.rounds_to_settle,
    }


def _sessions(box: BoxMeasures) -> list[dict[str, Any]]:
    return [
        {key: str(value) if isinstance(value, Fraction) else value for key, value in row.items()}
        for row in box.sessions
    ]


def _liability(sheet: ParSheet) -> dict[str, Any]:
    worst = sheet.liability.worst
    return {
        "maxima": dict(sheet.maxima),
        "worst": {"dice": str(worst.roll), "ways": worst.ways, "house_pays": str(worst.house_pays)},
        "outcomes": {str(each.roll): str(each.house_pays) for each in sheet.liability.outcomes},
    }


def _check(sheet: ParSheet) -> dict[str, Any]:
    check = sheet.check
    return {
        "rounds": check.rounds,
        "seed": check.seed,
        "generator": "NumPy PCG64, multinomial counts of the 216 rolls",
        "level": str(check.level),
        "threshold_each": check.threshold,
        "z_max": check.z_max,
        "verdict": "pass" if check.passes else "fail",
        "generating_function_agrees": check.generating_function_agrees,
        "tests": [
            {
                "of": test.name,
                "chi_square": test.statistic,
                "degrees_of_freedom": test.freedom,
                "p_value": test.p_value,
                "passes": test.passes,
            }
            for test in check.tests
        ],
        "returns": [
            {
                "box": each.box,
                "exact": str(each.exact),
                "observed": float(each.observed),
                "z": each.z,
                "passes": each.passes,
            }
            for each in check.returns
        ],
        "totals": {str(total): count for total, count in check.totals.items()},
    }


def _rounded(matrix: list[list[float]]) -> list[list[float]]:
    return [[round(value, 12) for value in row] for row in matrix]


def pays_text(box: BoxMeasures) -> str:
    """The box's odds to one as a layout prints them."""
    return " / ".join(map(say_odds, box.odds.box.pays))
