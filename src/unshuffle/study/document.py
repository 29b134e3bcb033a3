"""Reports as documents: Markdown, or one HTML page with pictures, with conditions, provenance and citation."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import unshuffle as un
from unshuffle.errors import UsageError
from unshuffle.files import write_whole, writing
from unshuffle.store import Store
from unshuffle.study.charts import chart_convergence, chart_nodes, chart_scores, follow
from unshuffle.study.citing import citation, digest
from unshuffle.study.conditions import (
    describe_batches,
    explain_phases,
    is_about_phases,
    is_by_clock,
    write_imported,
)
from unshuffle.study.drawing import check_plot, plot_rates, plot_scores
from unshuffle.study.history import explain, explain_course
from unshuffle.study.html_page import HtmlPage
from unshuffle.study.markdown_page import MarkdownPage
from unshuffle.study.overview import describe_batch
from unshuffle.study.pages import Document
from unshuffle.study.published_report import print_beside
from unshuffle.study.remaking import remake
from unshuffle.study.scores import explain_missing, read_scores
from unshuffle.study.sections import (
    Against,
    Found,
    headline,
    is_finished,
    name_all,
    number_all,
    print_conditions,
    print_results,
    read_all,
    read_found,
    write_unfinished,
)
from unshuffle.study.statistics import mean_interval
from unshuffle.study.svg import draw_key, draw_panels, draw_rates
from unshuffle.study.tables import Column, plural, study_packages, write_count, write_seconds, write_time
from unshuffle.terminal import as_is, printable

_OUT = Path("-")
_MOST_RATES = 50
_MOST_BARS = 60
_MOST_PANELS = 12


def write_markdown(
    store: Store,
    study: str,
    *,
    exact: bool = False,
    against: Sequence[str] = (),
    published: bool = True,
    pictures: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the report of a study as Markdown. `pictures` are image files: path relative to the page, and title."""
    return _write(MarkdownPage(), store, study, exact, against, published, pictures)


def write_html(
    store: Store, study: str, *, exact: bool = False, against: Sequence[str] = (), published: bool = True
) -> str:
    """Return the report of a study as one HTML page that contains its pictures."""
    return _write(HtmlPage(), store, study, exact, against, published)


def draw_figures(store: Store, study: str) -> list[tuple[str, str, str]]:
    """Return only the pictures of the HTML page: for each its heading, its SVG in HTML, and its caption."""
    page = HtmlPage()
    _write(page, store, study, exact=False, against=(), published=False)
    return page.figures


def save_documents(
    store: Store,
    study: str,
    *,
    markdown: Path | None = None,
    html: Path | None = None,
    exact: bool = False,
    against: Sequence[str] = (),
    published: bool = True,
    scores: bool = False,
    plot: Path | None = None,
) -> list[Path]:
    """Write the report of a study as Markdown and as HTML, and return the files. '-' is standard output.

    Each file is written completely or not at all. With `plot`, the rates (or with `scores` the scores) are drawn into
    files of their own, which the Markdown shows.
    """
    files = [path for path in (markdown, html) if path is not None and path != _OUT]
    if markdown == html == _OUT:
        raise UsageError("--markdown - and --html - would both go to standard output; give one of them a file")
    if len(files) == 2 and files[0].resolve() == files[1].resolve():
        raise UsageError(f"--markdown and --html would both go to {str(html)!r}; give each a file of its own")
    for path in files:
        if path.exists() and store.path.exists() and path.samefile(store.path):
            raise UsageError(f"{str(path)!r} is the store itself; write into another file")
    drawn: list[Path] = []
    if plot is not None:
        check_plot(plot)
        drawn = (plot_scores if scores else plot_rates)(store, study, plot)
    texts = []
    if markdown is not None:
        words = f"{'Scores' if scores else 'Win rates'} of the study {study}"
        shown = [(_seen_from(markdown, picture), words) for picture in drawn]
        text = write_markdown(store, study, exact=exact, against=against, published=published, pictures=shown)
        texts.append((markdown, text))
    if html is not None:
        texts.append((html, write_html(store, study, exact=exact, against=against, published=published)))
    for path, text in texts:
        _save(path, text)
    return files + drawn


def _seen_from(document: Path, picture: Path) -> str:
    if document == _OUT:
        return picture.as_posix()
    return Path(os.path.relpath(picture, document.parent)).as_posix()


