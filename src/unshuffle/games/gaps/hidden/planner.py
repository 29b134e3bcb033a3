"""The planner of a phase of Gaps: win it, or else end it where the redeals that are left are worth most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from time import monotonic

from unshuffle.errors import IllegalMoveError, InternalError
from unshuffle.games.gaps import State
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.choice import Known, Option, chosen, most_first, others, policy_of, value_first
from unshuffle.games.gaps.hidden.ends import Budget, End, Ends, Moves, Searches, shape_of
from unshuffle.games.gaps.hidden.foresight import Foresight, Locks, Path
from unshuffle.games.gaps.hidden.rescoring import Candidate, Rescoring
from unshuffle.games.gaps.hidden.values import Shape
from unshuffle.games.gaps.rules import MOST_SCORE, Cells, Rules
from unshuffle.solve import Line, Status, replay
from unshuffle.solve.shorten import shorten

_CANDIDATES = 12
"""The most ends that are followed through predicted redeals, or tried with simulated ones."""
_FOLLOWED_MEMORY = 16_000_000
"""Bytes for each of these searches: to allocate a larger table takes longer than they do."""
_SHORTEN_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan for a phase."""

    found: Ends
    best: Option
    rivals: tuple[Option, ...]
    """Other ends, the best first."""
    most_cards: Option | None
    """The end with most cards locked; None if it was not looked for."""
    policy: str
    redeals: bool
    """True if a redeal follows the moves."""
    margin: tuple[float, float] | None = None
    """The value of the plan less that of the best rival, and the standard error; None if unknown."""

    @property
    def wins(self) -> bool:
        """True if the moves win the game."""
        return self.found.status is Status.SOLVED


