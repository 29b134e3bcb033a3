"""The output about published figures: the comparison with the runs of a study, and the list of all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from string import ascii_lowercase
from typing import Any, TextIO

from unshuffle.game import INFORMATION
from unshuffle.study.beside import ONE_SIDED, Beside, Readings
from unshuffle.study.published import OTHER_PLAYER, UNSTATED, Figure, Source, published, sources_of
from unshuffle.study.statistics import holm, write_rate
from unshuffle.study.tables import Column, Page, plural, write_p

_LEVEL = 0.05
_MOST_ROWS = 100
_MOST_NAMED = 8
_TOLD_APART, _NOT_TOLD_APART, _UNCLEAR = "told apart", "not told apart", "undecided deals decide"


# The comparison with the runs of a study.


def p_values(beside: Iterable[Beside]) -> list[dict[str, Any]]:
    """Return the tests of one run in the form of the list `p_values` of a report."""
    return [
        {"source": each.figure.name, "test": each.test.test, "p": each.test.p, "p_if_won": each.test.p_if_won}
        for each in beside
        if each.test is not None
    ]


def beside_values(beside: Iterable[Beside]) -> list[dict[str, Any]]:
    """Return the figures compared with one run in the form of the list `published` of a report."""
    rows = []
    for each in beside:
        values = figure_values(each.figure)
        for name in ("game", "comparable", "reason", "scores", "worst"):
            del values[name]
        test = each.test
        values |= {
            "test": None if test is None else test.test,
            "p": None if test is None else test.p,
            "p_if_won": None if test is None else test.p_if_won,
            "p_least": None if test is None else test.least,
            "p_most": None if test is None else test.most,
            "scores_p": None if each.scores is None else each.scores.p,
        }
        rows.append(values)
    return rows


def print_beside(page: Page, beside: Sequence[Beside], names: Mapping[int, str]) -> None:
    """Print our rates beside published figures; `names` maps the ids of the runs to their names."""
    if not beside:
        return
    page.section("Beside published figures")
    games = dict.fromkeys(each.run.game for each in beside)
    commands = " and ".join(f"`unshuffle study published {game}`" for game in games)
    page.prose(
        "Beside published figures: others, on deals of their own, so two samples are compared, not deal with deal."
        f" {commands} {'tells' if len(games) == 1 else 'tell'} more of each figure."
    )
    remarks = _Remarks()
    tested = [(each, each.test) for each in beside if each.test is not None]
    if len(tested) > _MOST_ROWS:
        page.prose(f"{len(tested):,} tests are too many for a page. --json has all of them.")
    elif tested:
        _print_tests(page, tested, names, remarks)
    _print_untested(page, [each for each in beside if each.test is None], names, remarks)
    if len(tested) <= _MOST_ROWS:
        for each in beside:
            _print_scores(page, each, names)


class _Remarks:
    """Remarks that would make a table too wide: the table has letters, which are explained below it."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def cell(self, remarks: Iterable[str]) -> str:
        """Return the letters of a figure's remarks."""
        return " ".join(map(self._letter, remarks)) or "-"

    def _letter(self, words: str) -> str:
        number = len(self._letters)
        first = ascii_lowercase[number // 26 - 1] if number >= 26 else ""
        return self._letters.setdefault(words, first + ascii_lowercase[number % 26])

    def print(self, page: Page) -> None:
        """Print what the letters mean, and begin with new letters for the next table."""
        if self._letters:
            page.line()
            page.fields({letter: words for words, letter in self._letters.items()})
        self._letters.clear()


def _print_tests(
    page: Page, tested: Sequence[tuple[Beside, Readings]], names: Mapping[int, str], remarks: _Remarks
) -> None:
    figures = [each.figure for each, _ in tested]
    family = f" (Holm of {len(tested)})" if len(tested) > 1 else ""
    key = [Column("source", [figure.name for figure in figures], is_words=True)]
    if len(names) > 1:
        key.insert(0, Column("run", [names[each.run.id] for each, _ in tested], is_words=True))
    rates = [
        Column("its count", [write_count_of(figure) for figure in figures]),
        Column("its rate", [_write_share(figure) for figure in figures]),
        Column("our rate", [write_rate(each.rate) for each, _ in tested]),
    ]
    least, most = (holm([getattr(test, name) for _, test in tested]) for name in ("least", "most"))
    tests = [
        Column("test", [test.test for _, test in tested], is_words=True),
        Column(f"p{family}", [write_p(p) for p in holm([test.p for _, test in tested])]),
    ]
    if any(each.undecided for each, _ in tested):
        tests.append(Column("p if won", [write_p(p) for p in holm([test.p_if_won for _, test in tested])]))
        tests.append(Column("least to greatest p", [write_range(*ends) for ends in zip(least, most, strict=True)]))
    tests.append(Column("remarks", [remarks.cell(_remarks(each)) for each, _ in tested], is_words=True))
    means = []
    if any(each.mean is not None for each, _ in tested):
        means.append(Column("its mean score", [figure.mean or "-" for figure in figures]))
        means.append(Column("our mean", ["-" if each.mean is None else f"{each.mean:.2f}" for each, _ in tested]))
    page.line()
    page.table(key, rates, *([means] if means else []), tests)
    remarks.print(page)
    page.line()
    if words := _explain([test for _, test in tested], any(each.undecided for each, _ in tested)):
        page.prose(words)
    for sentence in judge([each for each, _ in tested], names):
        page.prose(sentence)


def _remarks(each: Beside) -> Iterable[str]:
    figure = each.figure
    if not figure.is_other_player and figure.method != each.run.method:
        return (f"of {figure.who}, which plays alike", *figure.remarks)
    return figure.remarks


def _explain(tests: Sequence[Readings], has_undecided: bool) -> str:
    words = []
    if has_undecided:
        words.append(
            "p counts the undecided deals of both sides as lost, p if won counts them as won; beside them the least and"
            " the greatest p that they allow, whatever each would turn out to be."
        )
    if any(test.test.endswith(ONE_SIDED) for test in tests):
        words.append("Against a lower bound only too few wins of ours count: one-sided.")
    return " ".join(words)


def _standing(low: float, high: float) -> str:
    """Return the conclusion at 5 % from the least and the greatest p."""
    return _TOLD_APART if high < _LEVEL else _NOT_TOLD_APART if low >= _LEVEL else _UNCLEAR


def judge(beside: Iterable[Beside], names: Mapping[int, str]) -> list[str]:
    """Return the conclusions of the tests at 5 % in sentences; none without a test. `names` as in `print_beside`."""
    tested = [(each, each.test) for each in beside if each.test is not None]
    if not tested:
        return []
    least, most = (holm([getattr(test, name) for _, test in tested]) for name in ("least", "most"))
    return [_verdict(tested, least, most, names), *_meant(tested, least, most, names)]


def _verdict(
    tested: Sequence[tuple[Beside, Readings]], least: Sequence[float], most: Sequence[float], names: Mapping[int, str]
) -> str:
    found: dict[str, list[str]] = {}
    for (each, _), low, high in zip(tested, least, most, strict=True):
        prefix = f"{names[each.run.id]} from " if len(names) > 1 else ""
        found.setdefault(_standing(low, high), []).append(prefix + each.figure.name)
    if len(tested) == 1:
        return f"At 5 %: {next(iter(found))}."
    text = f"At 5 % after Holm {len(found.get(_NOT_TOLD_APART, ()))} of {len(tested)} are not told apart."
    if _TOLD_APART in found:
        text += f" Told apart: {_list(found[_TOLD_APART])}."
    if _UNCLEAR in found:
        text += f" It depends on the undecided deals: {_list(found[_UNCLEAR])}."
    return text


def _meant(
    tested: Sequence[tuple[Beside, Readings]], least: Sequence[float], most: Sequence[float], names: Mapping[int, str]
) -> list[str]:
    """Return a sentence for each figure with unstated rules that says which runs it may be about."""
    if len(names) < 2:
        return []
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for (each, _), low, high in zip(tested, least, most, strict=True):
        if each.figure.variant == UNSTATED and not each.figure.is_other_player:
            runs = found.setdefault((each.figure.name, each.figure.rules), {})
            runs.setdefault(_standing(low, high), []).append(names[each.run.id])
    return [
        f"{name} does not tell all its rules ({rules}). Of the runs that may be meant "
        + "; ".join(f"{word}: {', '.join(runs)}" for word, runs in sorted(standings.items()))
        + "."
        for (name, rules), standings in found.items()
    ]


def _print_untested(page: Page, untested: Sequence[Beside], names: Mapping[int, str], remarks: _Remarks) -> None:
    """Print the figures without a test, each once, with the runs that they are compared with."""
    if not untested:
        return
    runs: dict[int, list[str]] = {}
    for each in untested:
        runs.setdefault(id(each.figure), []).append(names[each.run.id])
    figures = list({id(each.figure): each.figure for each in untested}.values())
    page.line()
    page.prose("Figures that do not tell of how many deals they are, so there is no test:")
    page.line()
    key = [Column("source", [figure.name for figure in figures], is_words=True)]
    told = [Column("its rate", [figure.rate for figure in figures])]
    if len(names) > 1:
        told.append(Column("beside", [_runs(runs[id(figure)]) for figure in figures], is_words=True))
    told.append(Column("remarks", [remarks.cell(figure.remarks) for figure in figures], is_words=True))
    page.table(key, told)
    remarks.print(page)


def _runs(names: Sequence[str]) -> str:
    return " ".join(names) if len(names) <= _MOST_NAMED else plural(len(names), "run")


def _list(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"


def _print_scores(page: Page, each: Beside, names: Mapping[int, str]) -> None:
    if each.scores is None:
        return
    ours, theirs = (sum(pair[side] for pair in each.scores.classes.values()) for side in (0, 1))
    classes = each.scores.classes
    page.line()
    of_run = f" of {names[each.run.id]}" if len(names) > 1 else ""
    page.prose(f"Best scores{of_run} beside those of {each.figure.name}:")
    page.line()
    page.table(
        [Column("score", list(classes))],
        [
            Column("ours", [f"{mine:,}" for mine, _ in classes.values()]),
            Column("share", [f"{100 * mine / ours:.3f} %" for mine, _ in classes.values()]),
            Column("theirs", [f"{told:,}" for _, told in classes.values()]),
            Column("share", [f"{100 * told / theirs:.3f} %" for _, told in classes.values()]),
        ],
    )
    page.line()
    page.prose(
        f"Chi-square {each.scores.statistic:.2f} with {each.scores.freedom} degrees of freedom, p"
        f" {write_p(each.scores.p)}: at 5 % {'told apart' if each.scores.p < _LEVEL else 'not told apart'}."
    )


def write_range(low: float, high: float) -> str:
    """Return 'LOW to HIGH', or one p-value if both are printed alike."""
    return write_p(low) if write_p(low) == write_p(high) else f"{write_p(low)} to {write_p(high)}"


def write_count_of(figure: Figure) -> str:
    """Return the count of a figure in words; '-' if there is none."""
    if figure.wins is None or figure.n is None:
        return "-"
    about = "about " if figure.estimated else ""
    undecided = f", {figure.undecided:,} undecided" if figure.undecided else ""
    return f"{figure.wins:,} of {about}{figure.n:,}{undecided}"


def _write_share(figure: Figure) -> str:
    if figure.rate:
        return figure.rate
    return "-" if figure.share is None else f"{100 * figure.share:.3g} %"


# The list of all figures.


def figure_values(figure: Figure) -> dict[str, Any]:
    """Return a figure as JSON values: every field, and those of its source."""
    values = asdict(figure)
    source = values.pop("source")
    values["candidates"] = list(figure.candidates)
    return {
        "source": figure.source.name,
        **{name: source[name] or None for name in ("author", "year", "program")},
        "source_note": source["note"],
        **values,
    }


def print_published(game: str | None = None, *, json: bool = False, out: TextIO | None = None) -> None:
    """Print the published figures of a game, or of all games, by their sources."""
    page = Page(out or sys.stdout)
    figures = published(game)
    if json:
        for figure in figures:
            page.json(figure_values(figure))
        return
    if not figures:
        page.line(f"No published figures of {game} are known.")
        return
    games = list(dict.fromkeys(figure.game for figure in figures))
    for number, each in enumerate(games):
        own = [figure for figure in figures if figure.game == each]
        alone = sum(not figure.comparable for figure in own)
        if number:
            page.line()
        head = f"{each}: {plural(len(own), 'figure')}"
        page.prose(f"{head}; no run can be set beside {alone} of them." if alone else f"{head}.", bold=True)
        for source, of_source in sources_of(own):
            _print_source(page, source, of_source)


def _print_source(page: Page, source: Source, figures: Sequence[Figure]) -> None:
    page.line()
    page.prose(source.name, bold=True)
    if told := describe_source(source):
        page.prose(told)
    for words, group in group_figures(figures).items():
        page.line()
        page.prose(words)
        page.line()
        remarks = _Remarks()
        variant, who, *others = tabulate_figures(group)
        if any(map(list_remarks, group)):
            others.append(Column("remarks", [remarks.cell(list_remarks(each)) for each in group], is_words=True))
        page.table([variant, who], others)
        remarks.print(page)


def group_figures(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    """Group the figures of a source by what was known of the cards, and by whether runs can be compared with them."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        words = INFORMATION.get(figure.information, "whether all cards were known is not told")
        if not figure.comparable:
            words += f"; no run can be set beside these: {figure.reason}"
        found.setdefault(f"Information {words}.", []).append(figure)
    return found


def tabulate_figures(figures: Sequence[Figure]) -> list[Column]:
    """Return the columns of a table of figures, without empty ones."""
    columns = [
        Column("variant", [figure.variant for figure in figures], is_words=True),
        Column("played by", [figure.who for figure in figures], is_words=True),
        Column("which", [figure.label or "-" for figure in figures], is_words=True),
        Column("count", [write_count_of(figure) for figure in figures]),
        Column("rate", [_write_rate(figure) for figure in figures]),
        Column("mean score", [figure.mean or "-" for figure in figures]),
    ]
    return [column for column in columns if set(column.values) != {"-"}]


def _write_rate(figure: Figure) -> str:
    if not figure.interval:
        return figure.rate or "-"
    return f"{figure.rate} {figure.interval if figure.interval.startswith('±') else f'({figure.interval})'}"


def describe_source(source: Source) -> str:
    """Return the author, year, program and note of a source in words; '' if only the name is known."""
    who = ", ".join(filter(None, (source.author, str(source.year or ""), source.program)))
    return " ".join(filter(None, (f"{who}." if who and who != source.name else "", source.note)))


def list_remarks(figure: Figure) -> tuple[str, ...]:
    """Return what is known of a figure beside its numbers and its player."""
    scores = ", ".join(f"{score}: {deals:,}" for score, deals in figure.scores.items())
    found = (
        *(words for words in figure.remarks if not words.startswith(OTHER_PLAYER)),
        f"may be meant: {', '.join(figure.candidates)}" if figure.candidates else "",
        f"scores {scores}; the worst is {figure.worst}" if scores else "",
        figure.note,
    )
    return tuple(filter(None, found))