def _save(path: Path, text: str) -> None:
    # UTF-8 whatever the terminal's encoding: the page declares it.
    if path == _OUT:
        cast("Any", sys.stdout).reconfigure(encoding="utf-8")
        sys.stdout.write(as_is(sys.stdout, printable(text)))
        return
    with writing(path):
        write_whole(path, text.encode())


def _write(
    page: Document,
    store: Store,
    study: str,
    exact: bool,
    against: Sequence[str],
    published: bool,
    pictures: Sequence[tuple[str, str]] = (),
) -> str:
    counts = [Against.parse(text) for text in against]
    found, comparisons, beside = read_all(store, study, published=published)
    with study_packages():
        page.title(f"Study {study}", f"{headline(found)} {_summarize(found)}".strip())
        if not is_finished(found):
            page.prose(f"{write_unfinished(study)} These are the numbers of the finished deals.", bold=True)
        imported = write_imported(store, study)
        if imported is not None:
            page.prose(imported)
        if found:
            named = list(zip(name_all(found), found, strict=True))
            if isinstance(page, HtmlPage):
                _draw_rates(page, named)
            print_results(page, found, comparisons, counts, exact)
            print_beside(page, beside, number_all(found))
            for place, words in pictures:
                page.picture(place, words)
            if isinstance(page, HtmlPage):
                _draw_nodes(page, store, named)
            _print_scores(page, store, named)
            if isinstance(page, HtmlPage):
                _draw_convergence(page, store, named)
            print_conditions(page, found)
        _print_batches(page, store, study)
        print_provenance(page, store, study, found)
    return page.text()


def _summarize(found: Sequence[Found]) -> str:
    """Return the result in a sentence if there is one run with finished deals, else ''."""
    if len(found) != 1 or not found[0].rate.n:
        return ""
    rate, run = found[0].rate, found[0].run
    known = "with all cards known" if run.information == "open" else "with what a player sees"
    if is_about_phases(run):
        known += ", but no redeal: the first phase alone"
    return f"Won of {plural(rate.n, 'deal')} of {run.game}/{run.variant}, {known}: {rate}."


_Named = Sequence[tuple[str, Found]]


def _choose(named: _Named, most: int) -> tuple[_Named, str]:
    """Return the runs to draw, at most `most`, and a sentence about those that are left out."""
    if len(named) <= most:
        return named, ""
    best = sorted(named, key=lambda pair: -(pair[1].rate.rate or 0))[:most]
    return best, f" Drawn are the {most} of {len(named):,} runs that won most often; the tables have all of them."


def _draw_rates(page: HtmlPage, named: _Named) -> None:
    chosen, left_out = _choose(named, _MOST_RATES)
    words = "Dot and line: the share of deals won with its 95 % interval (Wilson)"
    if any(each.rate.undecided for _, each in chosen):
        words += ", undecided deals as lost. Bar, ring and lighter line: the same with undecided deals as won"
    page.section("Win rates")
    page.figure(draw_rates([(name, each.rate) for name, each in chosen]), f"{words}.{left_out}")


def _draw_nodes(page: HtmlPage, store: Store, named: _Named) -> None:
    searched = [pair for pair in named if pair[1].run.is_solver and pair[1].summary.n > pair[1].summary.inferred]
    chosen, left_out = _choose(searched, _MOST_PANELS)
    if not chosen:
        return
    spreads = [(name, each, store.node_spread(each.run)) for name, each in chosen]
    met = {octave for _, _, spread in spreads for counts in spread.values() for octave in counts}
    octaves = range(min(met), max(met) + 1)
    panels = []
    for name, each, spread in spreads:
        words = plural(sum(sum(counts.values()) for counts in spread.values()), "searched deal")
        if each.summary.inferred:
            words += f", {each.summary.inferred:,} inferred ones left out"
        panels.append((name, words, chart_nodes(spread, octaves, name)))
    page.section("Nodes")
    kinds = {"won": "won", "lost": "lost"}
    if any(each.rate.undecided for _, each in chosen):
        kinds["undecided"] = "undecided: a limit came first"
    page.figure(
        draw_key(kinds) + "\n" + draw_panels(panels),
        "Positions that the search looked at in a deal, on a logarithmic scale: each bar reaches from a power of two to"
        f" the next, and is as high as its share of the deals that were searched.{left_out}",
    )


