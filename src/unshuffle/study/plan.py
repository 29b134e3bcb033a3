"""Plans of studies: fixed before the first deal, made from arguments, from a TOML file, or from the store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil, isinf, isnan
from pathlib import Path
from typing import Any

import unshuffle as un
from unshuffle.deals import GENERATORS, OURS, Source, check_range
from unshuffle.errors import ParseError, UsageError, quote, unknown
from unshuffle.game import AnyGame, Game
from unshuffle.rulebook import write_rules
from unshuffle.solve import Limits, check_threads, has_twin
from unshuffle.solve.limits import DEFAULT_MEMORY, parse_memory
from unshuffle.store import DECKS, LAST_STORED_SEED, RunSpec, Store
from unshuffle.store.opened import check_name

DEFAULT_NODES = 10_000_000
"""The default node limit of a deal.

It is not a time, as a time limit gives other counts on another machine. The engine takes some seconds for it. All deals
of Agnes Sorel that were decided within twice this limit were decided within it (docs/results/agnes.md).
"""

_FEWEST = 10
"""The fewest deals of a run in a share of a plan."""
_FEWEST_BY_PRECISION = 100
"""A plan of fewer deals is probably a mistake about the unit of --precision."""

_SAME = ("method", "information", "generator", "maximize", "replay", "keeps_moves", "infers")
"""The fields that a part of a plan and a stored run have in common."""

SOLVER = "solver"
POLICY = "policy:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One run of a plan: a game under fixed rules, played in one way, over some deals."""

    game: AnyGame
    method: str
    """'solver', or 'policy:' and its name."""
    information: str
    generator: str
    seeds: range
    limits: Limits | None
    """None for a policy: it plays every game to its end."""
    whole: range | None = None
    """The seeds of the whole plan, if `seeds` are a share of them."""
    maximize: bool = False
    replay: str = "sample"
    keeps_moves: bool = False
    infers: bool = False
    """Whether verdicts may be inferred from other runs of the study; False for a game without implications."""

    @property
    def policy(self) -> str | None:
        """The policy's text; None for the solver."""
        return self.method.removeprefix(POLICY) if self.method.startswith(POLICY) else None

    @property
    def engine(self) -> str:
        """The engine that plays it in this process: 'native' or 'python'."""
        if self.policy is not None:
            from unshuffle.simulate import policy_of

            return policy_of(self.game, self.policy).engine(self.game)
        return "native" if has_twin(self.game) else "python"

    def spec(self) -> RunSpec:
        """Return the run as the store keeps it."""
        limits = self.limits
        return RunSpec(
            game=self.game.id,
            variant=self.game.variant,
            rules=write_rules(self.game.rules),
            first_seed=self.seeds[0],
            last_seed=self.seeds[-1],
            nodes_limit=None if limits is None else limits.nodes,
            seconds_limit=None if limits is None else limits.seconds,
            memory_limit=None if limits is None else limits.memory,
            engine=self.engine,
            package_version=un.__version__,
            **{name: getattr(self, name) for name in _SAME},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A study: its name and its runs."""

    name: str
    parts: tuple[Part, ...]
    threads: int | None = None
    """Deals searched at once; None: all cores."""
    store: Path | None = None
    """The file of the store, if the plan names one."""

    def __post_init__(self) -> None:
        check_name(self.name)
        check_threads(self.threads)
        met: set[tuple[str, str]] = set()
        for part in self.parts:
            if (str(part.game), part.method) in met:
                raise UsageError(f"the plan has {part.game} by {part.method} twice")
            met.add((str(part.game), part.method))

    def part_of(self, share: str) -> Plan:
        """Return the plan with only the first deals of every run: this share of them, and at least ten."""
        wanted = parse_share(share, "share")
        if not 0 < wanted <= 1:
            raise UsageError(f"share: {share} is no part of a plan; expected more than 0% and at most 100%")
        return replace(self, parts=tuple(_take_share(part, wanted) for part in self.parts))


def _take_share(part: Part, share: float) -> Part:
    seeds = part.seeds[: max(_FEWEST, ceil(len(part.seeds) * share))]
    return part if seeds == part.seeds else replace(part, seeds=seeds, whole=part.seeds)


def make_parts(
    game: str | AnyGame,
    *,
    variant: str | Iterable[str] | None = None,
    rule: Mapping[str, object] | Iterable[str] | None = None,
    solver: bool = False,
    policy: str | Iterable[str] | None = None,
    seeds: str | range | None = None,
    precision: str | None = None,
    guess: str | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int | str | None = None,
    maximize: bool = False,
    generator: str = OURS,
    replay: str | None = None,
    moves: bool = False,
    infer: bool = True,
) -> tuple[Part, ...]:
    """Return a part for every combination of variant and method.

    `nodes` and `seconds`: None is the default (10,000,000 nodes per deal, no time limit), 0 is no limit.
    """
    games = _games(game, variant, rule)
    if generator not in GENERATORS:
        raise unknown("generator", generator, GENERATORS)
    numbers = _seeds(seeds, precision, guess, generator)
    for each in games:
        for number in (numbers[0], numbers[-1]):
            each.deal(Source(number, generator))  # raises UsageError for a seed that the generator does not have
    common: dict[str, Any] = {"generator": generator, "seeds": numbers}
    if solver == (policy is not None):
        raise UsageError("a study needs --solver or --policy: one of them")
    if solver:
        options = _solver_options(nodes, seconds, memory, maximize, replay, moves)
        return tuple(
            Part(
                game=each,
                method=SOLVER,
                information="open",
                infers=infer and has_implications(each),
                **common,
                **options,
            )
            for each in games
        )
    given = {"nodes": nodes, "seconds": seconds, "memory": memory, "maximize": maximize or None,
             "replay": replay, "moves": moves or None, "no-infer": None if infer else True}  # fmt: skip
    wrong = [f"--{name}" for name, value in given.items() if value is not None]
    if wrong:
        raise UsageError(f"{' and '.join(wrong)}: for --solver only; a policy plays every game to its end")
    from unshuffle.simulate import policy_of

    parts = []
    for each in games:
        for text in _policies(policy):
            found = policy_of(each, text)
            method = POLICY + found.name
            parts.append(Part(game=each, method=method, information=found.information, limits=None, **common))
    return tuple(parts)


def has_implications(game: AnyGame) -> bool:
    """Return whether the game defines which of its rules are stricter."""
    return type(game).is_stricter is not Game.is_stricter


def _solver_options(
    nodes: int | None,
    seconds: float | None,
    memory: int | str | None,
    maximize: bool,
    replay: str | None,
    moves: bool,
) -> dict[str, Any]:
    _check_replay(replay)
    if moves and replay == "sample":
        raise UsageError("moves that are kept are replayed, every one: --moves does not go with --replay sample")
    seconds = seconds or 0.0
    if isnan(seconds):
        raise UsageError("seconds: nan is not a time")
    if nodes is None:
        nodes = DEFAULT_NODES
    try:
        size = DEFAULT_MEMORY if memory is None else parse_memory(memory)
    except ParseError as error:
        raise UsageError(f"memory: {error}") from None
    return {
        "limits": Limits(nodes or None, None if seconds == 0 or isinf(seconds) else float(seconds), size),
        "maximize": maximize,
        "replay": "all" if moves else replay or "sample",
        "keeps_moves": moves,
    }


def _check_replay(replay: str | None) -> None:
    if replay not in (None, "all", "sample"):
        raise unknown("replay mode", str(replay), ("all", "sample"))


def _games(
    game: str | AnyGame, variant: str | Iterable[str] | None, rule: Mapping[str, object] | Iterable[str] | None
) -> list[AnyGame]:
    changes = [f"{name}={value}" for name, value in rule.items()] if isinstance(rule, Mapping) else list(rule or ())
    if isinstance(game, Game):
        if variant is not None or changes:
            raise UsageError("a game with its rules fixed takes no variant and no rules; give its id instead")
        return [game]
    found = un.game(game)
    if variant is None:
        slugs = [next(iter(found.variants))]
    else:
        texts = variant.split(",") if isinstance(variant, str) else variant
        slugs = [slug for text in texts for slug in (found.variants if text.strip() == "all" else [text.strip()])]
        if not slugs:
            raise UsageError("no variant is named")
    # Keep one game for each set of rules, even if it has several names.
    return list({(made := found.with_rules("+".join((slug, *changes)))).variant: made for slug in slugs}.values())


def _policies(policy: str | Iterable[str] | None) -> list[str]:
    texts = [policy] if isinstance(policy, str) else list(policy or ())
    # 'greedy,random' are two policies, 'rules:1,20,300' is one: the name of a policy begins with a letter.
    found = [part.strip() for text in texts for part in re.split(r",(?=\s*[A-Za-z])", text)]
    if not found:
        raise UsageError("no policy is named")
    return found


_RANGE = re.compile(r"\s*([0-9]{1,20})\s*\.\.\s*([0-9]{1,20})\s*")


def parse_seeds(seeds: str | range, name: str = "seeds") -> range:
    """Return the range of deals of 'A..B', both included; `name` is its name in error messages."""
    if isinstance(seeds, str):
        match = _RANGE.fullmatch(seeds)
        if match is None:
            raise UsageError(f"{name}: {quote(seeds)} is not a range of deals; expected A..B, such as 0..9999")
        seeds = range(int(match[1]), int(match[2]) + 1)
    if seeds.step != 1 or seeds.start < 0:
        raise UsageError(f"{name}: {seeds} is not a range of deals; expected consecutive numbers from 0 on")
    if seeds.stop <= seeds.start:
        raise UsageError(f"{name}: {seeds.start}..{seeds.stop - 1} is empty; the first deal comes before the last one")
    if seeds.stop - 1 > LAST_STORED_SEED:
        raise UsageError(f"{name}: a store has the seeds 0..2^63-1, not {seeds.stop - 1}")
    return check_range(seeds)


def _seeds(seeds: str | range | None, precision: str | None, guess: str | None, generator: str) -> range:
    if seeds is not None and precision is not None:
        raise UsageError("--seeds and --precision exclude each other: each says how many deals there are")
    if precision is None:
        if guess is not None:
            raise UsageError("--guess goes with --precision")
        if seeds is None:
            raise UsageError("which deals? Give --seeds A..B, or --precision P for as many as that takes")
        return parse_seeds(seeds)
    from unshuffle.study.statistics import planned_n

    wanted = parse_share(precision, "precision")
    n = planned_n(wanted, 0.5 if guess is None else parse_share(guess, "guess"))
    first = 1 if generator == "ms" else 0  # Microsoft's deals begin with 1
    if n < _FEWEST_BY_PRECISION:
        raise UsageError(
            f"precision: an interval of ±{100 * wanted:.6g} points takes {n:,} deal{'' if n == 1 else 's'}, which says"
            f" next to nothing; a plan by precision has {_FEWEST_BY_PRECISION} at least. Give a smaller one, such as"
            f" 1% (±1 point), or the deals themselves: --seeds {first}..{first + n - 1}"
        )
    return parse_seeds(range(first, first + n))


_SHARE = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE]-?[0-9]+)?)\s*(%|points?|)\s*")


def parse_share(text: str | float, what: str) -> float:
    """Return the share that a text such as '0.5%' or '0.5 points' means: 0.005.

    A number alone raises UsageError: 0.5 could be half of all deals or half a per cent.
    """
    written = text if isinstance(text, str) else f"{text:g}"
    match = _SHARE.fullmatch(written)
    if match is None:
        raise UsageError(f"{what}: {quote(written)} is not a share; expected text such as 0.5% or '0.5 points'")
    if not match[2]:
        raise UsageError(
            f"{what}: {quote(written)} has no percent sign; write it, as text:"
            f" {quote(match[1] + '%')} for {match[1]} deals of a hundred"
        )
    return float(match[1]) / 100


def stored_plan(store: Store, name: str, seeds: range | None = None) -> Plan:
    """Return the plan that is stored under this name, with its own seeds or with these."""
    runs = store.runs(name)
    if not runs:
        raise UsageError(f"the study {name!r} has no runs to go on with: what it has was imported")
    if any(run.generator == DECKS for run in runs):
        raise UsageError(
            f"the study {name!r} is played on stored decks; `unshuffle tournament --name {name} --decks ...` goes on"
        )
    otherwise = f"has other rules by now than when the study {name!r} was begun; give it another name"
    return Plan(name=name, parts=tuple(read_part(run, otherwise, seeds) for run in runs))


def read_part(run: RunSpec, otherwise: str, seeds: range | None = None) -> Part:
    """Return a run as a part, over its own seeds or these. UsageError says `otherwise` if the game has other rules."""
    game = un.game(run.game, run.variant)
    if write_rules(game.rules) != run.rules:
        raise UsageError(f"{game} {otherwise}")
    limits = None
    if run.memory_limit is not None:
        limits = Limits(run.nodes_limit, run.seconds_limit, run.memory_limit)
    return Part(
        game=game,
        seeds=range(run.first_seed, run.last_seed + 1) if seeds is None else seeds,
        limits=limits,
        **{name: getattr(run, name) for name in _SAME},
    )
