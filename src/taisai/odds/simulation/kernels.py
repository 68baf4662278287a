"""Compiled paths of players with a bankroll and a stop, one block of players a call (needs Numba).

Dice come from xoshiro256++. Each half of a 64-bit word becomes three rolls by Lemire's method: multiplying a
32-bit fraction by 216 three times gives three indices into the 216 rolls, and the fractions that would make
some rolls likelier than others (one in 2,400) are thrown away, so every roll is exactly equally likely.

A player far from both stops plays several rounds from one table entry; near a stop, round by round. The
rounds are the same either way: the tables only add up what those very rolls bring.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

_MASK: Final = np.uint64(0xFFFF_FFFF)
_HALF: Final = np.uint64(32)
_ROLLS: Final = np.uint64(216)
_PAIRS: Final = np.uint64(216 * 216)
# Fractions below this come up once more often than the others: 2**32 modulo 216**3.
_UNEVEN: Final = np.uint64(2**32 % 216**3)
_R17, _R19, _R23, _R41, _R45 = (np.uint64(bits) for bits in (17, 19, 23, 41, 45))


def _may_cache() -> bool:
    """Compiled code is kept only beside this file: Numba would otherwise look for another directory."""
    folder = Path(__file__).parent / "__pycache__"
    return os.access(folder if folder.exists() else folder.parent, os.W_OK)


def _compiled(function: Function) -> Function:
    return cast("Function", numba.njit(nogil=True, cache=_may_cache())(function))


def _inlined(function: Function) -> Function:
    return cast("Function", numba.njit(inline="always")(function))


@_inlined
def draw(s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """The next word of xoshiro256++ and the state after it."""
    summed = s0 + s3
    word = ((summed << _R23) | (summed >> _R41)) + s0
    shifted = s1 << _R17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _R45) | (s3 >> _R19)
    return word, s0, s1, s2, s3


@_inlined
def three_rolls(half: Any) -> Any:
    """Three rolls from 32 bits, and what is left of the fraction: below `_UNEVEN` they must not be used."""
    fraction = half * _ROLLS
    roll_1 = fraction >> _HALF
    fraction = (fraction & _MASK) * _ROLLS
    roll_2 = fraction >> _HALF
    fraction = (fraction & _MASK) * _ROLLS
    return roll_1, roll_2, fraction >> _HALF, fraction & _MASK


@_compiled
def play_flat(
    random: Any,
    nets: Any,
    pair_nets: Any,
    bank: Any,
    rounds: Any,
    slip: Any,
    target: Any,
    end: Any,
    low: Any,
    high: Any,
) -> None:
    """One slip every round. Between `low` and `high` six rounds cannot reach a stop."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    for player in range(bank.size):
        money = bank[player]
        done = rounds[player]
        while money >= slip and money < target and done < end:
            word, s0, s1, s2, s3 = draw(s0, s1, s2, s3)
            left = (word & _MASK) * _PAIRS
            right = (word >> _HALF) * _PAIRS
            pair_1 = left >> _HALF
            pair_2 = right >> _HALF
            left = (left & _MASK) * _ROLLS
            right = (right & _MASK) * _ROLLS
            if (left & _MASK) < _UNEVEN or (right & _MASK) < _UNEVEN:
                continue
            roll_1 = left >> _HALF
            roll_2 = right >> _HALF
            if money >= low and money < high and done + 6 <= end:
                money += pair_nets[pair_1] + nets[roll_1] + pair_nets[pair_2] + nets[roll_2]
                done += 6
            else:
                a, b = pair_1 // _ROLLS, pair_2 // _ROLLS
                for roll in (a, pair_1 - a * _ROLLS, roll_1, b, pair_2 - b * _ROLLS, roll_2):
                    money += nets[roll]
                    done += 1
                    if money < slip or money >= target or done >= end:
                        break
        bank[player] = money
        rounds[player] = done
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3


