"""Rechecks: the first deals of a study are decided again on the other engine."""

from __future__ import annotations

import unshuffle as un
from unshuffle.deals import Source
from unshuffle.errors import InternalError, UsageError
from unshuffle.rulebook import write_rules
from unshuffle.solve import Limits, Status, solve_on
from unshuffle.store import Run, Store

_OTHER = {"native": "python", "python": "native"}


def recheck_run(store: Store, run: Run, count: int) -> str:
    """Decide the first deals of a run again on the other engine; return a summary, or raise InternalError on conflicts.

    The engines agree on a deal if both decided it with the same status and, if both proved it, the same score. They
    count nodes and time differently, so a deal that a limit stopped on either side is not compared. Deals that were
    inferred are searched like the others.
    """
    game = un.game(run.game, run.variant)
    if not run.is_solver:
        raise UsageError(f"recheck: a policy ({run.method}) has no verdicts that another engine could check")
    rows = store.first_results(run, count)
    for side in {_OTHER[engine] for *_, engine, _ in rows}:
        _check_side(side, run)
    limits = Limits(run.nodes_limit, run.seconds_limit, run.memory_limit or Limits().memory)
    variants = {each.id: each.variant for each in store.runs(run.study)}
    agreed = undecided = inferred = 0
    wrong: list[str] = []
    for seed, status, score, proved, engine, origin in rows:
        state = game.deal(Source(seed, run.generator))
        again = solve_on(_OTHER[engine], state, limits, maximize=run.maximize)
        if again.status is Status.CANCELLED:
            raise KeyboardInterrupt
        if not (again.is_decided and Status(status).is_decided):
            undecided += 1
        elif again.status != status or (proved and again.score_proved and again.score != score):
            whence = engine if origin is None else f"inferred from {variants.get(origin)}"
            wrong.append(
                f"{state.id}: {whence} {status} with score {score},"
                f" {again.engine} {again.status} with score {again.score}"
            )
        else:
            agreed += 1
            inferred += origin is not None
    if wrong:
        raise InternalError(
            f"the engines disagree on {len(wrong)} of {len(rows)} deals that were decided again", "\n".join(wrong)
        )
    left = f"; {undecided} were stopped by a limit on one side" if undecided else ""
    of_these = f" ({inferred} of them inferred)" if inferred else ""
    return f"recheck of {run.game}/{run.variant}: the engines agree on {agreed} of {len(rows)} deals{of_these}{left}"


def _check_side(side: str, run: Run) -> None:
    if side == "python":
        return
    try:
        from unshuffle import _engine
    except ImportError:
        raise UsageError("recheck: the native engine is not installed, so there is no other engine to ask") from None
    rules = write_rules(un.game(run.game, run.variant).rules)
    if run.game not in _engine.games() or not _engine.supports(run.game, rules):
        raise UsageError(f"recheck: the native engine does not know {run.game}/{run.variant}, so there is none to ask")
