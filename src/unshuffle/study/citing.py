"""Citations of a study, with a digest by which two people can tell that they have the same numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from unshuffle.cards import format_cards
from unshuffle.store import DECKS, Run, Store
from unshuffle.study.conditions import name_run
from unshuffle.study.sections import Found
from unshuffle.study.tables import plural


def digest(store: Store, found: Sequence[Found]) -> str:
    """Return the SHA-256 of the counts: of one line of JSON per run, sorted, as docs/statistics.md specifies.

    It does not depend on the name of the study, the order of its runs, the machine, the time, or the speed.
    """
    lines = sorted(
        json.dumps(_counted(store, each), ensure_ascii=True, sort_keys=True, separators=(",", ":")) for each in found
    )
    return sha256("".join(f"{line}\n" for line in lines).encode("ascii")).hexdigest()


def _counted(store: Store, found: Found) -> dict[str, Any]:
    run, counts = found.run, found.summary
    return {
        **{name: getattr(run, name) for name in ("game", "variant", "method", "information", "generator", "maximize")},
        **{name: getattr(counts, name) for name in ("n", "won", "lost", "undecided")},
        "rules": dict(run.rules),
        "seeds": _seeds(store, run),
        "limits": [run.nodes_limit, run.seconds_limit, run.memory_limit],
        # Another version may search other positions, so that a limit stops other deals.
        "engines": sorted({(each.engine, each.package_version) for each in found.work}),
    }


def _seeds(store: Store, run: Run) -> list[list[int]] | str:
    """Return the finished seeds as ranges. For decks, hash the cards, as their numbers differ from store to store."""
    done = store.seeds_done(run)
    if run.generator != DECKS:
        return [list(seeds) for seeds in done]
    hashed = sha256()
    for first, last in done:
        for deck in store.decks(run.game, range(first, last + 1)):
            hashed.update(f"{format_cards(deck)}\n".encode())
    return hashed.hexdigest()


def citation(study: str, found: Sequence[Found], finished: str, digested: str) -> str:
    """Return a line to cite these numbers; `finished` says in words on which day the study was finished, if it is."""
    runs = [each.run for each in found]
    what = name_run(runs[0])
    if len(runs) > 1:
        games = ", ".join(dict.fromkeys(run.game for run in runs))
        what = f"{games}, {plural(len(runs), 'run')}"
    counts = sorted({each.summary.n for each in found})
    deals = f"{counts[0]:,} to {plural(counts[-1], 'deal')} each" if len(counts) > 1 else plural(counts[0], "deal")
    if len(counts) == 1 and len(runs) > 1:
        deals += " each"
    sources = dict.fromkeys(
        "stored decks"
        if run.generator == DECKS
        else f"generator {run.generator}, seeds {run.first_seed}..{run.last_seed}"
        for run in runs
    )
    versions = ", ".join(dict.fromkeys(work.package_version for each in found for work in each.work)) or "unknown"
    return (
        f'unshuffle {versions}, study "{study}": {what}, {deals} ({" and ".join(sources)}), {finished}.'
        f" SHA-256 {digested}."
    )
