"""Published win rates of others, as data (`data/published.toml`), and which of them a run can be compared with."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import unshuffle as un
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.rulebook import write_rules
from unshuffle.store import DECKS, Run
from unshuffle.store.strategies import POLICY, find_strategy

FILE = Path(__file__).with_name("data") / "published.toml"

UNSTATED = "unstated"
"""The variant or the information of a figure if its source does not state it."""

OTHER_PLAYER = "by another player"
"""The beginning of the remark that a figure is about another player's method."""

SOLVER, PERSON, PROGRAM = "solver", "person", "program"
_INFORMATION = ("open", "hidden", UNSTATED)
_KINDS = {"str": (str,), "int": (int,), "int | None": (int,), "bool": (bool,)}
_PERCENT = re.compile(r"([0-9]+(?:\.([0-9]+))?) %")
_ONE_IN = re.compile(r"1 in ([0-9]+)")
_FRACTION = re.compile(r"([0-9]+)/([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The source of published figures."""

    name: str
    """Its name in tables: 'Blake and Gent 2026'."""
    author: str = ""
    year: int | None = None
    program: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A published win rate, with all that the source states about it."""

    source: Source
    game: str
    variant: str
    """Our name of the rules, or 'unstated'."""
    method: str
    """'solver', 'policy:' and a policy of ours, 'person' or 'program'."""
    information: str
    """'open', 'hidden' or 'unstated'."""
    label: str = ""
    """Tells it from other figures of its source about the same game and method."""
    candidates: tuple[str, ...] = ()
    """The variants that may be meant if none is stated; empty: any variant of the game."""
    rules: str = ""
    """What the source states about the rules, in words."""
    player: str = ""
    """Who played, if it is none of our policies."""
    wins: int | None = None
    n: int | None = None
    undecided: int = 0
    """Deals that a limit left undecided; included in n, not in wins."""
    rate: str = ""
    """As published: '23.404 %', '1 in 35', 'about 4 %', '1/6'."""
    interval: str = ""
    computed: bool = False
    """The wins were computed from a rounded rate."""
    estimated: bool = False
    """n is not stated, but estimated from the interval."""
    lower_bound: bool = False
    """The program is known to miss wins."""
    mean: str = ""
    """The mean score, as published."""
    scores: Mapping[int, int] = field(default_factory=dict)
    """How many deals had each of these scores; the other deals had lower ones."""
    worst: int | None = None
    """The lowest score of all."""
    conditions: str = ""
    comparable: bool = True
    """False if no run of a study can be compared with it."""
    reason: str = ""
    """Why it cannot be compared."""
    note: str = ""

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise UsageError(f"{self.name}, {self.game}/{self.variant}: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        if self.method not in (SOLVER, PERSON, PROGRAM) and not self.method.startswith(POLICY):
            yield f"method {quote(self.method)} is neither solver, person, program nor a policy"
        if self.information not in _INFORMATION:
            yield str(unknown("information", self.information, _INFORMATION))
        if self.candidates and self.variant != UNSTATED:
            yield "candidates are for a variant that is unstated"
        if self.is_other_player != bool(self.player):
            yield "a person or a program, and nobody else, is told by `player`"
        if (self.wins is None) != (self.n is None):
            yield "wins and n go together"
        if self.n is None and not self.rate:
            yield "there is neither a count nor a rate"
        if self.wins is not None and self.n is not None:
            left = self.n - self.wins - self.undecided
            if min(self.wins, self.undecided, left) < 0 or not self.n:
                yield f"{self.wins} won and {self.undecided} undecided of {self.n} is no count"
        if self.comparable == bool(self.reason):
            yield "a reason stands with comparable = false, and only there"

    @property
    def name(self) -> str:
        """The source, with the label if there is one."""
        return f"{self.source.name}, {self.label}" if self.label else self.source.name

    @property
    def is_other_player(self) -> bool:
        """Whether a person or another program has played by a method of its own."""
        return self.method in (PERSON, PROGRAM)

    @property
    def who(self) -> str:
        """Who has played: 'solver', a policy of ours, or a description of the player."""
        return self.player or self.method.removeprefix(POLICY)

    @property
    def share(self) -> float | None:
        """The rate as a number; None if it is not published as one."""
        if self.wins is not None and self.n:
            return self.wins / self.n
        text = self.rate.removeprefix("about ")
        if match := _PERCENT.fullmatch(text):
            return float(match[1]) / 100
        if match := _ONE_IN.fullmatch(text):
            return 1 / int(match[1])
        if match := _FRACTION.fullmatch(text):
            return int(match[1]) / int(match[2])
        return None

    @property
    def rounding(self) -> float | None:
        """The largest rounding error of a published percentage; None if the rate is no plain percentage."""
        match = _PERCENT.fullmatch(self.rate)
        return None if match is None else 0.5 * 10.0 ** -(2 + len(match[2] or ""))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks that a reader needs, one text each."""
        of_rules = f": {self.rules}" if self.rules else ""
        unstated = f"rules not told in full{of_rules}" if self.variant == UNSTATED else self.rules
        found = (
            f"{OTHER_PLAYER}: {self.player}" if self.is_other_player else "",
            unstated,
            "whether with all cards known is not told" if self.information == UNSTATED else "",
            "wins computed from a rounded rate" if self.computed else "",
            "n is not told, and estimated from the interval" if self.estimated else "",
            "a lower bound: that program loses deals that can be won" if self.lower_bound else "",
            self.conditions,
        )
        return tuple(filter(None, found))


def published(game: str | None = None) -> tuple[Figure, ...]:
    """Return the published figures of a game, or of all games, in the order of the file."""
    if game is None:
        return _all()
    un.game(game)  # raises UsageError with the nearest name
    return tuple(each for each in _all() if each.game == game)


@cache
def _all() -> tuple[Figure, ...]:
    return read_figures(FILE.read_text(encoding="utf-8"))


def read_figures(text: str) -> tuple[Figure, ...]:
    """Return the figures in the text of a file like FILE. Raises UsageError, which names all faults."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the published figures are not TOML: {error}") from None
    faults: list[str] = []
    sources: dict[str, Source] = {}
    for key, told in values.get("sources", {}).items():
        try:
            sources[key] = Source(**_check(told, Source))
        except UsageError as error:
            faults.append(f"source {key}: {error}")
    figures = []
    for number, table in enumerate(values.get("table", ()), 1):
        common = {name: value for name, value in table.items() if name != "rows"}
        for row, own in enumerate(table.get("rows", ()), 1):
            try:
                figures.append(_figure(common | own, sources))
            except UsageError as error:
                faults.append(f"table {number}, row {row}: {error}")
    if faults:
        raise UsageError("the published figures: " + "; ".join(faults))
    return tuple(figures)


def _figure(told: Mapping[str, Any], sources: Mapping[str, Source]) -> Figure:
    values = _check(told, Figure)
    if values["source"] not in sources:
        raise unknown("source", str(values["source"]), sources)
    values["source"] = sources[values["source"]]
    values["candidates"] = tuple(values.get("candidates", ()))
    values["scores"] = {int(score): deals for score, deals in values.get("scores", {}).items()}
    return Figure(**values)


def _check(told: Mapping[str, Any], cls: type[Source] | type[Figure]) -> dict[str, Any]:
    """Return the values. Raises UsageError if a key is unknown, a type is wrong, or a required key is missing."""
    known = {each.name: each for each in fields(cls)}
    faults = [str(unknown("key", name, known)) for name in told if name not in known]
    faults += [
        f"{name} is missing"
        for name, each in known.items()
        if each.default is MISSING and each.default_factory is MISSING and name not in told
    ]
    for name, value in told.items():
        kinds = _KINDS.get(str(known[name].type)) if name in known else None
        if kinds is not None and type(value) not in kinds:
            faults.append(f"{name} = {value!r} is not {' or '.join(kind.__name__ for kind in kinds)}")
    if faults:
        raise UsageError("; ".join(faults))
    return dict(told)


def figures_beside(run: Run) -> tuple[Figure, ...]:
    """Return the published figures that a run can be compared with: of the same game, rules, information and method.

    A figure of a person or of another program is compared with every run with the same information. If the rules of a
    figure are not stated, the run must have the rules of one of its candidates.
    """
    # Decks that somebody has chosen are not a sample of all deals.
    if run.generator == DECKS:
        return ()
    return tuple(each for each in _all() if each.game == run.game and each.comparable and _is_about(each, run))


def _is_about(figure: Figure, run: Run) -> bool:
    if figure.information not in (run.information, UNSTATED):
        return False
    if not figure.is_other_player and _plays(figure.game, figure.method) != _plays(run.game, run.method):
        return False
    wanted = figure.candidates if figure.variant == UNSTATED else (figure.variant,)
    # Compare the rules themselves, not their names.
    return any(dict(run.rules) == rules for rules in _rules(figure.game, wanted))


@cache
def _rules(game: str, variants: tuple[str, ...]) -> Sequence[Mapping[str, str]]:
    return [write_rules(un.game(game, each).rules) for each in variants or un.game(game).variants]


@cache
def _plays(game: str, method: str) -> tuple[str, ...]:
    """Return a key that is equal for methods that play alike: of a rule list, its reduced form."""
    if not method.startswith(POLICY):
        return (method,)
    strategy = find_strategy(game, method.removeprefix(POLICY))
    return (method,) if strategy.reduced is None else (strategy.reduced, strategy.dialect or "")


def sources_of(figures: Iterable[Figure]) -> list[tuple[Source, list[Figure]]]:
    """Return the figures grouped by source, in the order of the first figure of each."""
    found: dict[str, tuple[Source, list[Figure]]] = {}
    for figure in figures:
        found.setdefault(figure.source.name, (figure.source, []))[1].append(figure)
    return list(found.values())
