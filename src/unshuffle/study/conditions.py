"""The conditions of a run in words: rules, information, deals, limits, engine, replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import unshuffle as un
from unshuffle.cards import format_cards
from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION
from unshuffle.store import Run, RunSpec, Store, Summary
from unshuffle.store.results import Work
from unshuffle.store.strategies import POLICY
from unshuffle.study import plots
from unshuffle.study.tables import plural

_REPLAY = {"all": "all lines", "sample": "a sample (the first 1,000 wins, 1 % of the rest)"}
_UNITS = ((1 << 30, "GiB"), (10**9, "GB"), (1 << 20, "MiB"), (10**6, "MB"), (1, "bytes"))


def name_run(run: RunSpec) -> str:
    """Return the full name of a run: 'belle-lucie/one-deal policy:greedy'."""
    return f"{run.game}/{run.variant} {run.method}"


def short_names(runs: Sequence[Run]) -> list[str]:
    """Return names that consist of what differs among the runs; for a single run its full name."""
    if len(runs) == 1:
        return [name_run(runs[0])]
    has = {field: len({getattr(run, field) for run in runs}) > 1 for field in ("study", "game", "variant", "method")}
    return [_short_name(run, has) for run in runs]


def _short_name(run: Run, has: dict[str, bool]) -> str:
    # A variant needs its game, unless all runs have the same game, which stands above the table.
    place = f"{run.game}/{run.variant}" if has["game"] else run.variant if has["variant"] else ""
    parts = [f"{run.study}:" if has["study"] else "", place, run.method if has["method"] else ""]
    return " ".join(part for part in parts if part) or name_run(run)


def write_limits(run: RunSpec) -> str:
    """Return the limits of one deal: '100,000 nodes, 60 s, 1 GiB'."""
    limits = []
    if run.nodes_limit is not None:
        limits.append(plural(run.nodes_limit, "node"))
    if run.seconds_limit is not None:
        limits.append(f"{run.seconds_limit:g} s")
    if run.memory_limit is not None:
        size = run.memory_limit
        limits.append(next(f"{size // unit:,} {name}" for unit, name in _UNITS if size % unit == 0))
    return ", ".join(limits) or "none"


def is_by_clock(run: RunSpec) -> bool:
    """Return whether a clock limits the solver or the policy, so that another machine may get other results."""
    if not run.method.startswith(POLICY):
        return run.seconds_limit is not None
    from unshuffle.simulate import policy_of

    try:
        return policy_of(un.game(run.game, run.variant), run.method.removeprefix(POLICY)).uses_clock
    except UsageError:  # a game or a policy from `--load` that is not loaded
        return False


def is_about_phases(run: RunSpec) -> bool:
    """Return whether the verdicts of a run are about the first phase of each deal: its solver leaves redeals out."""
    if run.method.startswith(POLICY):
        return False
    try:
        game = un.game(run.game, run.variant)
        return game.leaves_redeals_out(game.deal(0))
    except UsageError:  # a game from `--load` that is not loaded
        return False


def write_information(run: RunSpec) -> str:
    """Return what was known: 'open: all cards known', with ', but no redeal' if the solver leaves redeals out."""
    return INFORMATION[run.information] + (", but no redeal" if is_about_phases(run) else "")


def explain_phases(runs: Sequence[RunSpec]) -> str:
    """Return a sentence that names the runs whose verdicts are about first phases; '' if there are none."""
    names = list(dict.fromkeys(f"{run.game}/{run.variant}" for run in runs if is_about_phases(run)))
    if not names:
        return ""
    told = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return (
        f"Won and lost of {told} are said of the first phase of each deal: the solver leaves the redeals out, and a"
        " deal whose first phase is lost may be won by a redeal."
    )


def write_rules(run: RunSpec) -> str:
    """Return all rules: 'fan_size=3 redeals=0'."""
    return " ".join(f"{name}={value}" for name, value in run.rules.items()) or "none to choose"


def describe_run(run: Run, summary: Summary, work: Sequence[Work]) -> dict[str, str]:
    """Return the conditions of a run, name to words, in the order in which they are printed."""
    engines = {f"{each.engine}, unshuffle {each.package_version}": each.deals for each in work}
    if len(engines) > 1:
        engine = "; ".join(f"{name} ({plural(deals, 'deal')})" for name, deals in engines.items())
    else:
        engine = next(iter(engines), f"{run.engine}, unshuffle {run.package_version}")
    values = {
        "game": f"{run.game}/{run.variant}",
        "rules": write_rules(run),
        "method": run.method + (", proving best scores too" if run.maximize else ""),
        "information": write_information(run),
        "deals": f"generator {run.generator}, seeds {run.first_seed}..{run.last_seed}",
        "limits": _write_limits(run),
        "engine": engine,
        "replay": f"{_REPLAY[run.replay]}: {plural(summary.replayed, 'line')} replayed by the Python rules",
        "finished": f"{summary.n:,} of {plural(summary.planned, 'deal')}",
    }
    if summary.inferred:
        values["finished"] += f", of these {summary.inferred:,} inferred"
    if summary.n < summary.planned:
        values["finished"] += ", UNFINISHED"
    return values


def _write_limits(run: Run) -> str:
    words = f"{write_limits(run)} a deal" if run.is_solver else "none (a policy)"
    return f"{words}; NOT REPRODUCIBLE: a clock limits the search of each deal" if is_by_clock(run) else words


def write_inference(run: RunSpec) -> str:
    """Return which verdicts may be inferred from other runs of the study, in words."""
    if not run.infers:
        return "none: every deal is searched"
    wins = "wins of stricter games"
    return f"{wins}, from this study" if run.maximize else f"{wins} and losses of looser ones, from this study"


def source_of(run: RunSpec) -> plots.Source:
    """Return the conditions in the form that pictures need."""
    return plots.Source(run.game, run.variant, run.information, run.generator, write_limits(run))


def provenance(store: Store, run: Run) -> dict[str, Any]:
    """Return the provenance of a run as JSON values: its columns in the store, the finished work, engines and times."""
    summary = store.summary(run)
    columns = asdict(run)
    columns["rules"] = dict(run.rules)
    work = store.work(run)
    return {
        "study": columns.pop("study"),
        "run": columns.pop("id"),
        **columns,
        "planned": summary.planned,
        "plans": [asdict(each) for each in store.plans(run)],
        "by_clock": is_by_clock(run),
        "finished": summary.n,
        "seeds_done": [list(seeds) for seeds in store.seeds_done(run)],
        "chunks": sum(each.chunks for each in work),
        "claimed": sum(store.claimed(run).values()),
        "inferred": summary.inferred,
        "replayed": summary.replayed,
        "seconds": summary.seconds,
        "work": [asdict(each) for each in work],
        **({} if run.is_solver else {"strategy": asdict(store.strategy(run)), "rule_counts": store.rule_counts(run)}),
    }


def describe_batches(store: Store, study: str) -> list[dict[str, Any]]:
    """Return the tournaments and imports of a study as JSON values: all columns, entered lists, imported wins."""
    found = []
    for batch in store.batches(study):
        values = asdict(batch)
        values["settings"] = dict(batch.settings)
        entered = [
            {"entered": entry.entered, "lists": entry.lists, **asdict(strategy)}
            for entry, strategy in store.entries(batch)
        ]
        found.append({"batch": values.pop("id"), **values, "entered": entered})
        if batch.wins_only:
            found[-1]["imported"] = [
                {
                    "solution": win.number,
                    "deck": deck,
                    "cards": format_cards(win.deck),
                    **asdict(win.strategy),
                    "score": win.score,
                    "tableau_moves": win.tableau_moves,
                    "agrees": win.agrees,
                    "moves": win.moves,
                }
                for deck, win in store.imported_wins(batch)
            ]
    return found


def write_imported(store: Store, study: str) -> str | None:
    """Return a sentence about what the study has from another program; None if nothing."""
    imported = [batch for batch in store.batches(study) if batch.wins_only]
    if not imported:
        return None
    wins = sum(batch.wins or 0 for batch in imported)
    sources = ", ".join(dict.fromkeys(repr(batch.source) for batch in imported))
    return (
        f"Imported from {sources}: {plural(wins, 'win')}. Wins only: the games that were lost there are not known, so"
        " these are in no rate and no comparison."
    )
