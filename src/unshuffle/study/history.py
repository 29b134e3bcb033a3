"""How often a run was extended after it had results, and what that means for its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unshuffle.store import DECKS, Planned, Run, Store
from unshuffle.study.tables import Page, plural, write_time

_LOOKED = (
    "Intervals and p-values of such a run are valid if its deals were added for a reason other than the results. If"
    " they were added because of the results, the coverage of the intervals is below 95 %, by an unknown amount."
)


@dataclass(frozen=True, slots=True)
class History:
    """All plans of a run, from the first on."""

    plans: tuple[Planned, ...]
    on_decks: bool = False
    """Whether the deals are stored decks, which somebody has chosen, so that their number was not planned."""

    @classmethod
    def read(cls, store: Store, run: Run) -> History:
        """Return the history of a run."""
        return cls(tuple(store.plans(run)), run.generator == DECKS)

    @property
    def is_known(self) -> bool:
        """Whether the store has every plan; an older version kept only the last one."""
        return not self.on_decks and all(each.created is not None for each in self.plans)

    @property
    def extensions(self) -> Sequence[Planned]:
        """The plans that were made after the first results.

        A new plan before the first result cannot depend on results. Going on from a share to the whole plan that was
        stored with it is no extension either.
        """
        if self.on_decks or self.plans[-1].seeds == self.plans[0].whole:
            return ()
        return [each for each in self.plans[1:] if each.finished]

    @property
    def is_fixed(self) -> bool:
        """Whether the number of deals is known to have been fixed before the first result."""
        return self.is_known and not self.extensions

    def fields(self) -> dict[str, str]:
        """Return the plans in words, for the conditions of a report; empty if the number of deals was fixed."""
        return {} if self.is_fixed or self.on_decks else {"planned": self.words}

    @property
    def words(self) -> str:
        """All plans with their times: 'seeds 0..99 on 2026-02-01 09:30 UTC; 0..199 on ...'."""
        if self.on_decks:
            return "stored decks, as they were asked for"
        first, *others = self.plans
        began = (
            f"on {write_time(first.created)} UTC"
            if first.created
            else "(when, and over which seeds before, is not known)"
        )
        texts = [f"seeds {_write_seeds(first)} {began}"]
        texts += [
            f"{_write_seeds(each)} {_write_when(each)}, with {plural(each.finished, 'deal')} finished"
            for each in others
        ]
        return "; ".join(texts)


def _write_seeds(plan: Planned) -> str:
    share = "" if plan.whole is None else f" (a share of {plan.whole[0]}..{plan.whole[1]})"
    return f"{plan.first_seed}..{plan.last_seed}{share}"


def _write_when(plan: Planned) -> str:
    return f"on {write_time(plan.created or '')} UTC"


def print_extensions(page: Page, histories: Sequence[History]) -> None:
    """Print which runs were or may have been extended, and what that means for their intervals; nothing if none."""
    sentences = explain(histories)
    if sentences:
        page.prose(" ".join(sentences))


def explain(histories: Sequence[History]) -> list[str]:
    """Return sentences about extended runs and about runs of unknown history; none if there are no such runs."""
    extended = [each for each in histories if each.extensions]
    unknown = [each for each in histories if not each.is_known and not each.on_decks and not each.extensions]
    many = len(histories) > 1
    sentences = []
    if extended:
        times = max(len(each.extensions) for each in extended)
        often = {1: "once", 2: "twice"}.get(times, f"{times} times")
        who = f"{len(extended):,} of {len(histories):,} runs were" if many else "The run was"
        most = "up to " if many and len({len(each.extensions) for each in extended}) > 1 else ""
        sentences.append(
            f"{who} extended after deals had been finished, {most}{often}; the conditions list when and from what size."
        )
    if unknown:
        who = f"{len(unknown):,} of {len(histories):,} runs were" if many else "The run was"
        sentences.append(
            f"{who} planned by an older unshuffle, which kept only the last plan: whether deals were added later is not"
            " known."
        )
    return [*sentences, _LOOKED] if sentences else []


def explain_course(histories: Sequence[History], is_finished: bool) -> str:
    """Return a sentence for the convergence picture that says how the number of deals was chosen."""
    if not is_finished:
        return "The study is not finished: these are the deals so far."
    if all(each.is_fixed for each in histories):
        return "How many deals there are was fixed before the first of them was played."
    return " ".join(explain(histories)) or "The deals are stored decks, as they were asked for."
