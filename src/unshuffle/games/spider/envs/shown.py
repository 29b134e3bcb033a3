"""The parts of a Spider table that a picture may show: what a player sees."""

from __future__ import annotations

from dataclasses import dataclass

from unshuffle.cards import Card, Suit
from unshuffle.games.spider.rules import Pile, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A Spider table as a player sees it, without the faces of hidden cards."""

    piles: tuple[tuple[Card | None, ...], ...]
    """The bottom card first, None for a card that lies face down; without the cards in hand."""
    bank: int
    """Cards left in the bank."""
    completed: tuple[Suit, ...]
    """The suits of the runs that have left the table, in their order."""
    slots: int
    """The places for completed runs: one for each run of the deck."""
    score: int
    moves: int
    hand: tuple[Card, ...] = ()
    """The cards in hand in the order in which they were picked up: the lowest rank first."""
    source: int = 0
    """The pile that the hand comes from, counted from 1; 0 for an empty hand."""
    ranks: int = 13
    """Cards in a run; a completed run is shown by its highest card."""

    @property
    def rows(self) -> int:
        """Rows that can still be dealt."""
        return self.bank // len(self.piles)


def in_hand(state: State, source: int, held: int) -> Pile:
    """Return the last `held` cards of the pile `source` in the order in which they were picked up."""
    return state.piles[source - 1][: -held - 1 : -1] if held else ()


def look(state: State, source: int = 0, held: int = 0) -> Shown:
    """Return what a player sees of the table, with the last `held` cards of the pile `source` in hand."""
    view, rules = state.view(), state.rules
    piles = list(view.piles)
    if held:
        piles[source - 1] = piles[source - 1][:-held]
    return Shown(
        piles=tuple(piles),
        bank=view.bank,
        completed=view.completed,
        slots=rules.runs,
        score=state.score,
        moves=state.moves,
        hand=in_hand(state, source, held),
        source=source,
        ranks=rules.ranks,
    )
