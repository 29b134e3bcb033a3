"""The known scores of a run: those proved to be the best, or those of a policy's whole games.

A search that only decides stops at its verdict. The score of a lost deal is then whatever it has seen, and the proved
scores are those of won deals, so a mean over either says nothing about the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unshuffle.store import Run, Store, Summary
from unshuffle.study.statistics import Moments
from unshuffle.study.tables import plural


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a run over which statistics are valid: those of all decided deals, or none."""

    run: Run
    n: int
    """Finished deals."""
    decided: int
    known: int
    """Decided deals whose score is known."""
    counts: Mapping[int, int]
    """Deals by score; empty if the score of a decided deal is not known."""

    @property
    def moments(self) -> Moments:
        """Mean and standard deviation of `counts`."""
        return Moments.of_counts(self.counts)

    @property
    def remark(self) -> str:
        """A sentence about the deals that are left out, for a report of this run alone; '' if there are none."""
        if not self.n:
            return ""
        if self.known < self.decided:
            lacking = self.decided - self.known
            remedy = "" if self.run.maximize else "; `--maximize` asks for it"
            return (
                f"No scores are summed up: the best score of {lacking:,} of {plural(self.decided, 'decided deal')} is"
                f" not proved{remedy}."
            )
        if self.decided < self.n:
            return (
                f"These are the {plural(self.decided, 'decided deal')}: the best scores of"
                f" {plural(self.n - self.decided, 'undecided deal')} are not known, so this is not the mean of all"
                f" {self.n:,}."
            )
        return ""


def read_scores(store: Store, run: Run, summary: Summary) -> Scores:
    """Return the scores of a run. Only summaries are read."""
    counts = store.scores(run)
    known, decided = sum(counts.values()), summary.won + summary.lost
    return Scores(run, summary.n, decided, known, counts if known >= decided else {})


def explain_missing(scores: Sequence[Scores]) -> list[str]:
    """Return sentences for a table of several runs: why some have no scores, and which deals the others leave out."""
    sentences = []
    without = [each for each in scores if each.known < each.decided]
    if without:
        sentences.append(
            "A run without a mean has decided deals whose best score is not proved: a search that only decides stops"
            " with whatever score it has seen, and a mean over the proved ones, mostly wins, would say nothing about"
            " the game."
        )
        if not all(each.run.maximize for each in without):
            sentences[0] += " `--maximize` asks for the proved best score of every deal."
    partial = [each for each in scores if each.counts and each.decided < each.n]
    if partial:
        undecided = sum(each.n - each.decided for each in partial)
        sentences.append(
            f"The best scores of {plural(undecided, 'undecided deal')} are not known: the mean of such a run is that of"
            " its decided deals alone."
        )
    return sentences
