"""Spider card by card, with the interface of the published environment SpiderSolitare-v0, without its errors."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from unshuffle.cards import PACK, Suit
from unshuffle.envs.common import check_arguments, read_all, refuse_unknown
from unshuffle.envs.dealing import read_options
from unshuffle.errors import UsageError, quote
from unshuffle.games.spider.envs.picture import draw
from unshuffle.games.spider.envs.shown import Shown, in_hand, look
from unshuffle.games.spider.envs.text import THEMES, write
from unshuffle.games.spider.moves import Row, Run
from unshuffle.games.spider.rules import Pile, State, whole_run
from unshuffle.registry import game

Observation = dict[str, Any]
Cards = NDArray[np.int64]
"""A row of three numbers for each card: rank, suit, face up."""

MOST_MOVES = 599
LEAST_SCORE, MOST_SCORE = -999, 1000
"""The limits of the score in an observation."""

_ALLOWED = {
    "render_mode": (None, "ansi", "rgb_array"),
    "num_suits": (1, 2, 4),
    "theme": tuple(THEMES),
    "strict_hand": (False, True),
    "reward": ("score", "delta"),
    "hide_obs": (True, False),
    "num_piles": range(2, 11),
    "num_ranks": range(2, 14),
    "num_completed_suits": range(1, 9),
}

_SUIT_NUMBERS = {Suit.SPADES: 1, Suit.HEARTS: 2, Suit.DIAMONDS: 3, Suit.CLUBS: 4}
_FACE_UP = np.array([(card.rank, _SUIT_NUMBERS[card.suit], 1) for card in PACK], np.int64)
_FACE_DOWN = _FACE_UP * (1, 1, 0)
"""Face-down cards in observations with `hide_obs=False`."""
_NOTHING = np.zeros((0, 3), np.int64)


class SpiderSolitareEnv(gym.Env[Observation, int]):
    """Spider, one card in hand after the other.

    ## Action Space
    `Discrete(21)`: 0 deals a row; 1..10 picks up the last card of that pile; 11..20 puts the hand on pile `a - 10`.

    ## Observation Space
    A `Dict`: `bank`, `completed_suits`, `hand`, `piles`, `pickup_pile_index`, `num_moves`, `score`. A card is
    `[rank, suit, face up]`, a hidden one `[0, 0, 0]`.

    ## Rewards
    `reward="score"`: the score after the step, on every step. `reward="delta"`: its change, which suits learning.

    ## Starting State
    A deal drawn from the environment's own generator, or `options={"deal": text}`: a deck, a layout or a deal id.

    ## Episode End
    Terminated on a win, on an invalid action, and when nothing can be done; truncated by the time limit alone.

    ## Information
    `action_mask`, `num_moves`, `score`, `completed`, `won`, `invalid`.

    docs/envs/spider-solitare.md is the full page, with the arguments and the version history.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012 # as Gymnasium

    def __init__(
        self,
        render_mode: str | None = None,
        num_suits: int = 4,
        theme: str = "dark",
        strict_hand: bool = False,
        reward: str = "score",
        hide_obs: bool = True,
        num_piles: int = 10,
        num_ranks: int = 13,
        num_completed_suits: int = 8,
        **unknown: Any,
    ) -> None:
        given = {name: value for name, value in locals().items() if name in _ALLOWED}
        read_all(lambda: check_arguments(given, _ALLOWED), lambda: refuse_unknown(type(self), unknown))
        self.render_mode = render_mode
        self.theme = theme
        self.strict_hand = strict_hand
        self.reward = reward
        self.hide_obs = hide_obs
        table = _cards_on_table(num_suits, num_piles, num_ranks, num_completed_suits)
        variant = f"{num_suits}-suit{'' if num_suits == 1 else 's'}"
        self._game = game("spider", variant, piles=num_piles, ranks=num_ranks, runs=num_completed_suits, table=table)
        self._pile_names = tuple(f"pile_{number}" for number in range(1, num_piles + 1))
        self._slot_names = tuple(f"completed_suit_{number}" for number in range(1, num_completed_suits + 1))
        self.action_space = spaces.Discrete(2 * num_piles + 1)  # type: ignore[assignment] # its elements are numpy's ints
        card = spaces.MultiDiscrete([num_ranks + 1, num_suits + 1, 2])
        cards = spaces.Sequence(card, stack=True)
        self.observation_space = spaces.Dict(
            {
                "bank": cards,
                "completed_suits": spaces.Dict(dict.fromkeys(self._slot_names, cards)),
                "hand": spaces.Sequence(card),
                "piles": spaces.Dict(dict.fromkeys(self._pile_names, cards)),
                "pickup_pile_index": spaces.Discrete(num_piles + 1),
                "num_moves": spaces.Discrete(MOST_MOVES + 1),
                "score": spaces.Discrete(MOST_SCORE - LEAST_SCORE + 1, start=LEAST_SCORE),
            }
        )
        self._state: State | None = None

    # Gymnasium's methods.

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Observation]:
        """Begin an episode."""
        super().reset(seed=seed)
        state = read_options(self._game, options)
        while state is None:
            state = self._game.deal(int(self.np_random.integers(2**63)))
            # In a small game without a bank a deal may be stuck. Another is soon found: a pile has two cards at the
            # most then, and any card may lie on top.
            if state.outcome is not None:
                state = None
        self._pile_numbers: list[Cards] = [_NOTHING] * len(self._pile_names)
        self._show(None, state)
        return self._observation(), self._info(invalid=False)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Observation]:
        """Deal a row, pick up a card, or put the hand down."""
        state, number = self._present, self._read(action)
        before = self._score
        invalid = not self._valid[number]
        if not invalid:
            piles = len(state.piles)
            if number == 0:
                self._show(state, state.after(Row()))
            elif number <= piles:
                self._pick_up(number)
            elif number == piles + self._source:
                self._put_back()
            else:
                self._show(state, state.after(Run(self._source, number - piles, self._held)))
        reward = self._score if self.reward == "score" else self._score - before
        return self._observation(), float(reward), invalid or self._is_over, False, self._info(invalid)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as a player sees it: text, a picture, or None without a mode."""
        if self.render_mode == "ansi":
            return write(self._shown, self.theme)
        return draw(self._shown) if self.render_mode == "rgb_array" else None

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are valid, in the form that sb3-contrib expects."""
        return self._mask().astype(bool)

    # The table and the hand.

    @property
    def _present(self) -> State:
        if self._state is None:
            raise gym.error.ResetNeeded("an episode begins with reset()")
        return self._state

    def _read(self, action: object) -> int:
        try:
            number = int(index(action))  # type: ignore[arg-type] # what cannot be an index raises the TypeError
        except TypeError:
            number = -1
        if not 0 <= number < len(self._valid):
            raise UsageError(f"{quote(repr(action))} is not an action; actions are 0..{len(self._valid) - 1}")
        return number

    def _show(self, old: State | None, state: State) -> None:
        """Continue from this table, with an empty hand."""
        self._state = state
        self._score = state.score
        self._source = self._held = 0
        for place, (pile, down) in enumerate(zip(state.piles, state.down, strict=True)):
            # A pile that a move does not touch stays the same object.
            if old is None or pile is not old.piles[place]:
                self._pile_numbers[place] = self._seen(pile, down)
        bank = tuple(reversed(state.bank))
        self._bank_numbers = self._seen(bank, len(bank))
        self._slot_numbers = [self._seen(whole_run(suit, state.rules.ranks), down=0) for suit in state.completed]
        self._slot_numbers += [_NOTHING] * (state.rules.runs - len(state.completed))
        self._free = bytes([bool(state.bank), *map(bool, state.piles), *(0 for _ in state.piles)])
        self._valid = self._free
        # With a strict hand the game is over when no action is valid, as after a win.
        self._is_over = not any(self._free) if self.strict_hand else state.outcome is not None

    def _seen(self, pile: Pile, down: int) -> Cards:
        """Return the numbers of a pile with `down` cards face down."""
        numbers = np.zeros((len(pile), 3), np.int64)
        if down < len(pile):
            numbers[down:] = _FACE_UP[[card.index for card in pile[down:]]]
        if down and not self.hide_obs:
            numbers[:down] = _FACE_DOWN[[card.index for card in pile[:down]]]
        return numbers

    def _pick_up(self, number: int) -> None:
        """Pick up one more card of the pile; a card below it is not turned yet."""
        state = self._present
        self._source = number
        self._held += 1
        pile, held, piles = state.piles[number - 1], self._held, len(state.piles)
        head = pile[-held]
        valid = bytearray(1 + 2 * piles)
        left = len(pile) - held
        valid[number] = left > state.down[number - 1] and pile[left - 1] is head.next_up
        for target, other in enumerate(state.piles, piles + 1):
            valid[target] = not other or other[-1].rank == head.rank + 1
        valid[piles + number] = not self.strict_hand
        self._valid = bytes(valid)
        self._is_over = self.strict_hand and not any(valid)

    def _put_back(self) -> None:
        """Put the hand back, which is not a move."""
        self._source = self._held = 0
        self._valid = self._free

    # Results: every array and dictionary is new.

    def _observation(self) -> Observation:
        state = self._present
        piles = {name: numbers.copy() for name, numbers in zip(self._pile_names, self._pile_numbers, strict=True)}
        if self._held:
            name = self._pile_names[self._source - 1]
            piles[name] = piles[name][: -self._held].copy()
        return {
            "bank": self._bank_numbers.copy(),
            "completed_suits": {
                name: numbers.copy() for name, numbers in zip(self._slot_names, self._slot_numbers, strict=True)
            },
            "hand": tuple(_FACE_UP[card.index].copy() for card in in_hand(state, self._source, self._held)),
            "piles": piles,
            "pickup_pile_index": self._source,
            "num_moves": min(state.moves, MOST_MOVES),
            "score": max(LEAST_SCORE, min(self._score, MOST_SCORE)),
        }

    def _info(self, invalid: bool) -> dict[str, Any]:
        state = self._present
        return {
            "action_mask": self._mask(),
            "num_moves": state.moves,
            "score": self._score,
            "completed": len(state.completed),
            "won": len(state.completed) == state.rules.runs,
            "invalid": invalid,
        }

    def _mask(self) -> NDArray[np.int8]:
        self._present  # noqa: B018 # raises ResetNeeded before reset()
        return np.frombuffer(bytearray(self._valid), np.int8)

    @property
    def _shown(self) -> Shown:
        return look(self._present, self._source, self._held)


def _cards_on_table(suits: int, piles: int, ranks: int, runs: int) -> int:
    """Return how many cards a smaller game deals to its piles.

    As in the full game, the bank has as many whole rows as leave at least half of the cards on the table.
    """
    cards = runs * ranks
    faults = []
    if runs % suits:
        faults.append(f"num_completed_suits={runs} is not a multiple of num_suits={suits}")
    if cards < piles:
        faults.append(
            f"num_completed_suits={runs} runs of num_ranks={ranks} are {cards} cards, too few for num_piles={piles}"
        )
    if faults:
        raise UsageError("; ".join(faults))
    return cards - cards // 2 // piles * piles
