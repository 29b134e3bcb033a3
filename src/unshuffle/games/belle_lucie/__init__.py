"""La Belle Lucie and its family: small fans of cards, built down, with redeals and mercis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Self

from unshuffle.cards import Card
from unshuffle.errors import UsageError
from unshuffle.game import Game, Hooks
from unshuffle.games.belle_lucie import implications, interchange, places, search, words
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import Rules, State, lay_out
from unshuffle.manifest import Manifest, Seat
from unshuffle.places import Places

__all__ = ["BelleLucie", "Merci", "Move", "Redeal", "Rules", "State", "ToFan", "ToFoundation", "ToSpace"]


class BelleLucie(Game[State, Move]):
    """La Belle Lucie with its rules fixed."""

    id = "belle-lucie"
    name = "La Belle Lucie"
    summary = "one pack in fans of three, built down in suit; the aces found four piles"
    variants: Mapping[str, Rules] = {
        "one-deal": Rules(),
        "classic": Rules(redeals=2),
        "merci": Rules(redeals=2, merci="play"),
        "three-shuffles-and-a-draw": Rules(redeals=2, merci="second", merci_deals="any"),
        "trefoil": Rules(redeals=2, aces_out=True),
        "super-flower-garden": Rules(redeals=2, build="any"),
        "fan": Rules(kings_to_spaces=True),
        "fan-18": Rules(kings_to_spaces=True, fans=18),
        "shamrocks": Rules(build="any", build_up=True, max_cards=3),
    }
    has = Manifest(
        adviser="unshuffle.games.belle_lucie.advise.adviser:BelleLucieAdviser",
        policies="unshuffle.games.belle_lucie.hidden.policies:POLICIES",
        usual="value",
        # All cards lie open and `greedy` solves the deal: without slips it would win every one-deal game that can be
        # won.
        panel=tuple(Seat("greedy", 20, slips) for slips in (5, 10, 20, 40)),
        environment="unshuffle.games.belle_lucie.envs:BelleLucieEnv",
        environment_id="unshuffle/BelleLucie-v0",
        steps=500,
        options="unshuffle.games.belle_lucie.options:OPTIONS",
        values="unshuffle.games.belle_lucie.values.tables:BelleLucieValues",
    )
    reader = places.FanReader
    entry_help = (
        "One fan per line, its bottom card first and the playable card last; "
        "cards that you leave out are on the foundations."
    )
    redeal_class = Redeal
    score_counts = "cards up"
    bound_words = "not all cards could go up even if building buried none"
    foreign = interchange.FORMS
    unwritten: Mapping[str, str] = {"quagnes": "it plays Agnes Sorel only"}

    @property
    def always_maximizes(self) -> bool:
        """Whether the best score costs no more than the verdict: in one deal, built in suit and without spaces."""
        rules = self.rules
        return not rules.redeals and rules.build == "suit" and not rules.build_up and not rules.kings_to_spaces

    def is_stricter(self, other: Self) -> bool:
        """Return whether these rules are stricter, by the moves that they allow on a table, and the redeals."""
        return implications.is_stricter(self.rules, other.rules)

    board = staticmethod(places.board)
    state_of = staticmethod(places.state_of)
    dress = staticmethod(places.dress)
    parse_move = staticmethod(words.parse_move)
    describe = staticmethod(words.describe)

    @property
    def places(self) -> Places:
        """Foundations above fans; which deal this is, and how many mercis are left."""
        return places.places(self.rules)

    def goes_up(self, table: State, move: Move) -> bool:
        """Return whether the move goes to a foundation; a merci is too valuable for a double click."""
        return isinstance(move, ToFoundation)

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal the deck into fans."""
        return lay_out(self.rules, deck)

    def follow(self, state: State, decks: Iterator[tuple[Card, ...]]) -> State:
        """Return the state with each redeal that is left in the order of its deck."""
        left = {card for fan in state.fans for card in fan}
        coming = islice(decks, state.deal - 1, self.rules.redeals) if left else ()
        return replace(state, redeals=tuple(tuple(card for card in deck if card in left) for deck in coming))

    def check_open(self, state: State) -> None:
        """Raise UsageError for a game whose redeals are not all known."""
        if state.redeals_left > len(state.redeals) and any(state.fans):
            raise UsageError(
                f"{self} has redeals whose order is not known, so nobody can play it to its end yet; "
                "a seed or 'Redeal' lines make them known, --redeal plays the game out, and `unshuffle advise` plans it"
            )

    def phase(self, state: State) -> State:
        """Return the game that ends with the last redeal that is known.

        It has no move that the whole game lacks: a merci for the last deal is not there yet.
        """
        if self.is_open(state):
            return state
        merci = self.rules.merci if self.rules.merci_deals == "any" else "none"
        rules = replace(self.rules, redeals=state.deal - 1 + len(state.redeals), merci=merci)
        return replace(state, rules=rules, mercis=state.mercis if merci != "none" else 0, id=None)

    def told(self, state: State, move: Move) -> Move:
        """Return a redeal with its order, and any other move unchanged."""
        return Redeal(state.redeals[0]) if move == Redeal() and state.redeals else move

    def hooks(self) -> Hooks[State, Move]:
        """Return the search hooks: safe moves, the bound by free cards, and a key of the fans as a set."""
        return Hooks(forced=search.forced, bound=search.bound, key=search.key)

    def small_states(self, seed: int) -> Iterator[State]:
        """Yield endgames: a random number of top cards of each suit, dealt into fans, with all redeals known.

        This is the whole game with a smaller pack, for the cards that are up play no further part.
        """
        from random import Random

        rng = Random(seed)
        rules = self.rules
        # The more moves the rules allow, the fewer cards can be searched exhaustively.
        most = 20 - 4 * (rules.redeals > 0) - 4 * (rules.merci != "none") - 5 * (rules.merci == "anywhere")
        most = max(4, most - 7 * (rules.build == "any") - 3 * rules.build_up)
        for _ in range(5):
            heights = [rng.randint(8, 13) for _ in range(4)]
            while sum(heights) < 52 - most:
                suit = rng.randrange(4)
                heights[suit] = min(13, heights[suit] + 1)
            left = [card for card in self.pack if card.rank > heights[card.suit]]
            rng.shuffle(left)
            state = replace(lay_out(rules, tuple(left)), deal=rng.randint(1, rules.redeals + 1))
            orders = (tuple(rng.sample(left, len(left))) for _ in range(state.redeals_left if left else 0))
            yield replace(state, redeals=tuple(orders), mercis=state.mercis * (rng.random() < 0.8))
