"""The general environment `unshuffle/Patience-v0`: it derives actions and observations from the places of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import CODES, FACE_DOWN, Bytes, Stepped
from unshuffle.envs.vector import GameVectorEnv
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import AnyGame
from unshuffle.places import Area, Board, Pile, Places, Where

_TABLE = ("pile", "fan")
_UP = ("foundation", "completed", "discards")
_BY_TOP = ("foundation", "completed")
"""Kinds of places that are observed by top card only: it and their size imply the other cards."""


class Hand(NamedTuple):
    """The gesture of an action: where a hand takes cards, and where it lays them down."""

    source: Where
    depth: int = 0
    """The lowest taken card, counted from the top; 0: no card is taken, the place itself is clicked."""
    target: Where | None = None


def places_of(game: AnyGame) -> Places:
    """Return the places of a game; UsageError if it declares none."""
    if game.places is None:
        raise UsageError(f"there is no environment for {game.id}, which has neither one of its own nor places")
    return game.places


class PlacedSteps(Stepped[Any, Any]):
    """The actions and observations derived from places; docs/envs/patience.md describes their numbers."""

    game_id = ""
    is_native = False

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self._places = places = places_of(game)
        # Where emptied places leave the table, no position has more places than a deal.
        dealt = game.board(game.deal(0)).piles
        self._areas = [(area, len(dealt[area.name])) for area in places.areas if dealt[area.name]]
        self._seen = [(area, count) for area, count in self._areas if area.kind != "redeal"]
        self._size = len(places.pack)
        self._reach = places.reach or self._size
        self.actions = len(self.hands)
        self.parts = self._name_parts()  # type: ignore[misc] # the parts of other games are the same in all rules

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The gestures of the actions: the clicks by place, then every source with every target and depth."""
        places = [(area, Where(area.name, number)) for area, count in self._areas for number in range(count)]
        hands = [Hand(where) for _, where in places]
        for (area, source), (other, target) in product(places, places):
            if target.number == 0 or not _stands_for_all(other):
                least = 2 if source == target else 1
                hands += [Hand(source, depth, target) for depth in range(least, self._deepest(area, other) + 1)]
        return tuple(hands)

    @cached_property
    def _numbers(self) -> Mapping[Hand, int]:
        return {hand: number for number, hand in enumerate(self.hands)}

    def _deepest(self, source: Area, target: Area) -> int:
        """Return the greatest depth of a hand between such places; 0: cards never go this way."""
        if source.kind in ("stock", "redeal", "completed", "discards") or target.kind in ("stock", "redeal"):
            return 0
        if source.kind == "foundation":
            return int(target.kind in (*_TABLE, "cell"))
        return self._reach if source.kind in _TABLE and target.kind in (*_TABLE, *_UP) else 1

    def _name_parts(self) -> Mapping[str, tuple[tuple[int, ...], int]]:
        parts: dict[str, tuple[tuple[int, ...], int]] = {}
        for area, count in self._seen:
            width = 1 if area.kind in (*_BY_TOP, "cell") else self._size
            parts[area.name] = (count, width), FACE_DOWN
        parts["height"] = (sum(count for _, count in self._seen),), self._size
        for mark in self._places.marks:
            if len(mark.values) > 1:  # the others are the same on every table
                parts[mark.name] = (1,), min(255, mark.values[-1])
        return dict(sorted(parts.items()))

    def observe(self, state: Any) -> Bytes:
        """Return the parts of the observation, one after the other."""
        board = self.game.board(state).seen()
        heights = [len(pile) for area, count in self._seen for pile in _fill(area, board.piles[area.name], count)]
        rows = {area.name: self._rows(board, area, count) for area, count in self._seen}
        marks = {name: [min(value, 255)] for name, value in board.marks.items()}
        told = {**rows, "height": heights, **marks}
        return np.concatenate([np.array(told[name], np.uint8) for name in self.parts])

    def _rows(self, board: Board, area: Area, count: int) -> Bytes:
        """Return a row of codes for each place of an area."""
        rows = np.zeros(self.parts[area.name][0], np.uint8)
        for row, pile in zip(rows, _fill(area, board.piles[area.name], count), strict=True):
            cards = pile[-1:] if area.kind in _BY_TOP else pile
            row[: len(cards)] = [FACE_DOWN if card is None else CODES[card.index] for card in cards]
        return rows.ravel()

    def number(self, state: Any, move: Any) -> int:
        """Return the action of a legal move."""
        gesture = self.game.gesture(state, move)
        if gesture is not None:
            source, target = gesture.source, gesture.target
            hand = Hand(source)
            if target is not None:
                pile = self.game.board(state).piles[source.area][source.number]
                is_one = _stands_for_all(self._places[target.area])
                hand = Hand(source, len(pile) - gesture.first, Where(target.area, 0) if is_one else target)
            if hand in self._numbers:
                return self._numbers[hand]
        raise UsageError(f"no action makes the move {move.token!r} of {self.game}: its places have no such gesture")

    def legal(self, state: Any) -> list[int]:
        """Return the actions of the legal moves."""
        return sorted(_moves(self, state)) if state.outcome is None else []

    def move(self, state: Any, action: int) -> Any:
        """Return the move of an action; IllegalMoveError if it is not legal."""
        move = _moves(self, state).get(action)
        if move is None:
            position = " / ".join(str(state).splitlines())
            raise IllegalMoveError(self._say(self.hands[action]), position, "no legal move is made by this gesture")
        return move

    def _say(self, hand: Hand) -> str:
        """Return a gesture in words: 'Pile 1 to Foundation of clubs', 'Pile 1, card 3 from the top, to Pile 2'."""
        source, target = (
            "" if where is None else self._places[where.area].words(where.number)
            for where in (hand.source, hand.target)
        )
        return f"{source}{f', card {hand.depth} from the top,' * (hand.depth > 1)}{target and f' to {target}'}"

    def check_fit(self, state: Any) -> None:
        """Raise UsageError for a state with more places than a deal has."""
        piles = self.game.board(state).piles
        for area, count in self._areas:
            _fill(area, piles[area.name], count)


