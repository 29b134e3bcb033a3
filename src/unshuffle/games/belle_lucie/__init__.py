"""La Belle Lucie: fans of three, built down in suit, and what that does to a pack of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from unshuffle.cards import Card
from unshuffle.errors import Faults, UsageError
from unshuffle.game import Description, Game, Hooks
from unshuffle.games.belle_lucie import describe, notation, search
from unshuffle.games.belle_lucie.rules import Move, Rules, State, ToFan, ToFoundation, lay_out
from unshuffle.layout import Layout
from unshuffle.rulebook import write_rules

__all__ = ["BelleLucie", "Move", "Rules", "State", "ToFan", "ToFoundation"]

# Fields that both twins honour today. Any other choice is refused: rules that are not played must not be promised.
_PLAYED = ("fan_size", "aces_out", "may_hold_back")


class BelleLucie(Game[State, Move]):
    """La Belle Lucie with its rules fixed."""

    id = "belle-lucie"
    name = "La Belle Lucie"
    summary = "one pack in fans of three, built down in suit; the aces found four piles"
    variants: ClassVar[Mapping[str, Rules]] = {"one-deal": Rules()}
    labels = ("foundations", "deal")
    entry_help = (
        "One fan per line, its bottom card first and the playable card last; "
        "cards that you leave out are on the foundations."
    )
    score_counts = "cards up"
    always_maximizes = True

    def check_rules(self) -> None:
        """Refuse the fields of the family that cannot be played yet."""
        defaults = write_rules(Rules())
        missing = [
            f"{name}={value}"
            for name, value in write_rules(self.rules).items()
            if name not in _PLAYED and value != defaults[name]
        ]
        if missing:
            raise UsageError(f"belle-lucie cannot be played with {', '.join(missing)} yet; only one deal is there")

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal the deck into fans."""
        return lay_out(self.rules, deck)

    def read(self, layout: Layout, faults: Faults) -> State:
        """Read fans, one per line."""
        return notation.read(self.rules, layout, faults)

    def cards(self, state: State) -> Iterator[Card]:
        """The fans and the foundations."""
        yield from (card for fan in state.fans for card in fan)
        yield from (card for card in self.pack if card.rank <= state.foundations[card.suit])

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """Read a token such as 8S>9S or AS^."""
        return notation.parse_move(token)

    def describe(self, state: State, move: Move) -> Description:
        """The move's class and a sentence."""
        return describe.describe(state, move)

    def picture(self, state: State) -> str:
        """Numbered fans, foundations beneath."""
        return describe.picture(state)

    def hooks(self) -> Hooks[State, Move]:
        """Safe moves, the bound by free cards, and fans as a set."""
        return Hooks(forced=search.forced, bound=search.bound, key=search.key)

    def small_states(self, seed: int) -> Iterator[State]:
        """Endgames: the top cards of each suit, as many as the dice say, dealt into fans.

        Played out this is the whole game on a shrunken pack, for the cards that are up play no further part.
        """
        from random import Random

        rng = Random(seed)
        for _ in range(8):
            heights = tuple(rng.randint(8, 13) for _ in range(4))
            left = [card for card in self.pack if card.rank > heights[card.suit]]
            rng.shuffle(left)
            yield lay_out(self.rules, tuple(left))
