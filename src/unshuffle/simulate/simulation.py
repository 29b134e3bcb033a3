"""The results of many games of one policy, and the function that plays them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle.errors import InternalError, UsageError
from unshuffle.hidden.native import can_play, play_lines, play_part, replay_some
from unshuffle.hidden.playing import (
    REPLAYED_WINS,
    Block,
    Deals,
    Played,
    Replays,
    count_tableau_moves,
    pack,
    play_one,
    played,
)
from unshuffle.hidden.policy import Counted, Policy
from unshuffle.pieces import Pace, parts
from unshuffle.solve import check_threads, cores, replay

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unshuffle.store import PolicyGames

# The block size is chosen so that a block takes about this time, which bounds the work lost on Ctrl-C.
_BLOCK_SECONDS = 0.4
_LARGEST_BLOCK = 1 << 18


@dataclass(frozen=True)
class Record:
    """One game of a simulation."""

    deal: str | None
    """The id of the deal; None for a typed one."""
    policy: str
    score: int
    won: bool
    tableau_moves: int | None = field(repr=False)
    """The number of moves that the game counts as tableau moves; None if the game does not count them."""
    _play_again: Callable[[], Played] = field(repr=False, compare=False)

    @cached_property
    def _played(self) -> Played:
        return self._play_again()

    @property
    def moves(self) -> tuple[Any, ...]:
        """The line of play. A simulation keeps no lines: the game is played again, and must end the same."""
        return self._played.moves

    @property
    def rule_counts(self) -> dict[int, int]:
        """How often each numbered rule of the policy moved; the game is played again for it."""
        return dict(sorted(self._played.rule_counts.items()))


class Simulation:
    """Scores and wins of a policy, one per deal and in their order; `sim[i]` and iteration give a Record each."""

    def __init__(
        self,
        deals: Deals,
        policy: Policy,
        scores: array[int],
        won: bytes,
        replayed: int = 0,
        *,
        packed_moves: bytes | None = None,
        rule_counts: Mapping[int, int] | None = None,
        won_rule_counts: Mapping[int, int] | None = None,
        lines: Sequence[str] | None = None,
    ) -> None:
        self._deals = deals
        self._policy = policy
        self._scores = scores
        self._won = won
        self._lines = lines
        self.replayed = replayed
        """Games that the Python rules have played or replayed."""
        self.packed_moves = packed_moves
        """Tableau moves, one byte per game (255 means 255 or more); None if the game does not count them."""
        self.rule_counts = dict(sorted((rule_counts or {}).items()))
        """How often each numbered rule of the policy moved, over all games; `counted` tells what the numbers mean."""
        self.won_rule_counts = dict(sorted((won_rule_counts or {}).items()))
        """The same over the games that were won."""

    def __repr__(self) -> str:
        return f"<{len(self):,} games of {self.game} by {self.policy}: {self.wins:,} won, mean score {self.mean:.2f}>"

    @property
    def game(self) -> Any:
        """The game that was played."""
        return self._deals.game

    @property
    def policy(self) -> str:
        """The policy's canonical text."""
        return self._policy.name

    @property
    def rule_words(self) -> Mapping[int, str]:
        """The numbered rules of the policy in the order in which they are tried, each with its description."""
        return self._policy.rule_words

    @property
    def counted(self) -> Counted:
        """What the numbers in `rule_counts` mean."""
        return self._policy.counted

    @property
    def information(self) -> str:
        """What the policy could see: 'hidden' is what a person sees."""
        return self._policy.information

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def scores(self) -> NDArray[np.int16]:
        """The score of every game."""
        import numpy as np

        scores = np.frombuffer(self._scores, dtype=np.int16)
        scores.flags.writeable = False
        return scores

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each game was won."""
        import numpy as np

        return np.frombuffer(self._won, dtype=np.bool_)

    @property
    def tableau_moves(self) -> NDArray[np.uint8] | None:
        """The tableau moves of every game, in a game that counts them (Aces Up: to a space, to and from the cell)."""
        if self.packed_moves is None:
            return None
        import numpy as np

        return np.frombuffer(self.packed_moves, dtype=np.uint8)

    @property
    def packed(self) -> tuple[array[int], bytes]:
        """The buffers behind the arrays: scores of two bytes each, and wins of one byte each."""
        return self._scores, self._won

    def kept(self, seconds: float) -> PolicyGames:
        """Return these games, which took `seconds`, in the form that a store keeps."""
        from unshuffle.store import PolicyGames  # SQLite is needed only where games are stored

        counts = {str(rule): (times, self.won_rule_counts.get(rule, 0)) for rule, times in self.rule_counts.items()}
        return PolicyGames(*self.packed, self.packed_moves, counts, self.replayed, seconds)

    @property
    def wins(self) -> int:
        """How many games were won."""
        return self._won.count(1)

    @property
    def mean(self) -> float:
        """The mean score; nan if there are no games."""
        return sum(self._scores) / len(self) if len(self) else float("nan")

    @property
    def score_counts(self) -> dict[int, int]:
        """How many games ended with each score."""
        return dict(sorted(Counter(self._scores).items()))

    def deal_name(self, place: int) -> str:
        """Return the name of a deal: its id, or for a deck of a store its number there."""
        return self._deals.name(place)

    def __getitem__(self, place: int) -> Record:
        place = index(place)
        if not -len(self) <= place < len(self):
            raise IndexError(f"game {place} of {len(self)}")
        place %= len(self)
        state = self._deals.state(place)
        score, won = self._scores[place], bool(self._won[place])
        moves = None if self.packed_moves is None else self.packed_moves[place]
        return Record(state.id, self.policy, score, won, moves, lambda: self._play_again(place, (score, won, moves)))

    def __iter__(self) -> Iterator[Record]:
        return (self[place] for place in range(len(self)))

    def _play_again(self, place: int, ended: tuple[int, bool, int | None]) -> Played:
        state = self._deals.state(place)
        again = self._line(place)
        moves = None if ended[2] is None else count_tableau_moves(self.game, again.moves)
        if (again.score, again.won, moves) != ended:
            if self._policy.keeps_lines:
                raise UsageError(
                    f"{self.policy} played {state.id or 'a typed deal'} to score {ended[0]} and now to {again.score}:"
                    " its moves were not kept, and this policy does not always play the same game"
                )
            raise InternalError(
                f"{self.policy} played {state.id or 'a typed deal'} to score {ended[0]} and now to {again.score}",
                f"policy: {self.policy}\nplace: {place}\nrules: {state.rules!r}\nposition:\n{state}"
                f"score, won, tableau moves: {ended}, now {(again.score, again.won, moves)}",
            )
        return again

    def _line(self, place: int) -> Played:
        if self._lines is not None:
            moves = self.game.parse_moves(self._lines[place])
            return played(self._policy, replay(self._deals.state(place), moves))
        if self._policy.keeps_lines and self._policy.plays_natively(self._deals):
            return next(play_lines(self._deals, [place], self._policy, 1))
        return play_one(self._deals, self._policy, place)


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C during a simulation; `simulation` has the games of the first policy so far, `simulations` those of all."""

    def __init__(self, *simulations: Simulation) -> None:
        super().__init__("interrupted")
        self.simulation = simulations[0]
        self.simulations = simulations