@lru_cache(maxsize=1 << 10)
def _moves(steps: PlacedSteps, state: Any) -> Mapping[int, Any]:
    """Return the legal moves by their actions."""
    moves: dict[int, Any] = {}
    for move in state.legal_moves():
        number = steps.number(state, move)
        if number in moves:
            both = f"{moves[number].token!r} and {move.token!r}"
            raise UsageError(f"no action tells the moves {both} of {steps.game} apart: they are one gesture")
        moves[number] = move
    return moves


def _stands_for_all(area: Area) -> bool:
    """Return whether a card has no choice among the places of an area, so that the first stands for all."""
    return area.kind == "completed" or 1 < len(area.suits) == len(set(area.suits))


def _fill(area: Area, piles: Sequence[Pile], count: int) -> tuple[Pile, ...]:
    """Return the places of an area, filled up with empty ones in place of those that have left the table."""
    if len(piles) > count:
        raise UsageError(f"{len(piles)} {area.name} are too many; a deal has {count}, and no more find room")
    return (*piles, *[()] * (count - len(piles)))


class PatienceEnv(GameEnv):
    """Any game with places, a whole move in every step: `gymnasium.make("unshuffle/Patience-v0", game="golf")`.

    `game` is the id of the game, alone or with a variant: `"golf/easy"`.

    ## Action Space
    `Discrete(n)`, where n depends on the places of the game: first a click for every place, which deals, redeals or
    turns; then, for every source and every target place, each depth at which cards can be taken. Foundations of
    different suits count as one target. `env.unwrapped.stepped.hands` says what each action does.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes: for each area a row of codes for every place, bottom first (of a stock the
    next card first): 0 nothing, `13*(suit-1) + rank` (S H D C), 53 not known; of foundations and completed runs the top
    card alone. `height`: the sizes of all places; and the marks of the game. `obs="flat"`: the same numbers as one box.
    `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score; `"shaped"`: 1 for the win, and the change of a potential; `"win"`: the win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.
    Redeals are those of the deal's id; the orders that a typed table does not give are drawn.

    ## Episode End
    Terminated when the game is won or stuck; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/patience.md is the full page, with the arguments, the vector form and the version history.
    """

    steps = PlacedSteps

    @classmethod
    def arguments_of(cls, game: AnyGame) -> dict[str, Any]:
        """Return the arguments with the game among them."""
        return {"game": game.id, **super().arguments_of(game)}


class PatienceVectorEnv(GameVectorEnv):
    """Many tables of any game with places: `gymnasium.make_vec("unshuffle/Patience-v0", num_envs=8, game="golf")`.

    What it returns is what `SyncVectorEnv` returns over as many `PatienceEnv`, without `deal` in `info`.
    """

    steps = PlacedSteps
