"""Spider: two packs in ten piles; runs of one suit, from king to ace, leave the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Self

from unshuffle.cards import Card, Suit
from unshuffle.deals import OURS, decks
from unshuffle.game import Game, Hooks
from unshuffle.games.spider import interchange, places, search, words
from unshuffle.games.spider.endgames import endgames
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.rules import Rules, State, lay_out
from unshuffle.games.spider.view import View
from unshuffle.manifest import Manifest, Seat
from unshuffle.places import Places
from unshuffle.views import Shown

__all__ = ["Move", "Row", "Rules", "Run", "Shown", "Spider", "State", "View"]

_SPADES, _HEARTS, _DIAMONDS, _CLUBS = Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS
_PEER_SUITS: Mapping[int, tuple[Suit, ...]] = {
    1: (_SPADES, _SPADES, _SPADES, _SPADES),
    2: (_HEARTS, _SPADES, _HEARTS, _SPADES),
    4: (_SPADES, _HEARTS, _DIAMONDS, _CLUBS),
}
"""The order in which the peer's environment lists the suits of a rank."""


class Spider(Game[State, Move]):
    """Spider with its rules fixed."""

    id = "spider"
    name = "Spider"
    summary = "ten piles of two packs, packed down; runs of one suit move together and leave when complete"
    variants: Mapping[str, Rules] = {
        "4-suits": Rules(),
        "2-suits": Rules(suits=2),
        "1-suit": Rules(suits=1),
        "4-suits-strict": Rules(deal_on_empty=False),
        "2-suits-strict": Rules(suits=2, deal_on_empty=False),
        "1-suit-strict": Rules(suits=1, deal_on_empty=False),
    }
    has = Manifest(
        adviser="unshuffle.games.spider.advise.adviser:SpiderAdviser",
        coach="unshuffle.games.spider.advise.coach:SpiderCoach",
        policies="unshuffle.games.spider.hidden.policies:POLICIES",
        usual="plan:8",
        panel=tuple(Seat(f"plan:{width}") for width in range(1, 65)),
        environment="unshuffle.games.spider.envs:SpiderEnv",
        environment_id="unshuffle/Spider-v0",
        steps=500,
        more_environments=tuple(
            (name, "unshuffle.games.spider.envs.solitare:SpiderSolitareEnv", 750)
            for name in ("unshuffle/SpiderSolitare-v0", "spider_solitare/SpiderSolitare-v0")
        ),
    )
    hides_cards = True
    writer = places.RunsWriter
    reader = places.RunsReader
    entry_help = (
        "A line for each pile ('1:' and so on, bottom card first, each face-down card in brackets; nothing behind it: "
        "an empty pile), 'Bank:' (in deal order), 'Completed:' (the suits of the runs that have left) and 'Moves:'."
    )
    score_counts = "points"
    charges_moves = True
    foreign = interchange.FORMS
    unwritten: Mapping[str, str] = {"fc-solve": "it knows no stock", "quagnes": "it plays Agnes Sorel only"}

    rules: Rules

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of all runs, in the suits of the rules."""
        return self.rules.pack

    @property
    def most_score(self) -> int:
        """The Sun score of a won game, from which each move takes one."""
        return self.rules.most_sun

    def decks(self, seed: int, generator: str = OURS) -> Iterator[tuple[Card, ...]]:
        """Return the decks of a seed; `python` shuffles the pack in the peer's order, and deals from its end."""
        if generator != "python":
            return super().decks(seed, generator)
        rules = self.rules
        listed = [
            Card(rank, suit)
            for first in range(0, rules.runs, 4)
            for rank in range(1, rules.ranks + 1)
            for suit in _PEER_SUITS[rules.suits][: rules.runs - first]
        ]
        return (deck[::-1] for deck in decks(listed, seed, generator))

    def uncharged(self, state: State) -> State:
        """Return the state with 0 moves made, each of which takes one from the score."""
        return replace(state, moves=0)

    def is_stricter(self, other: Self) -> bool:
        """Return whether the other game only adds rows on empty piles: it has all lines of this one."""
        return self.rules != other.rules and replace(self.rules, deal_on_empty=True) == other.rules

    board = staticmethod(places.board)
    state_of = staticmethod(places.state_of)
    dress = staticmethod(places.dress)
    gesture = staticmethod(places.gesture)
    describe = staticmethod(words.describe)

    @property
    def places(self) -> Places:
        """The bank and the completed runs above the piles, and the moves made."""
        return places.places(self.rules)

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal the piles row by row; the rest is the bank."""
        return lay_out(self.rules, deck)

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """Read a token such as d, 3-7 or 3-7x4."""
        return words.parse_token(token)

    def picture(self, state: State | View) -> str:
        """Return the numbered piles, the bank by rows, the completed runs and the moves made, as text."""
        return f"{super().picture(state)}   Moves: {state.moves}"

    def hooks(self) -> Hooks[State, Move]:
        """Return the hooks: a bound by missing joins, a key that sorts piles after the last row, and beam search."""
        return Hooks(bound=search.bound, key=search.key, attempt=search.attempt)

    def small_states(self, seed: int) -> Iterator[State]:
        """Yield whole small games, tables with few moves, and games that are nearly won."""
        return endgames(self.rules, seed)