def _print_scores(page: Document, store: Store, named: _Named) -> None:
    scores = [read_scores(store, each.run, each.summary) for _, each in named]
    if not any(each.known for each in scores):
        return
    page.section("Scores")
    moments = [each.moments for each in scores]
    intervals = [mean_interval(each.mean or 0, each.sd, each.count) for each in moments]
    page.table(
        [Column("run", [name for name, _ in named], is_words=True)],
        [
            Column("deals", [f"{each.n:,}" for each in scores]),
            Column("known", [f"{each.known:,}" for each in scores]),
            Column("mean", ["-" if each.mean is None else f"{each.mean:.2f}" for each in moments]),
            Column(
                "95 % interval", ["-" if each is None else f"[{each.low:.2f}, {each.high:.2f}]" for each in intervals]
            ),
            Column("SD", ["-" if each.sd is None else f"{each.sd:.2f}" for each in moments]),
            Column("lowest", [write_count(min(each.counts, default=None)) for each in scores]),
            Column("highest", [write_count(each.largest) for each in moments]),
        ],
    )
    is_proved = [each.run.is_solver for each in scores]
    kinds = ["proved to be the best of the deal"] * any(is_proved)
    kinds += ["at the end of a game that a policy has played"] * (not all(is_proved))
    page.prose(f"Known: {', or '.join(kinds)}.")
    for sentence in explain_missing(scores):
        page.prose(sentence)
    counted = [(name, each, own.counts) for (name, each), own in zip(named, scores, strict=True) if own.counts]
    if isinstance(page, HtmlPage) and counted:
        _draw_scores(page, counted)


def _draw_scores(page: HtmlPage, counted: Sequence[tuple[str, Found, Mapping[int, int]]]) -> None:
    chosen, left_out = _choose([(name, each) for name, each, _ in counted], _MOST_PANELS)
    scores = {name: counts for name, _, counts in counted}
    scales = _score_scales([(each.run.game, scores[name]) for name, each in chosen])
    panels = [
        (
            name,
            plural(sum(scores[name].values()), "deal"),
            chart_scores(scores[name], scale, f"Scores of {name}", _MOST_BARS),
        )
        for (name, _), scale in zip(chosen, scales, strict=True)
    ]
    page.figure(draw_panels(panels), f"How often each score came, as a share of the deals.{left_out}")


def _score_scales(counted: Sequence[tuple[str, Mapping[int, int]]]) -> list[Mapping[int, int]]:
    """Return the scores that scale each run's chart: those of its game's runs, if each covers a quarter of them."""
    together: dict[str, Counter[int]] = {}
    for game, counts in counted:
        together.setdefault(game, Counter()).update(counts)

    def width(counts: Mapping[int, int]) -> int:
        return max(counts) - min(counts) + 1

    narrowest = {game: min(width(counts) for each, counts in counted if each == game) for game in together}
    shares_one = {game for game, counts in together.items() if 4 * narrowest[game] >= width(counts)}
    return [together[game] if game in shares_one else counts for game, counts in counted]


def _draw_convergence(page: HtmlPage, store: Store, named: _Named) -> None:
    chosen, left_out = _choose([pair for pair in named if pair[1].rate.n], _MOST_PANELS)
    if not chosen:
        return
    panels = []
    for name, each in chosen:
        points = follow(store.course(each.run))
        panels.append((name, f"at the end {each.rate}", chart_convergence(points, name)))
    page.section("Convergence")
    kinds = {"won": "rate with its 95 % interval"}
    if any(each.rate.undecided for _, each in chosen):
        kinds = {"won": "undecided deals as lost, with the 95 % interval", "undecided": "undecided deals as won"}
    page.figure(
        draw_key(kinds) + "\n" + draw_panels(panels),
        "The rate over the first n deals, in the order of their seeds; n on a logarithmic scale."
        f" {explain_course([each.history for _, each in chosen], is_finished([each for _, each in chosen]))} Each"
        " interval on the way would hold for a study of that many deals; together they do not hold at"
        f" 95 %.{left_out}",
    )


