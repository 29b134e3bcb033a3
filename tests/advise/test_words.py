"""A plan in words: whatever is known, and no more than that."""

from __future__ import annotations

from typing import Any

import pytest

import unshuffle as un
from unshuffle.games.belle_lucie.advise.words import claim, points
from unshuffle.games.belle_lucie.hidden.planner import Alternative, Plan
from unshuffle.hidden.chance import Chance, percent

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

STATE = un.game("belle-lucie", "classic").parse("Deal: 2\nKC QC TC / JC / KD / KH / KS JS QS / TS")


def part(heights: tuple[int, ...], chance: float | None, se: float | None = 0.001) -> dict[str, Any]:
    return {"moves": (), "heights": heights, "mercis": 0, "value": chance or 0.5, "chance": chance, "se": se}


def plan(
    own: dict[str, Any], most: dict[str, Any], other: dict[str, Any] | None = None, complete: bool = True
) -> list[str]:
    next_best = None if other is None else Alternative(**other)
    made = Plan(
        **own, redeals=True, complete=complete, most_cards=Alternative(**most), next_best=next_best, nodes=1, seconds=0
    )
    return list(claim(STATE, made))


def test_all_that_there_is_to_say() -> None:
    lines = plan(part((9, 12, 12, 9), 0.4), part((9, 13, 13, 10), 0.3), part((9, 12, 12, 10), 0.39))
    assert lines == [
        "Deal 2 of 3: 1 redeal left, 42 cards up, 10 in 6 fans.",
        "Cannot be won in this deal (proved); a redeal is needed.",
        "Chance to win with this plan: 40.0 % ± 0.1 (± one standard error; hidden: what a player sees).",
        "It aims at 9C QD QH 9S (42 up, 10 left), then a redeal.",
        "Most cards: 9C KD KH TS (45 up, 7 left): 30.0 % ± 0.1.",
        "Next best: 9C QD QH TS (43 up, 9 left): 39.0 % ± 0.1, 1.0 points less.",
        "Why: keep the king of diamonds, the king of hearts and the ten of spades down: 40 % against 30 %;"
        " 4 suits stay open instead of 2.",
    ]


def test_close_rivals_are_called_close() -> None:
    own, most = part((9, 12, 12, 9), 0.4, 0.01), part((9, 13, 12, 9), 0.39, 0.01)
    lines = plan(own, most, most)
    assert lines[-2] == "That is also the next best, 1.0 points less, which is within the noise of the tables."
    assert lines[-1].startswith("Why: keep the king of diamonds down: 40.0 % against 39.0 %; 10 cards make a small fan")
    lines = plan(own, most, part((9, 12, 13, 9), 0.4, 0.01))
    assert "Next best: 9C QD KH 9S (43 up, 9 left): 40.0 % ± 1.0, as good by the tables." in lines


def test_most_cards_may_be_the_plan_or_as_good() -> None:
    own = part((9, 13, 13, 10), 0.4)
    assert plan(own, own)[-1] == "No play of this deal puts up more cards."
    assert not any(line.startswith("Why") for line in plan(own, part((10, 13, 13, 10), 0.4)))


def test_other_cards_instead() -> None:
    lines = plan(part((9, 13, 12, 9), 0.4), part((9, 12, 13, 10), 0.1))
    assert lines[-1].startswith(
        "Why: keep the king of hearts and the ten of spades down and put the king of diamonds up"
    )


def test_without_a_table_no_chance_is_shown() -> None:
    lines = plan(part((9, 12, 12, 9), None, None), part((9, 13, 13, 10), None, None))
    assert "%" not in "".join(lines)
    assert "No table was made for these rules" in lines[2]
    assert lines[-1].startswith("Why: keep the king of diamonds, the king of hearts and the ten of spades down; ")


def test_a_search_that_was_cut_short_has_proved_nothing() -> None:
    lines = plan(part((9, 12, 12, 9), 0.4), part((9, 13, 13, 10), 0.3), complete=False)
    assert lines[1] == "No win was found before the search was cut short; a redeal is needed."


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Chance(1, 0), "100 %"),
        (Chance(0, 0), "0 %"),
        (Chance(1 / 3, 0), "33.3 % (exact)"),
        (Chance(0.2314, 0.003), "23.1 % ± 0.3"),
        (Chance(0.0123, 0.0002), "1.23 % ± 0.02"),
        (Chance(0.5, 0.00001), "50.00 % ± 0.01"),
    ],
)
def test_chances(chance: Chance, text: str) -> None:
    assert str(chance) == text
    assert text.startswith(percent(chance.p, chance.se))


def test_the_rule_of_thumb() -> None:
    assert points((13, 13, 13, 9)) == 48 + 4 + 6
    assert points((13, 13, 13, 10)) == 49 + 0 + 6
    assert points((12, 13, 12, 13)) == 50 + 3 + 12
