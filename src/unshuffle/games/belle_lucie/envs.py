"""La Belle Lucie as a Gymnasium environment, `unshuffle/BelleLucie-v0`, single and vectorised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from unshuffle.cards import PACK, Card
from unshuffle.envs.single import GameEnv
from unshuffle.envs.stepped import CODES, SUITS, Bytes, Stepped
from unshuffle.envs.vector import GameVectorEnv
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import Game
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import State

UP = 1
OWN = UP + 52
SPACE = OWN + 52
ONTO = SPACE + 4
"""The first action of each kind: to the foundation, to the top of its own fan, a king into a space, onto a card."""
BASES = 8
"""Targets of a card: four of the next higher rank and four of the next lower."""
IS_UP = 53
"""The number below a card that is up."""
MOST_FANS = 52

_PLACES: list[int] = (CODES - 1).tolist()
"""The index of each card of the pack with the suits in the order S H D C."""
_CARDS = tuple(sorted(PACK, key=lambda card: _PLACES[card.index]))


class BelleLucieSteps(Stepped[State, Move]):
    """The actions and observations of La Belle Lucie; docs/envs/belle-lucie.md says what they mean."""

    game_id = "belle-lucie"
    parts: ClassVar[Mapping[str, tuple[tuple[int, ...], int]]] = {
        "below": ((52,), IS_UP),
        "buried": ((52,), 51),
        "foundations": ((4,), 13),
        "mercis": ((1,), 9),
        "redeals": ((1,), 9),
        "spaces": ((1,), MOST_FANS),
    }

    def __init__(self, game: Game[State, Move]) -> None:
        super().__init__(game)
        # A merci that goes anywhere may bring any card onto any other.
        self._targets = 52 if game.rules.merci == "anywhere" else BASES
        self.actions = ONTO + 52 * self._targets

    def observe(self, state: State) -> Bytes:
        """Return the parts of the observation, one after the other."""
        below, buried = [IS_UP] * 52, [0] * 52
        for fan in state.fans:
            under = 0
            for place, card in enumerate(fan, 1):
                number = _PLACES[card.index]
                below[number], buried[number] = under, len(fan) - place
                under = number + 1
        heights = (state.foundations[suit] for suit in SUITS)
        spaces = sum(not fan for fan in state.fans)
        return np.array([*below, *buried, *heights, state.mercis, state.redeals_left, spaces], np.uint8)

    def words(self, shown: State) -> tuple[str, str]:
        """Return the status line: the score, and mercis and redeals that are left if the rules have them."""
        left = [f"mercis {shown.mercis}"] * (shown.rules.merci != "none")
        left += [f"redeals {shown.redeals_left}"] * (shown.rules.redeals > 0)
        return f"score {shown.score}", "  ".join(left)

    def decode(self, state: State, action: int) -> Move:
        """Return the move of an action; raise IllegalMoveError if it is not legal here."""
        move = self.move(state, action)
        if state.plain(move) != move:
            own = OWN + _PLACES[state.plain(move).card.index]  # type: ignore[union-attr] # it is a merci
            raise _illegal(move.token, state, f"the top of its own fan is the target of action {own}")
        state.play(move)  # raises IllegalMoveError with the reason
        return move

    def check_fit(self, state: State) -> None:
        """Raise UsageError for more fans than cards."""
        if len(state.fans) > MOST_FANS:
            raise UsageError(f"{len(state.fans)} fans are too many; expected at most {MOST_FANS}")

    # A merci moves a buried card and every other move a top card, so the two can share numbers.

    def number(self, state: State, move: Move) -> int:
        """Return the action of a legal move."""
        move = state.plain(move)
        if isinstance(move, Redeal):
            return 0
        place = _PLACES[move.card.index]
        if isinstance(move, ToSpace):
            return SPACE + SUITS.index(move.card.suit)
        if isinstance(move, ToFoundation) or (isinstance(move, Merci) and move.up):
            return UP + place
        if move.onto is None:
            return OWN + place
        onto = move.onto
        if self._targets == 52:
            target = _PLACES[onto.index]
        else:
            target = SUITS.index(onto.suit) + (0 if onto.rank > move.card.rank else 4)
        return ONTO + self._targets * place + target

    def move(self, state: State, action: int) -> Move:
        """Return the move of an action, legal or not."""
        if action < UP:
            return Redeal()
        if action >= ONTO:
            place, target = divmod(action - ONTO, self._targets)
            card = _CARDS[place]
            onto = self._target(state, card, target)
            return Merci(card, onto) if _is_buried(state, card) else ToFan(card, onto)
        if action >= SPACE:
            return ToSpace(Card(13, SUITS[action - SPACE]))
        if action >= OWN:
            return Merci(_CARDS[action - OWN])
        card = _CARDS[action - UP]
        return Merci(card, up=True) if _is_buried(state, card) else ToFoundation(card)

    def _target(self, state: State, card: Card, target: int) -> Card:
        if self._targets == 52:
            return _CARDS[target]
        rank = card.rank + (1 if target < 4 else -1)
        if not 1 <= rank <= 13:
            raise _illegal(
                f"{card}>", state, f"no card is {'higher than a king' if rank > 13 else 'lower than an ace'}"
            )
        return Card(rank, SUITS[target % 4])


def _is_buried(state: State, card: Card) -> bool:
    return state.may_merci and any(card in fan[:-1] for fan in state.fans)


def _illegal(token: str, state: State, reason: str) -> IllegalMoveError:
    return IllegalMoveError(token, " / ".join(str(state).splitlines()), reason)


class BelleLucieEnv(GameEnv):
    """La Belle Lucie, a whole move in every step.

    ## Action Space
    `Discrete(525)`, where `c` is the card's number less one. A buried card moves by a merci.

    - `0` redeals.
    - `1 + c` brings the card to its foundation.
    - `53 + c` brings it to the top of its own fan.
    - `105 + (suit-1)` brings a king into a space.
    - `109 + 8*c + t` brings it onto the card of the next higher rank and suit `t+1`, or of the next lower rank and suit
      `t-3`. With `merci="anywhere"` these are `109 + 52*c + t`, onto card number `t+1`: `Discrete(2813)`.

    ## Observation Space
    `obs="dict"`: a `Dict` of uint8 boxes. For each of the 52 cards, `13*(suit-1) + rank` (S H D C): `below` (52,): 0 it
    lies at the bottom of a fan, else the number of the card below it, 53 it is up; `buried` (52,): how many cards lie
    on it. `foundations` (4,), `mercis` (1,) and `redeals` (1,) that are left, `spaces` (1,). `obs="flat"`: the same 111
    numbers as one box. `mask_in_obs=True` adds `action_mask`.

    ## Rewards
    `"delta"`: the change of the score, cards up; `"shaped"`: 1 for the win, and the change of a potential; `"win"`: the
    win only.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.
    Redeals are those of the deal's id; those that a typed table does not have are drawn.

    ## Episode End
    Terminated when the game is won or stuck; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`; after `reset` also `deal`.

    docs/envs/belle-lucie.md is the full page, with the arguments, the vector form and the version history.
    """

    steps = BelleLucieSteps


class BelleLucieVectorEnv(GameVectorEnv):
    """Many Belle Lucies, stepped in one call of the engine.

    `gymnasium.make_vec("unshuffle/BelleLucie-v0", num_envs=1024)` returns what `SyncVectorEnv` returns over as many
    `BelleLucieEnv`, without `deal` in `info`.
    """

    steps = BelleLucieSteps
