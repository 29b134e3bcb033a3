"""Laws of the flow: whatever is answered, no answer breaks it, and the save is the game at the very prompt."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.watched import Script, Watched, check_export
from unshuffle.advise import adviser_of
from unshuffle.advise.saves import Saves, new_record
from unshuffle.cards import PACK, format_cards

pytestmark = pytest.mark.both_engines

VARIANTS = ("classic", "merci", "one-deal", "fan", "three-shuffles-and-a-draw", "trefoil+fan_size=2+merci=anywhere")
COMMANDS = ("a", "d", "d 1", "d 2", "u", "u", "u 2", "b", "r", "r", "e", "s", "n", "", "", "?", "m", "x /nowhere/a.txt")


JUNK = ("KC KC", "1X KD", "zz", "3: QC", "Merci: 0", "Deal: 2", "Foundations: 9C", "Deck: KC", "-")


class Typist(Script):
    """A person who has fans before them."""

    def _answer(self, prompt: str) -> str:
        rng = self._rng
        if rng.random() < 0.1:
            return rng.choice(JUNK)
        cards = self._cards()
        rng.shuffle(cards)
        if prompt.startswith(("Fan ", "Redeal ")) and rng.random() < 0.8:
            typed = " ".join(self._desk.work.draft.cells)
            return format_cards([card for card in cards if str(card) not in typed][: rng.choice((1, 2, 3, 3, 3))])
        if prompt.startswith("Fan and cards") and rng.random() < 0.6:
            size = self._desk.game.rules.fan_size
            return " / ".join(format_cards(cards[start : start + size]) for start in range(0, len(cards), size))
        if prompt.startswith("[A]") and rng.random() < 0.4:
            moves = self._desk.state.legal_moves()
            return f"m {rng.choice(moves).token}" if moves else "r"
        return rng.choice(COMMANDS)

    def _cards(self) -> list[un.Card]:
        """What may be dealt: the rest of a game with redeals, or kings, queens and jacks."""
        before = self._desk.before
        return [
            card for card in PACK if (card.rank > 10 if before is None else card.rank > before.foundations[card.suit])
        ]


@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**32))
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    folder: Path = tmp_path_factory.mktemp("saves")
    console = Typist(Random(seed), answers=40)
    adviser = adviser_of(un.game("belle-lucie", variant))
    session = Watched(adviser, new_record("g"), Saves(folder, "belle-lucie"), console)
    console.session = session
    session.begin()
    session.run()
    check_export(session.desk, folder / "g.txt")