def _print_batches(page: Document, store: Store, study: str) -> None:
    batches = store.batches(study)
    if not batches:
        return
    page.section("Tournaments and imports")
    described = zip(batches, describe_batches(store, study), strict=True)
    page.records(
        "batch",
        {f"{batch.id}: {batch.game}/{batch.variant}": describe_batch(batch, values) for batch, values in described},
    )


def print_provenance(page: Document, store: Store, study: str, found: Sequence[Found], plan: str | None = None) -> None:
    """Print who made a study, when and with what, how to make it again, and how to cite it.

    `plan` is a plan file with these runs, if there is one; it is named instead of printing a long plan.
    """
    work = [each for run in found for each in run.work]
    begun = next(info.created for info in store.studies() if info.name == study)
    last = max((each.last_finished for each in work), default="")
    finished = f"{write_time(last)} UTC" if last and is_finished(found) else "not yet"
    fields = {"study": study, "begun": f"{write_time(begun)} UTC"}
    if found:
        done: Counter[str] = Counter()
        for each in work:
            done[f"unshuffle {each.package_version}, engine {each.engine}"] += each.deals
        fields |= {
            "finished": finished,
            "played by": "; ".join(f"{name} ({plural(deals, 'deal')})" for name, deals in done.items()) or "nobody yet",
            "replayed": f"{plural(sum(each.replayed for each in work), 'line')} by the Python rules, before storing",
            "inferred": f"{plural(sum(each.summary.inferred for each in found), 'deal')}",
            "time used": f"{write_seconds(sum(each.summary.seconds for each in found))}, added up over the deals",
        }
    fields["report"] = (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, unshuffle {un.__version__}, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}"
    )
    digested = digest(store, found)
    if found:
        fields["SHA-256"] = digested
    page.section("Provenance")
    page.fields(fields)
    if not found:
        return
    _print_remaking(page, study, found, plan)
    page.prose("To cite these numbers:")
    day = f"finished {last[:10]}" if last and is_finished(found) else "unfinished"
    page.code(citation(study, found, day, digested), "text")
    page.prose(
        "The digest is over game, rules, method, generator, seeds, limits, engine and version, and the counts of every"
        " run. Who finds the same digest has the same numbers."
    )


def _print_remaking(page: Document, study: str, found: Sequence[Found], plan: str | None) -> None:
    runs = [each.run for each in found]
    made = remake(study, runs)
    if made is None:
        page.prose("The deals are decks of the store, not seeds: no command alone makes this study again.")
        return
    clocked = [each for each in found if is_by_clock(each.run)]
    if clocked:
        page.prose(_write_clocked(clocked, len(found)))
    aim = "To play the same deals in the same way" if clocked else "To make it again"
    if made.is_plan and plan is not None:
        made = replace(made, text=f"unshuffle study run {plan}{made.load}", is_plan=False)
    if made.is_plan:
        page.prose(f"{aim}, `unshuffle study run FILE.toml{made.load}` with this plan in the file:")
    else:
        page.prose(f"{aim}:")
    page.code(made.text, "toml" if made.is_plan else "sh")
    if made.fault is not None:
        page.prose(f"As the store tells it, but {made.fault}.")


def notes_on(store: Store, study: str) -> list[str]:
    """Return the caveats that belong beside the rates: extended runs, limits by the clock, verdicts on first phases."""
    found = read_found(store, study)
    clocked = [each for each in found if is_by_clock(each.run)]
    notes = [explain_phases([each.run for each in found]), " ".join(explain([each.history for each in found]))]
    return [*filter(None, notes), *([_write_clocked(clocked, len(found))] if clocked else [])]


def _write_clocked(clocked: Sequence[Found], many: int) -> str:
    """Return a warning that the numbers of these runs depend on a clock."""
    who = f"{len(clocked):,} of {many:,} runs have" if many > 1 else "It has"
    words = (
        f"Not reproducible: {who} a limit by the clock. A slower or busier machine searches less in the same time, so"
        " counts and digest may differ."
    )
    if any(each.run.is_solver for each in clocked):
        words += " Limits of nodes and memory alone (`--seconds 0`) give the same counts everywhere."
    if not all(each.run.is_solver for each in clocked):
        words += " A policy that is limited in positions instead of seconds gives the same counts everywhere."
    if all(each.run.is_solver and not each.rate.undecided for each in clocked):
        words += " Here every deal was decided, so every run that decides them all has the same verdicts."
    return words
