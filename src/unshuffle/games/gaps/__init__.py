"""Gaps (Addiction, Montana, Spaces): four rows with four gaps; a gap takes the card that follows its left neighbour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Self

from unshuffle.cards import Card
from unshuffle.errors import Faults, UsageError
from unshuffle.game import Game, Hooks
from unshuffle.games.gaps import implications, interchange, places, search, words
from unshuffle.games.gaps.endgames import endgames
from unshuffle.games.gaps.moves import Move, Redeal, ToGap
from unshuffle.games.gaps.rules import ACES, MOST_SCORE, Rules, State, lay_out
from unshuffle.layout import Layout, Line
from unshuffle.manifest import Manifest, Seat, part
from unshuffle.places import Places

__all__ = ["Gaps", "Move", "Redeal", "Rules", "State", "ToGap", "phase_ends"]


class Gaps(Game[State, Move]):
    """Gaps with its rules fixed."""

    id = "gaps"
    name = "Gaps"
    summary = "four rows with four gaps; a gap takes the card that follows its left neighbour, column 1 a two"
    variants: Mapping[str, Rules] = {
        "addiction": Rules(),
        "addiction-early": Rules(early_redeal=True),
        "addiction-one-deal": Rules(redeals=0),
        "montana": Rules(redeals=2, redeal_gaps="after-run", twos_locked=False, early_redeal=True),
        "montana-locked": Rules(redeals=2, redeal_gaps="after-run"),
        "spaces": Rules(redeals=2, twos_locked=False, early_redeal=True),
        "one-deal": Rules(redeals=0, twos_locked=False),
        "basic": Rules(redeals=0, fixed_suits="CHSD"),
    }
    has = Manifest(
        adviser="unshuffle.games.gaps.advise.adviser:GapsAdviser",
        coach="unshuffle.games.gaps.advise.coach:GapsCoach",
        policies="unshuffle.games.gaps.hidden.policies:POLICIES",
        usual="value:1500",
        # Each node limit is a quarter larger than the one before, for searches of different depth.
        panel=tuple(Seat(f"max-locked:{round(1000 * 1.25**step)}") for step in range(20)),
        environment="unshuffle.games.gaps.envs:GapsEnv",
        environment_id="unshuffle/Gaps-v0",
        options="unshuffle.games.gaps.options:OPTIONS",
        without="unshuffle.games.gaps.hidden.ends:search_without",
        values="unshuffle.games.gaps.values.tables:GapsValues",
    )
    reader = places.CellReader
    entry_help = (
        "Four lines of 13 cells from the left; a gap is '-', '--', 'g' or an ace. "
        "'Redeals used: 1' before them where the loose cards have been dealt again."
    )
    redeal_class = Redeal
    score_counts = "cards locked"
    bound_words = "an upper bound shows that not all cards can be locked"
    solves_phases = True
    foreign = interchange.FORMS
    unwritten: Mapping[str, str] = {
        "fc-solve": "its games are played on piles",
        "quagnes": "it plays Agnes Sorel only",
    }
    stat_names: Mapping[str, str] = {"depth": "max_depth", "memory": "table_bytes"}
    techniques: Mapping[str, str] = {
        "closure": "bound",
        "alone": "forced",
        "bound": "bound",
        "history": "",
        "ordering": "",
        "facts": "",
        "learned": "",
        "widening": "",
        "hops": "",
        "table": "",
    }

    rules: Rules

    @property
    def most_score(self) -> int:
        """The number of cards without the aces."""
        return MOST_SCORE

    def is_stricter(self, other: Self) -> bool:
        """Return whether these rules are stricter within a phase, whatever the redeals."""
        return self.rules != other.rules and implications.is_stricter(self.rules, other.rules)

    board = staticmethod(places.board)
    state_of = staticmethod(places.state_of)
    dress = staticmethod(places.dress)
    split_moves = staticmethod(words.split_moves)
    parse_move = staticmethod(words.parse_move)
    describe = staticmethod(words.describe)

    @property
    def places(self) -> Places:
        """The cells of the board, and the redeals used."""
        return places.places(self.rules)

    def goes_up(self, table: State, move: Move) -> bool:
        """Return whether the move locks its card."""
        return not isinstance(move, Redeal) and table.play(move).score > table.score

    def start(self, deck: tuple[Card, ...]) -> State:
        """Deal the deck row by row; its aces are the gaps."""
        return lay_out(self.rules, deck)

    def follow(self, state: State, decks: Iterator[tuple[Card, ...]]) -> State:
        """Return the state with the deck of each redeal that is left."""
        return replace(state, redeals=tuple(islice(decks, state.used, self.rules.redeals)))

    def parse(self, text: str) -> State:
        """Read a layout as in every game; a `|` separates cells too."""
        return super().parse(text.replace("|", " "))

    def _read_deck(self, layout: Layout, faults: Faults) -> State:
        labelled = {
            label: replace(line, tokens=places.spelled(line.tokens)) if label == "deck" else line
            for label, line in layout.labelled.items()
        }
        rows: list[Line] = [replace(line, tokens=places.spelled(line.tokens)) for line in layout.rows]
        return super()._read_deck(Layout(labelled, tuple(rows)), faults)

    def check_open(self, state: State) -> None:
        """Raise UsageError if not all redeals of the game are known."""
        if state.redeals_left > len(state.redeals) and state.score < MOST_SCORE:
            raise UsageError(
                f"{self} has redeals whose order is not known, so nobody can play it to its end yet; "
                "a seed or 'Redeal' lines make them known, and `unshuffle advise` plans it"
            )

    def phase(self, state: State) -> State:
        """Return the board without its redeals: a solver plays cards only."""
        return replace(state, redeals=())

    def told(self, state: State, move: Move) -> Move:
        """Return a known redeal with the cards that it brings; other moves as they are."""
        if isinstance(move, Redeal) and move.cards is None and state.redeals:
            return Redeal(state.dealt(state.redeals[0]))
        return move

    def cards(self, state: State) -> Iterator[Card]:
        """Yield the cards of the board, then the aces, which lie beside it."""
        yield from super().cards(state)
        yield from ACES

    def hooks(self) -> Hooks[State, Move]:
        """Return the hooks: forced moves, a bound by reachable cells, and a key that ignores the order of rows."""
        return Hooks(forced=search.forced, bound=search.bound, key=search.key, kinds=search.KINDS)

    def small_states(self, seed: int) -> Iterator[State]:
        """Yield boards with long runs."""
        return endgames(self.rules, seed)


def phase_ends(state: State, **limits: Any) -> Any:
    """Return what can be locked in this phase, with a line to each end; limits are `seconds`, `nodes` and `memory`.

    The result is an `unshuffle.games.gaps.hidden.ends.Ends`.
    """
    if not isinstance(state, State):
        raise UsageError("phase_ends is for states of gaps")
    return part("unshuffle.games.gaps.hidden.ends:phase_ends")(state, **limits)