def run_policy(
    deals: Deals,
    policy: Policy,
    *,
    threads: int | None = None,
    replay_wins: int | None = REPLAYED_WINS,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Play every deal and return the scores and wins.

    Of the games that the engine plays, the Python rules replay the first `replay_wins` wins, 1 % of the other wins and
    0.1 % of the lost games; with None all games. What the engine cannot play is played by the Python rules.
    """
    [games] = run_policies(deals, [policy], threads=threads, replays=[Replays(replay_wins)], progress=progress)
    return games


def run_policies(
    deals: Deals,
    policies: Sequence[Policy],
    *,
    threads: int | None = None,
    replays: Sequence[Replays] | None = None,
    first_block: int = 1,
    progress: Callable[[int], object] | None = None,
    watch: Callable[[], None] | None = None,
) -> list[Simulation]:
    """Let every policy play every deal, block by block, so that after each block all have played the same deals.

    The first block has `first_block` deals; the later ones are sized to take about half a second. `replays` says for
    each policy which of the engine's games the Python rules replay. `progress` is called with the number of games
    played, after a block and within a long game. `watch` is called before each move of a game that the Python rules
    play; what it raises ends the run. Ctrl-C raises `SimulationInterrupted`, which has the blocks that all policies
    have finished.
    """
    check_threads(threads)
    blocks: list[list[Block]] = []
    replays = replays or [Replays() for _ in policies]
    is_possible = can_play(deals)  # called once: it looks at every typed deal
    is_native = [is_possible and policy.engine_policy is not None for policy in policies]
    # At least one deal for each thread of the engine, even if a game takes long.
    least = (threads or cores()) if any(is_native) else 1
    pace = Pace(_BLOCK_SECONDS, first=first_block, least=least, most=_LARGEST_BLOCK)
    done, told = 0, monotonic()

    def look() -> None:
        nonlocal told
        if watch is not None:
            watch()
        if progress is not None and monotonic() - told > _BLOCK_SECONDS:
            told = monotonic()
            progress(done)

    try:
        for part in parts(range(len(deals)), pace):
            blocks.append(_play_block(deals, part, policies, is_native, replays, threads, look))
            done = part.stop * len(policies)
            if progress is not None:
                progress(done)
    except KeyboardInterrupt:
        raise SimulationInterrupted(*_join(deals, policies, blocks)) from None
    return _join(deals, policies, blocks)


def _play_block(
    deals: Deals,
    part: range,
    policies: Sequence[Policy],
    is_native: Sequence[bool],
    replays: Sequence[Replays],
    threads: int | None,
    watch: Callable[[], None],
) -> list[Block]:
    by_engine = [policy for policy, is_its in zip(policies, is_native, strict=True) if is_its]
    found = iter(play_part(deals, part, by_engine, threads) if by_engine else ())
    blocks = []
    for policy, is_its, sample in zip(policies, is_native, replays, strict=True):
        if is_its:
            blocks.append(replay_some(deals, part, policy, next(found), sample, threads))
        else:
            games = [play_one(deals, policy, place, watch) for place in part]
            blocks.append(pack(games, deals, part.start, keeps_lines=policy.keeps_lines))
    return blocks


def _join(deals: Deals, policies: Sequence[Policy], blocks: Sequence[Sequence[Block]]) -> list[Simulation]:
    simulations = []
    for column, policy in enumerate(policies):
        own = [row[column] for row in blocks]
        simulations.append(
            Simulation(
                deals,
                policy,
                array("h", b"".join(block.scores for block in own)),
                b"".join(block.won for block in own),
                sum(block.replayed for block in own),
                packed_moves=b"".join(block.tableau_moves or b"" for block in own)
                if deals.game.tableau_moves
                else None,
                rule_counts=sum((block.rule_counts for block in own), Counter()),
                won_rule_counts=sum((block.won_rule_counts for block in own), Counter()),
                lines=[line for block in own for line in block.lines or ()] if policy.keeps_lines else None,
            )
        )
    return simulations
