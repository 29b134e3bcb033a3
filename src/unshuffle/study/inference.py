"""Inferred verdicts: a deal won under stricter rules is won, and a deal lost under looser rules is lost.

`Game.is_stricter` defines which rules are stricter. See docs/studies.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import unshuffle as un
from unshuffle.deals import DealId, Source
from unshuffle.errors import IllegalMoveError, InternalError, ParseError, UsageError
from unshuffle.game import AnyGame
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, replay
from unshuffle.store import Run, SolverRow, Store
from unshuffle.store.endings import Endings, won_and_lost
from unshuffle.store.results import Verdict
from unshuffle.study.plan import Part

_MOST_NAMED = 100


def find_implications(runs: Iterable[Run]) -> list[tuple[Run, Run]]:
    """Return all pairs (stricter, looser) of solver runs on the same deals: lines of the first are lines of both."""
    games = [(run, game) for run in runs if run.is_solver and (game := _game_of(run)) is not None]
    return [
        (strict, loose)
        for loose, game in games
        for strict, other in games
        if (strict.game, strict.generator) == (loose.game, loose.generator) and other.is_stricter(game)
    ]


def is_stricter(strict: Run, loose: Run) -> bool:
    """Return whether both are solver runs and every deal won by the rules of `strict` is won by those of `loose`."""
    if not (strict.is_solver and loose.is_solver and strict.game == loose.game):
        return False
    games = _game_of(strict), _game_of(loose)
    return games[0] is not None and games[1] is not None and games[0].is_stricter(games[1])


def _game_of(run: Run) -> AnyGame | None:
    """Return the game of a run; None if it is not known here, or has other rules by now."""
    try:
        game = un.game(run.game, run.variant)
    except UsageError:
        return None
    return game if write_rules(game.rules) == run.rules else None


def order_parts(parts: Sequence[Part]) -> list[int]:
    """Return the indices of the parts in the order of play: stricter games first; parts that infer nothing stay.

    A stricter game has fewer moves and is searched sooner; wins of looser games take long to find, or are not found at
    all. docs/studies.md has the figures.
    """
    order = list(range(len(parts)))
    groups: dict[tuple[str, str], list[int]] = {}
    for place, part in enumerate(parts):
        if part.infers:
            groups.setdefault((part.game.id, part.generator), []).append(place)
    for places in groups.values():
        games = {place: parts[place].game for place in places}
        # "Stricter" is transitive, so sorting by the number of stricter games puts stricter ones first.
        stricter = {place: sum(other.is_stricter(game) for other in games.values()) for place, game in games.items()}
        for slot, place in zip(places, sorted(places, key=stricter.__getitem__), strict=True):
            order[slot] = place
    return order


class Inference:
    """The verdicts on the deals of one run that follow from the present results of the study's other runs."""

    def __init__(self, store: Store, part: Part, run: Run) -> None:
        self._store = store
        self._part = part
        pairs = find_implications(store.runs(run.study)) if part.infers and run.infers else []
        self._stricter = [strict for strict, loose in pairs if loose.id == run.id]
        self._games = {run.id: un.game(run.game, run.variant) for run in self._stricter}
        # With `maximize` the best score is wanted, which does not follow from a loss.
        self._looser = [loose for strict, loose in pairs if strict.id == run.id and not part.maximize]

    def look_up(self, first: int, last: int) -> dict[int, SolverRow]:
        """Return the inferred results among the deals first..last, by seed."""
        won: dict[int, Verdict] = {}
        lost: dict[int, Verdict] = {}
        for run in self._stricter:
            # A run with replay='all' must not depend on a line that another run has not replayed.
            if self._part.replay == "sample" or run.replay == "all":
                for verdict in self._store.verdicts(run, Status.SOLVED, first, last):
                    if self._suffices(verdict):
                        won.setdefault(verdict.seed, verdict)
        for run in self._looser:
            for verdict in self._store.verdicts(run, Status.UNSOLVABLE, first, last):
                lost.setdefault(verdict.seed, verdict)
        if both := sorted(won.keys() & lost.keys()):
            names = "\n".join(map(self._deal_id, both[:_MOST_NAMED]))
            raise InternalError(f"{len(both)} deals are won in a stricter game and lost in a looser one", names)
        return {verdict.seed: self._win(verdict) for verdict in won.values()} | self._losses(lost)

    def _suffices(self, win: Verdict) -> bool:
        """Return whether the win has what the run needs: moves if it keeps them, the best score if it maximizes."""
        if self._part.keeps_moves and win.moves is None:
            return False
        return not self._part.maximize or win.score == self._part.game.most_score

    def _win(self, win: Verdict) -> SolverRow:
        moves = None
        if self._part.keeps_moves:
            _, moves = self._adopt(win, Status.SOLVED)
        is_best = win.score == self._part.game.most_score
        return win.seed, Status.SOLVED.value, win.score, is_best, 0, 0.0, moves, win.origin

    def _losses(self, lost: dict[int, Verdict]) -> dict[int, SolverRow]:
        """Return inferred losses. Their best score is unknown: they have one that a stricter game or the deal has."""
        keeps_moves = self._part.keeps_moves
        reached = self._store.best_scores(self._stricter, list(lost), with_moves=keeps_moves)
        rows: dict[int, SolverRow] = {}
        for seed, verdict in lost.items():
            score = int(self._part.game.deal(Source(seed, self._part.generator)).score)
            moves = ""
            best = reached.get(seed)
            if best is not None and best.score > score:
                score, moves = best.score, best.moves or ""
                if keeps_moves:
                    score, moves = self._adopt(best, Status.UNSOLVABLE)
            kept = moves if keeps_moves else None
            rows[seed] = (seed, Status.UNSOLVABLE.value, score, False, 0, 0.0, kept, verdict.origin)
        return rows

    def _adopt(self, found: Verdict, status: Status) -> tuple[int, str]:
        """Replay a line of a stricter game by these rules; return its score (it may be higher here) and its tokens."""
        game = self._part.game
        state = game.deal(Source(found.seed, self._part.generator))
        what = f"the line of a stricter game on {state.id} is not a line in {game}"
        evidence = f"moves: {found.moves}\nscore: {found.score}, {status}"
        try:
            moves = game.adopt(found.moves or "", state, self._games[found.run])
            line = replay(state, moves)
        except (IllegalMoveError, ParseError) as error:
            raise InternalError(f"{what} ({error})", evidence) from error
        if line.score < found.score or (line.outcome is un.Outcome.WON) != (status is Status.SOLVED):
            raise InternalError(f"{what}: it ends {line.outcome} with score {line.score}", evidence)
        return int(line.score), " ".join(move.token for move in moves)

    def _deal_id(self, seed: int) -> str:
        game = self._part.game
        return str(DealId(game.id, game.variant, Source(seed, self._part.generator)))