@_compiled
def play_ladder(
    random: Any,
    kind_3: Any,
    step_3: Any,
    gain_3: Any,
    stake_3: Any,
    need_3: Any,
    room_3: Any,
    kind_1: Any,
    step_1: Any,
    values: Any,
    units: Any,
    bank: Any,
    rounds: Any,
    rungs: Any,
    staked: Any,
    slip: Any,
    target: Any,
    end: Any,
    edge: Any,
) -> None:
    """A staking rule from its tables: three rounds at a time where no stop can be reached, else one."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    kinds_1 = np.uint64(values.size)
    kinds_3 = kinds_1 * kinds_1 * kinds_1
    for player in range(bank.size):
        money = bank[player]
        done = rounds[player]
        rung = rungs[player]
        total = staked[player]
        while money >= slip and money < target and done < end and rung != edge:
            word, s0, s1, s2, s3 = draw(s0, s1, s2, s3)
            for _half in range(2):
                roll_1, roll_2, roll_3, rest = three_rolls(word & _MASK)
                word >>= _HALF
                if rest < _UNEVEN:
                    continue
                if money >= need_3[rung] and money < room_3[rung] and done + 3 <= end:
                    entry = rung * kinds_3 + kind_3[0, roll_1] + kind_3[1, roll_2] + kind_3[2, roll_3]
                    money += gain_3[entry]
                    total += stake_3[entry]
                    rung = step_3[entry]
                    done += 3
                else:
                    for roll in (roll_1, roll_2, roll_3):
                        if money < slip or money >= target or done >= end or rung == edge:
                            break
                        bet = units[rung]
                        if bet * slip > money:
                            bet = money // slip
                        kind = kind_1[roll]
                        money += bet * values[kind]
                        total += bet * slip
                        rung = step_1[rung * kinds_1 + kind]
                        done += 1
        bank[player] = money
        rounds[player] = done
        rungs[player] = rung
        staked[player] = total
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3


@_inlined
def append(line: Any, first: Any, last: Any, number: Any) -> Any:
    """Write a number after the line; the places struck out on its left make room when the row is full."""
    if last == line.size - 1:
        for place in range(first, line.size):
            line[place - first] = line[place]
        last -= first
        first = 0
    last += 1
    line[last] = number
    return first, last


@_inlined
def line_stake(line: Any, first: Any, last: Any) -> Any:
    return line[last] if first == last else line[first] + line[last]


@_inlined
def line_after(line: Any, first: Any, last: Any, net: Any, fresh: Any, longest: Any, cap: Any) -> Any:
    """The line after a round: struck at both ends, longer by the stake, or begun again."""
    over = False
    if net > 0:
        first += 1
        last -= 1
        over = first > last
    elif net < 0:
        first, last = append(line, first, last, line_stake(line, first, last))
        over = last - first >= longest or line_stake(line, first, last) > cap
    if over:
        first = 0
        last = fresh.size - 1
        for place in range(fresh.size):
            line[place] = fresh[place]
    return first, last


@_compiled
def play_lines(
    random: Any,
    nets: Any,
    fresh: Any,
    longest: Any,
    cap: Any,
    limit: Any,
    bank: Any,
    rounds: Any,
    lines: Any,
    firsts: Any,
    lasts: Any,
    staked: Any,
    slip: Any,
    target: Any,
    end: Any,
) -> None:
    """Labouchère: each player's line lies between two marks in a row of numbers."""
    s0, s1, s2, s3 = random[0], random[1], random[2], random[3]
    for player in range(bank.size):
        money = bank[player]
        done = rounds[player]
        line = lines[player]
        first, last = firsts[player], lasts[player]
        while money >= slip and money < target and done < end:
            word, s0, s1, s2, s3 = draw(s0, s1, s2, s3)
            for _half in range(2):
                roll_1, roll_2, roll_3, rest = three_rolls(word & _MASK)
                word >>= _HALF
                if rest < _UNEVEN:
                    continue
                for roll in (roll_1, roll_2, roll_3):
                    if money < slip or money >= target or done >= end:
                        break
                    bet = min(line_stake(line, first, last), limit, money // slip)
                    money += bet * nets[roll]
                    staked[player] += bet * slip
                    first, last = line_after(line, first, last, nets[roll], fresh, longest, cap)
                    done += 1
        bank[player] = money
        rounds[player] = done
        firsts[player], lasts[player] = first, last
    random[0], random[1], random[2], random[3] = s0, s1, s2, s3
