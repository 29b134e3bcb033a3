"""Gaps beside the adviser: a board that is soon searched out, and apps that shuffle as each model thinks they do."""

from __future__ import annotations

import random
from pathlib import Path

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import Ended
from unshuffle.cards import PACK, Card
from unshuffle.games.gaps import Rules, State
from unshuffle.games.gaps.rules import Cells

GAME = un.game("gaps")
ROWS = (
    "2D 3D 4D 5D 6D 7D 8D 9D TD 7S -- JD --",
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 9S",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 5S",
    "2S QS 3S 6S KD QD 4S JS -- TS KS 8S --",
)
"""It cannot be won, and ends in four ways: 36, 37, 38 or 39 cards locked."""
FEWEST = "QS>r4c9 3S>r4c2 4S>r4c3 8S>r1c11 QD>r1c13"
MOST = "QS>r4c9 3S>r4c2 4S>r4c3 8S>r1c11 KD>r4c7 7S>r4c5 QD>r1c13 JD>r1c10 8S>r4c6 QD>r1c11 KD>r1c12 9S>r4c7"
PLAY = "[A]dvice, [D]one, [M]oves, [U]ndo, [E]dit, [B]oard, [R]edeal, e[X]port, [P]ass, [Z] save and exit?"
END = "[U]ndo, [E]dit, [B]oard, e[X]port, [P]ass, [Z] save and exit?"
EDIT = "Cell and card (r3c6 5H), blank to end?"
WHICH = "[S]tart of this phase or board [N]ow?"
DECK = tuple(random.Random(22).sample(PACK, 52))
"""A redeal in its order is lost after `FEWEST` and won after `MOST`."""


class Seat:
    """Each call is one run with these answers, on the game `g`."""

    def __init__(self, run: Run, saves: Path) -> None:
        self._run = run
        self.saves = saves

    def __call__(self, *answers: str, options: tuple[str, ...] = (), name: str | None = "g") -> Ended:
        chosen = [] if name is None else ["--id", name]
        arguments = ["advise", "gaps", "--saves", str(self.saves), *chosen, "--seconds", "1", *options]
        return self._run(*arguments, stdin="".join(f"{answer}\n" for answer in answers))


def dealt(state: State, deck: tuple[Card, ...]) -> list[str]:
    """What this deck lays on the free cells, a line for each row that has any."""
    cards = dict(zip(state.free_cells, state.dealt(deck), strict=True))
    rows = [[cards[index] for index in cards if index // 13 == row] for row in range(4)]
    return [" ".join("--" if card is None else str(card) for card in row) for row in rows if row]


def after(moves: str) -> State:
    """The board after these moves from `ROWS`."""
    state: State = GAME.parse("\n".join(ROWS))
    for token in moves.split():
        state = state.play(GAME.parse_move(token))
    return state


def came(moves: str, deck: tuple[Card, ...] = DECK) -> list[str]:
    """What the deck brings after these moves, a line for each row."""
    return dealt(after(moves), deck)


class App:
    """A program that deals the same game again and again, as one of the models thinks."""

    def __init__(self, model: str, rules: Rules, seed: int) -> None:
        self._model = model
        self._rules = rules
        self._seed = seed
        self._fresh = random.Random(seed)

    def redeal(self, ends: tuple[Cells, ...]) -> Cells:
        """The board of the next phase, by the boards with which the phases before it ended."""
        state = State(self._rules, ends[-1])
        places = [index for index in state.free_cells if index not in state.fixed_gaps]
        lying = [state.cells[index] for index in state.free_cells]
        if state.fixed_gaps:
            lying = [card for card in lying if card is not None]
        cells = list(state.cells)
        for index in state.fixed_gaps:
            cells[index] = None
        for index, card in zip(places, self._shuffled(ends, state, lying), strict=True):
            cells[index] = card
        return tuple(cells)

    def _shuffled(self, ends: tuple[Cells, ...], state: State, lying: list[Card | None]) -> list[Card | None]:
        number = len(ends)
        if self._model == "none":
            return self._fresh.sample(lying, len(lying))
        if self._model == "board":
            return random.Random(f"{self._seed} {ends}").sample(lying, len(lying))
        if self._model == "locked":
            locks = [State(self._rules, end).locks for end in ends]
            order = sorted(lying, key=lambda card: -1 if card is None else card.index)
            return random.Random(f"{self._seed} {locks}").sample(order, len(order))
        if self._model == "order":
            deck = random.Random(f"{self._seed} {number}").sample(PACK, len(PACK))
            cards = [None if card.rank == 1 else card for card in deck]
            return [card for card in cards if card in lying]
        order_of = random.Random(f"{self._seed} {number} {len(state.free_cells)}").sample(range(len(lying)), len(lying))
        return [lying[source] for source in order_of]


def play_on(state: State, rng: random.Random) -> State:
    """Random play until no card can move."""
    while moves := list(state.card_moves()):
        state = state.play(rng.choice(moves))
    return state