def check_implications(store: Store, study: str) -> None:
    """Raise InternalError, naming the deals, if a deal was won in a stricter game and lost in a looser one."""
    pairs = find_implications(store.runs(study))
    endings = {run.id: store.endings(run) for pair in pairs for run in pair}
    _refuse(
        f"the study {study!r} contradicts itself",
        [wrong for strict, loose in pairs for wrong in _contradictions(strict, loose, endings)],
    )


def check_pair(strict: Run, loose: Run, endings: Mapping[int, Endings]) -> None:
    """Raise InternalError, naming the deals, if a deal was won in the stricter run and lost in the looser one."""
    _refuse(
        f"the studies {strict.study!r} and {loose.study!r} contradict each other",
        list(_contradictions(strict, loose, endings)),
    )


def _contradictions(strict: Run, loose: Run, endings: Mapping[int, Endings]) -> Iterator[str]:
    for seed in won_and_lost(endings[strict.id], endings[loose.id]):
        deal = DealId(strict.game, strict.variant, Source(seed, strict.generator))
        yield f"{deal}: solved; unsolvable in {loose.variant}"


def _refuse(what: str, wrong: Sequence[str]) -> None:
    if wrong:
        more = [f"and {len(wrong) - _MOST_NAMED:,} more"] if len(wrong) > _MOST_NAMED else []
        raise InternalError(
            f"{what}: what is won under stricter rules is won under looser ones",
            "\n".join([*wrong[:_MOST_NAMED], *more]),
        )
