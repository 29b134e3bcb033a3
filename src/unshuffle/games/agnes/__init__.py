"""Agnes Sorel: a packing game whose first card sets the rank with which the foundations begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Self

from unshuffle.cards import RANKS, Card
from unshuffle.deals import OURS, decks
from unshuffle.game import Game, Hooks
from unshuffle.games.agnes import implications, interchange, places, search, words
from unshuffle.games.agnes.endgames import endgames
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation, ToPile
from unshuffle.games.agnes.rules import Rules, State, lay_out
from unshuffle.games.agnes.view import View
from unshuffle.manifest import Manifest, Seat
from unshuffle.places import Places
from unshuffle.views import Shown

__all__ = ["Agnes", "Deal", "Move", "Rules", "Shown", "State", "ToFoundation", "ToPile", "View"]


def _name(rules: Rules) -> str:
    words = [
        "up" if rules.face_up else "down",
        "suit" if rules.move_same_suit else "color",
        rules.move_to_empty_pile.replace("-", ""),
    ]
    return "-".join([*words, *([] if rules.split_runs else ["nosplit"])])


def _grid() -> Iterator[Rules]:
    policies = ("none", "any-1", "high-1", "high-run", "any-run")
    for face_up, suit, policy, split in product((False, True), (False, True), policies, (True, False)):
        yield Rules(face_up=face_up, move_same_suit=suit, move_to_empty_pile=policy, split_runs=split)


class Agnes(Game[State, Move]):
    """Agnes Sorel with its rules fixed."""

    id = "agnes"
    name = "Agnes Sorel"
    summary = "seven piles packed down by colour; the first card names the base of the foundations"
    variants: Mapping[str, Rules] = {_name(rules): rules for rules in _grid()}
    has = Manifest(
        adviser="unshuffle.games.agnes.advise.adviser:AgnesAdviser",
        policies="unshuffle.games.agnes.hidden.policies:POLICIES",
        usual="rollout:20",
        panel=(Seat("rollout:20", 40),),
        environment="unshuffle.games.agnes.envs:AgnesEnv",
        environment_id="unshuffle/Agnes-v0",
        steps=500,
    )
    hides_cards = True
    writer = places.BaseWriter
    reader = places.BaseReader
    entry_help = (
        "A line each for 'Base:', 'Foundations:' (top cards in the order C D S H, '-' for none), each pile ('1:' and "
        "so on, bottom card first, face-down cards in brackets) and 'Stock:' (next card first); '-' is an empty one."
    )
    bound_words = "not all cards could go up even if moves took nothing away"
    score_counts = "cards up"
    foreign = interchange.FORMS
    unwritten: Mapping[str, str] = {
        "solvitaire": "it has no rule that builds by colour alone",
        "fc-solve": "it has no stock",
    }

    rules: Rules

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of the ranks in use."""
        return self.rules.pack

    @property
    def most_score(self) -> int:
        """The score with all cards up."""
        return len(self.rules.pack)

    def decks(self, seed: int, generator: str = OURS) -> Iterator[tuple[Card, ...]]:
        """Return the decks of a seed. As in quagnes, `python` shuffles AC AD AS AH 2C .. KH and deals from the end."""
        if generator != "python":
            return super().decks(seed, generator)
        by_rank = sorted(self.pack, key=lambda card: (card.rank, places.SUIT_ORDER.index(card.suit)))
        return (deck[::-1] for deck in decks(by_rank, seed, generator))

    def is_stricter(self, other: Self) -> bool:
        """Return whether these rules are stricter, by the implications of variants with the same ranks and piles."""
        return self.rules in implications.stricter(other.rules)

    board = staticmethod(places.board)
    state_of = staticmethod(places.state_of)
    dress = staticmethod(places.dress)
    describe = staticmethod(words.describe)

    @property
    def places(self) -> Places:
        """Stock and foundations above the piles; the base rank."""
        return places.places(self.rules)

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal the base card and the piles; the rest is the stock."""
        return lay_out(self.rules, deck)

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """Read a token such as d, 3f, 3-5 or 3-5x4."""
        return words.parse_token(token)

    def picture(self, state: State | View) -> str:
        """Return the table as text: base and foundations, numbered piles and the stock."""
        return f"Base: {RANKS[state.base - 1]}   {super().picture(state)}"

    def hooks(self) -> Hooks[State, Move]:
        """Return the search hooks: safe moves, a bound, a key without pile order where that plays no part, an order."""
        return Hooks(forced=search.forced, bound=search.bound, key=search.key, order=search.order, kinds=search.KINDS)

    def small_states(self, seed: int) -> Iterator[State]:
        """Yield endgames with few cards left, dealt into piles and stock at random."""
        return endgames(self.rules, seed)
