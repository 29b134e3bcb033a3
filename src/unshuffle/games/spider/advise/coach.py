"""The coach for Spider: it compares the best plan that begins with a move with the best of all."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.coach import Coach, Judgement, told
from unshuffle.games.spider import Move, View
from unshuffle.games.spider.hidden.planner import plan
from unshuffle.hidden.chance import Chance
from unshuffle.hidden.playouts import Plan
from unshuffle.solve import Status


class SpiderCoach(Coach):
    """The coach, which evaluates plans before the move, and after it if it turns no card. It uses no hidden card."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._known: dict[View, Plan] = {}

    def judge(self, state: Any, move: Move) -> Judgement:
        """Return the chance with the move beside that of the best plan."""
        view: View = state.view()
        before = self._plan(view)
        if before.moves[:1] == (move,):
            return Judgement((f"Coach: {move.token} is the best move known: {told(_chance(before))}.",))
        mine = next((option for option in before.options if option.move == move), None)
        best = f"{before.moves[0].token} {told(_chance(before))}" if before.moves else "no plan is known"
        if mine is not None:
            return Judgement((f"Coach: {move.token} {told(mine.with_error)}; {best}.",))
        if view.turned_by(move):
            return Judgement((f"Coach: {move.token} was not weighed: it looks worse than what was; {best}.",))
        after = self._plan(view.play(move))
        loses = before.status is Status.SOLVED and after.status is Status.UNSOLVABLE
        return Judgement((f"Coach: {move.token} {told(_chance(after))}; {best}.",), loses)

    def _plan(self, view: View) -> Plan:
        if view not in self._known:
            made = plan(view, seconds=self._seconds, is_stopped=self.is_stopped)
            if self.is_stopped():
                return made
            self._known[view] = made
        return self._known[view]


def _chance(made: Plan) -> Chance | None:
    return made.options[0].with_error if made.options else None