class Planner:
    """A planner, which keeps its searches and the records of redeals."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.searches = Searches()
        self.foresight = Foresight(rules, "none")
        self.path: Path = ()
        """The final boards of the phases before this one."""
        self.recorded: Sequence[Line] = ()
        """The lines of the phases of all passes, which the plan may repeat."""
        self._rescored: dict[State, Rescoring] = {}

    def plan(self, state: State, budget: Budget) -> Plan:
        """Return the plan for this phase."""
        begun = monotonic()
        knows = bool(self.foresight.records) and self.foresight.model != "none" and state.redeals_left > 0
        # Keep time for searching predicted boards, and for shortening lines at the end.
        share = 0.5 if knows else 0.75 if state.redeals_left else 0.9
        found = self.searches.ends(state, _part(budget, share))
        # A resumed search may take more than its share; the steps after it still get theirs.
        until = None if budget.seconds is None else max(begun, monotonic() - share * budget.seconds) + budget.seconds
        won_before = () if found.status is Status.SOLVED else self._won_before(state, self.path)
        if won_before and won_before[0].wins:
            found = _as_won(found, won_before[0].moves)
        if found.status is Status.SOLVED:
            won = Option(found.moves, _locks(state, found.moves), 1.0, 0.0)
            return Plan(found, _shown(state, won), (), None, "win", False)
        if not state.redeals_left:
            return self._last(state, found)
        policy = policy_of(self.rules)
        options = self._options(state, found)
        if won_before:
            first, *rest = won_before
            followed = [Option(first.moves, _locks(state, first.moves), 1.0, 0.0, tuple(rest), 1)]
        else:
            followed = list(self._followed(state, self.path, found, budget, until)) if knows else []
        options = [*followed, *self._unjudged(state, options, followed)]
        if followed:
            policy = "value"
        else:
            options = self._rescore(state, policy, options, budget, until)
        most = max(options, key=most_first)
        best = chosen(policy, options)
        ranked = sorted(options, key=value_first, reverse=True)
        margin = None if followed else self._margin(state, best, list(others(best, ranked)))
        rivals = tuple(_shown(state, option, is_shortened=False) for option in others(best, ranked))
        return Plan(found, _shown(state, best), rivals, most, policy, True, margin)

    def _last(self, state: State, found: Ends) -> Plan:
        """Return the plan if no redeal is left and no win was found: lock the most cards."""
        is_lost = found.status is Status.UNSOLVABLE
        chance, se = (0.0, 0.0) if is_lost else (None, None)
        stuck = [end for end in found.ends if end.score == found.score]
        moves = min((end.moves for end in stuck), key=len) if stuck else found.moves
        best = _shown(state, Option(moves, _locks(state, moves), chance, se))
        return Plan(found, best, (), best, "max-locked", False)

    def _options(self, state: State, found: Ends) -> list[Option]:
        """Return the ends with the values of their shapes; if none was found yet, the end of the best line."""
        ends = list(found.ends)
        if not ends:
            lines = [played_out(state, found.moves), *([()] if state.may_redeal else [])]
            ends = [End(_locks(state, moves), moves) for moves in lines]
        return [self._valued(state, end.moves, end.locks) for end in ends]

    def _valued(self, state: State, moves: Moves, locks: Locks) -> Option:
        value = values.lookup(self.rules, shape_of(locks), state.redeals_left)
        return Option(moves, locks, None, None) if value is None else Option(moves, locks, value.p, value.se)

    def _rescore(
        self, state: State, policy: str, options: list[Option], budget: Budget, until: float | None
    ) -> list[Option]:
        """Return the options after simulated redeals of the best of each shape, as far as there is time."""
        if until is None:
            return options
        best = [chosen(policy, options), *sorted(options, key=value_first, reverse=True)]
        candidates: dict[Shape, Candidate] = {}
        for option in best:
            if len(candidates) == _CANDIDATES:
                break
            if option.shape not in candidates and option.chance is not None and option.se is not None:
                moves = _shown(state, option, is_shortened=False).moves
                candidates[option.shape] = Candidate(moves, option.locks, option.chance, option.se)
        table = state.view().table
        rescoring = self._rescored.setdefault(table, Rescoring(table))
        rescoring.run(list(candidates.values()), until - _SHORTEN_SECONDS, budget.is_stopped)
        # The value depends on the shape alone, so it holds for all ends of the shape.
        worths = {shape: rescoring.worth(shape) for shape in rescoring.candidates}
        return [_retold(option, *worths[option.shape]) if option.shape in worths else option for option in options]

    def _margin(self, state: State, best: Option, rivals: Sequence[Option]) -> tuple[float, float] | None:
        """Return the margin to the best rival and its standard error, from paired redeals if there are any."""
        if not rivals or best.chance is None or rivals[0].chance is None:
            return None
        rescoring = self._rescored.get(state.view().table)
        if rescoring is not None and {best.shape, rivals[0].shape} <= rescoring.candidates.keys():
            return rescoring.margin(best.shape, rivals[0].shape)
        if best.se is None or rivals[0].se is None:
            return None
        return best.chance - rivals[0].chance, hypot(best.se, rivals[0].se)

    # Predicted redeals.

    def _unjudged(self, state: State, options: Sequence[Option], followed: Sequence[Option]) -> Iterator[Option]:
        """Yield the ends that were not followed through a predicted redeal; they keep the values of their shapes."""
        judged: dict[Locks, set[Cells]] = {}
        for option in followed:
            judged.setdefault(option.locks, set()).add(_final(state, option.moves))
        for option in options:
            if option.locks in judged:
                is_same = self.foresight.model in ("locked", "order")  # with these the locks determine the redeal
                if is_same or _final(state, option.moves) in judged[option.locks]:
                    continue
            yield option

    def _followed(self, state: State, path: Path, found: Ends, budget: Budget, until: float | None) -> Iterator[Option]:
        """Yield the ends after which the model predicts the redeal, with the value of what follows."""
        candidates = list(self._candidates(state, path, found))
        for place, (moves, end) in enumerate(candidates):
            left = None if until is None else until - monotonic()
            if left is not None and left <= 0:
                return
            share = None if left is None else left / (len(candidates) - place)
            cost = replace(budget, seconds=share, memory=min(budget.memory, _FOLLOWED_MEMORY))
            option = self._follow(state, moves, end, path, cost)
            yield option
            if option.chance == 1:
                return

    def _candidates(self, state: State, path: Path, found: Ends) -> Iterator[tuple[Moves, State]]:
        """Yield lines to ends to which a record applies: lines that were played, then the best ends of the search."""
        met = set()
        for moves in self._played_before(state):
            end = replay(state, moves).states[-1]
            if end.may_redeal and end.cells not in met and self.foresight.foretold((*path, end.cells)):
                met.add(end.cells)
                yield moves, end
        may_apply = self.foresight.may_apply(len(path) + 1)
        fitting = (end for end in found.ends if may_apply(end.locks))
        valued = sorted((self._valued(state, end.moves, end.locks) for end in fitting), key=value_first)
        for option in reversed(valued):
            if len(met) >= _CANDIDATES:
                return
            end = replay(state, option.moves).states[-1]
            if end.cells not in met and self.foresight.foretold((*path, end.cells)):
                met.add(end.cells)
                yield option.moves, end

    def _won_before(self, state: State, path: Path) -> tuple[Known, ...]:
        """Return the phases from this board to a win of an earlier pass, if the model says that they repeat; else ().

        This needs no search, so a game that was won once is won again however short the time is.
        """
        for moves in self._played_before(state):
            end = replay(state, moves).states[-1]
            if end.score == MOST_SCORE:
                return (Known(state.cells, moves, True),)
            deeper = (*path, end.cells)
            layouts = list(self.foresight.foretold(deeper)) if end.may_redeal else []
            if len(layouts) == 1:
                rest = self._won_before(State(self.rules, layouts[0], state.used + 1), deeper)
                if rest:
                    return (Known(state.cells, moves, False), *rest)
        return ()

    def _played_before(self, state: State) -> Iterator[Moves]:
        """Yield the moves that earlier passes played from this board."""
        for line in self.recorded:
            for place, seen in enumerate(line.states):
                if seen.cells == state.cells and seen.used == state.used:
                    yield line.moves[place:]
                    break

    def _follow(self, state: State, moves: Moves, end: State, path: Path, budget: Budget) -> Option:
        layouts = self.foresight.foretold((*path, end.cells))
        deeper = (*path, end.cells)
        worth, is_sure = 0.0, True
        known: tuple[Known, ...] = ()
        for layout, share in layouts.items():
            coming = State(self.rules, layout, state.used + 1)
            seconds = None if budget.seconds is None else budget.seconds / len(layouts)
            value, is_proved, follows = self._phase_value(coming, deeper, replace(budget, seconds=seconds))
            worth += value * share
            is_sure = is_sure and is_proved
            known = follows if len(layouts) == 1 else ()
        worth = 1.0 if worth > 1 - 1e-9 else worth  # shares are rounded
        return Option(moves, end.locks, worth, 0.0 if is_sure else None, known, len(layouts))

    def _phase_value(self, state: State, path: Path, budget: Budget) -> tuple[float, bool, tuple[Known, ...]]:
        """Return the chance to win from a predicted board, whether it is proved, and the known phases that follow."""
        if won_before := self._won_before(state, path):
            return 1.0, True, won_before
        until = None if budget.seconds is None else monotonic() + budget.seconds
        found = self.searches.ends(state, _part(budget, 0.5 if state.redeals_left else 1.0))
        if found.status is Status.SOLVED:
            return 1.0, True, (Known(state.cells, _shortened(state, found.moves), True),)
        if not state.redeals_left:
            return 0.0, found.status is Status.UNSOLVABLE, (Known(state.cells, found.moves, False),)
        followed = list(self._followed(state, path, found, budget, until))
        options = [*followed, *self._unjudged(state, self._options(state, found), followed)]
        best = _shown(state, max(options, key=value_first), is_shortened=False)
        is_proved = best.chance == 1.0 or (found.complete and best.se == 0)
        return best.chance or 0.0, is_proved, (Known(state.cells, best.moves, False), *best.known)


def _as_won(found: Ends, moves: Moves) -> Ends:
    """Return the result with a win that the search missed."""
    solved = Status.SOLVED
    return replace(found, status=solved, moves=moves, score=MOST_SCORE, score_proved=True, bound=MOST_SCORE)


def _retold(option: Option, chance: float, se: float, tries: int) -> Option:
    return replace(option, chance=chance, se=se, tries=tries)


def _locks(state: State, moves: Moves) -> Locks:
    return tuple(replay(state, moves).states[-1].locks)


def _final(state: State, moves: Moves) -> Cells:
    return tuple(replay(state, moves).states[-1].cells)


def _part(budget: Budget, share: float) -> Budget:
    """Return the budget with a share of the time."""
    return replace(budget, seconds=None if budget.seconds is None else share * budget.seconds)


def played_out(state: State, moves: Moves) -> Moves:
    """Return the line, extended by any moves until a redeal is allowed."""
    end: State = replay(state, moves).states[-1]
    line = list(moves)
    while not end.may_redeal and end.score < MOST_SCORE:
        line.append(next(end.card_moves()))
        end = end.play(line[-1])
    return tuple(line)


def _shown(state: State, option: Option, *, is_shortened: bool = True) -> Option:
    """Return the option after a replay by the rules, with `is_shortened` without needless moves."""
    try:
        locks = _locks(state, option.moves)
        if locks == option.locks:
            if not is_shortened:
                return option
            shorter = _shortened(state, option.moves)
            # A prediction may depend on every card, also on those that are not locked.
            is_same = not option.foretold or _final(state, shorter) == _final(state, option.moves)
            return replace(option, moves=shorter) if is_same else option
        what = f"the plan's moves lock {locks}"
    except IllegalMoveError as error:
        what = f"a move of the plan breaks the rules ({error.reason})"
    tokens = " ".join(move.token for move in option.moves)
    raise InternalError(what, f"rules: {state.rules!r}\nmoves: {tokens}\naim: {option.locks}\nposition:\n{state}")


def _shortened(state: State, moves: Moves) -> Moves:
    """Return the line without needless moves; a line that ends stuck still does."""
    # Without redeals a stuck board is an outcome, which the shorter line has to keep.
    alone = replace(state, used=state.rules.redeals)
    line = replay(alone, moves)
    shorter = shorten(line, monotonic() + _SHORTEN_SECONDS)
    return tuple(shorter.moves) if shorter.states[-1].locks == line.states[-1].locks else moves
