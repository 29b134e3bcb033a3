"""The output of `study compare`, as text and as JSON: which test was made, why, and its result."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TextIO

from unshuffle.store import Store
from unshuffle.study.compare import Comparison, Order, Reading, adjust, compare_choices, write_p_of
from unshuffle.study.conditions import describe_run, explain_phases, is_about_phases, name_run
from unshuffle.study.history import History, print_extensions
from unshuffle.study.statistics import write_if_won, write_rate
from unshuffle.study.tables import Column, Page, plural, study_packages, write_count, write_points


def print_compare(
    store: Store, a: str, b: str, *, anyway: bool = False, json: bool = False, out: TextIO | None = None
) -> None:
    """Print whether two studies or runs differ, by which test, and why by this one."""
    page = Page(out or sys.stdout)
    with study_packages():
        found = compare_choices(store, a, b, anyway=anyway)
        adjusted = adjust(found)
        if json:
            for comparison, holms in zip(found, adjusted, strict=True):
                page.json(_values(store, comparison, holms))
            return
        for number, (comparison, holms) in enumerate(zip(found, adjusted, strict=True)):
            if number:
                page.line()
            _print_comparison(store, page, comparison, holms if len(found) > 1 else None, len(found))


def _values(store: Store, comparison: Comparison, holms: tuple[float, float]) -> dict[str, Any]:
    values: dict[str, Any] = {
        side: {"study": run.study, "game": run.game, "variant": run.variant, "method": run.method,
               "information": run.information, "generator": run.generator, "n": n,
               "inferred": store.summary(run).inferred}
        for side, run, n in (("a", comparison.a, comparison.n_a), ("b", comparison.b, comparison.n_b))
    }  # fmt: skip
    values |= {"paired": comparison.is_paired, "test": comparison.test, "why": comparison.why}
    values |= {"stricter": comparison.stricter, "remark": comparison.remark}
    values |= {"undecided": comparison.undecided, "settled": comparison.settled}
    for suffix, reading, adjusted in (
        ("", comparison.as_lost, holms[0]),
        ("_if_won", comparison.as_won, holms[1]),
    ):
        values |= {
            f"only_a{suffix}": reading.only_a,
            f"only_b{suffix}": reading.only_b,
            f"difference{suffix}": reading.difference,
            f"low{suffix}": None if reading.interval is None else reading.interval.low,
            f"high{suffix}": None if reading.interval is None else reading.interval.high,
            f"p{suffix}": reading.p,
            f"p_holm{suffix}": adjusted,
        }
    values["least"], values["most"] = comparison.extremes or (None, None)
    return values


def _print_comparison(
    store: Store, page: Page, comparison: Comparison, holms: tuple[float, float] | None, family: int
) -> None:
    sides = (comparison.a, comparison.b)
    for letter, run in zip("ab", sides, strict=True):
        page.line(f"{letter}: {run.study}: {name_run(run)}", bold=True)
    histories = [History.read(store, run) for run in sides]
    conditions = [describe_run(run, store.summary(run), store.work(run)) for run in sides]
    if any(each.fields() for each in histories):
        conditions = [words | {"planned": each.words} for words, each in zip(conditions, histories, strict=True)]
    words: dict[str, str] = {}
    for name, of_a in conditions[0].items():
        of_b = conditions[1][name]
        words |= {name: of_a} if of_a == of_b else {f"{name} of a": of_a, f"{name} of b": of_b}
    page.fields(words)
    page.line()
    page.prose(f"Test: {comparison.test}; {comparison.why}.")
    if comparison.remark is not None:
        page.prose(f"What is compared: {comparison.remark}")
    if comparison.stricter is not None:
        page.prose(_explain_order(comparison, comparison.stricter))
    if phases := explain_phases(sides):
        page.prose(phases)
    print_extensions(page, histories)
    inferred = [store.summary(run).inferred for run in sides]
    if any(inferred):
        page.prose(
            f"Inferred verdicts ({inferred[0]:,} of a, {inferred[1]:,} of b) are facts about the deals and count like"
            " searched ones."
        )
    page.line()

    readings = [("undecided as lost" if comparison.undecided else "all decided", comparison.as_lost)]
    if comparison.undecided:
        readings.append(("undecided as won", comparison.as_won))
    answers = [
        Column("a - b in % points", [write_points(reading.difference, reading.interval) for _, reading in readings]),
        Column("p", [write_p_of(reading, reading.p) for _, reading in readings]),
    ]
    if holms is not None:
        p_values = [write_p_of(reading, p) for (_, reading), p in zip(readings, holms, strict=False)]
        answers.append(Column(f"p (Holm of {family})", p_values))
    page.table(
        [Column("reading", [name for name, _ in readings], is_words=True)], _counts(comparison, readings), answers
    )
    page.line()
    if comparison.extremes is not None:
        low, high = comparison.extremes
        page.prose(
            f"{plural(comparison.undecided, 'deal')} undecided in a or b: however they would end, the difference on"
            f" these deals is between {100 * low:+.3f} and {100 * high:+.3f} points."
        )
    page.prose(_verdict(comparison, holms))


def _explain_order(comparison: Comparison, order: Order) -> str:
    if order == "both":
        words = "What is won under the rules of either is won under the other's: the verdicts are the same."
    else:
        loose = "b" if order == "a" else "a"
        words = f"The rules of {order} are stricter: what is won under them is won under those of {loose} too, so"
        if comparison.is_paired:
            words += (
                f" no deal is won in {order} alone. One deal that {loose} alone has won proves that the rates differ,"
                " and the interval (Clopper and Pearson's, of the share of such deals) does not reach beyond 0."
            )
        else:
            words += f" the rate of {order} cannot be the higher one, and p asks only whether it is the lower one."
        if any(each.is_certain and not each.is_proved for each in comparison.readings):
            words += " Here there is such a deal only if undecided ones end as a row has it (certain if so)."
    if comparison.settled:
        decided = f"{plural(comparison.settled, 'deal')} that a limit left undecided in one of them"
        words += f" {decided} {'is' if comparison.settled == 1 else 'are'} decided by the verdict of the other."
    return words


def _counts(comparison: Comparison, readings: Sequence[tuple[str, Reading]]) -> list[Column]:
    if comparison.rates is None:
        return [
            Column("deals", [f"{comparison.n_a:,}"] * len(readings)),
            Column("only a won", [write_count(reading.only_a) for _, reading in readings]),
            Column("only b won", [write_count(reading.only_b) for _, reading in readings]),
        ]
    columns = []
    for letter, rate in zip("ab", comparison.rates, strict=True):
        columns.append(Column(f"n of {letter}", [f"{rate.n:,}"] * len(readings)))
        columns.append(Column(f"rate of {letter}", [write_rate(rate), write_if_won(rate)][: len(readings)]))
    return columns


def _verdict(comparison: Comparison, holms: tuple[float, float] | None) -> str:
    p_values = holms or (comparison.as_lost.p, comparison.as_won.p)
    differ = [p < 0.05 for p in p_values]
    if not min(comparison.n_a, comparison.n_b):
        return "One of them has no finished deals; nothing can be said."
    differences = [comparison.as_lost.difference or 0, comparison.as_won.difference or 0, *(comparison.extremes or ())]
    signs = {(difference > 0) - (difference < 0) for difference in differences}
    winner = {1: "a", -1: "b"}.get(signs.pop()) if len(signs) == 1 else None
    if comparison.stricter == "both":
        is_phase = is_about_phases(comparison.a) or is_about_phases(comparison.b)
        return "They win the same first phases." if is_phase else "They win the same deals."
    if winner is not None and comparison.as_lost.is_proved and comparison.as_won.is_proved:
        return f"That they differ is proved: {winner} wins more often."
    if all(differ) and winner is not None:
        return f"At 5 % they differ: {winner} wins more often."
    if any(differ):
        return "It depends on the undecided deals whether they differ at 5 %: longer limits are needed."
    return "At 5 % these deals do not tell them apart, which is no proof that they are equal."
