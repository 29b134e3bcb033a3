"""The list of the studies of a store, and the full provenance of one."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from unshuffle.errors import in_a_line
from unshuffle.store import DECKS, Batch, Run, Store
from unshuffle.study.conditions import describe_batches, describe_run, name_run, provenance, write_inference
from unshuffle.study.history import History
from unshuffle.study.tables import Column, Page, plural, write_count, write_seconds, write_time

_MOST_RANGES = 12


def print_list(store: Store, *, json: bool = False, out: TextIO | None = None) -> None:
    """Print the studies of a store with their progress."""
    page = Page(out or sys.stdout)
    studies = list_studies(store)
    if json:
        for values in studies:
            page.json(values)
        return
    if not studies:
        page.line(f"No studies in {str(store.path)!r} yet.")
        return
    page.table(
        [Column("study", [in_a_line(each["name"]) for each in studies], is_words=True)],
        [
            Column("games", [", ".join(each["games"]) for each in studies], is_words=True),
            Column("runs", [f"{each['runs']:,}" for each in studies]),
            Column("deals", [f"{each['deals']:,}" for each in studies]),
            Column("planned", [f"{each['planned']:,}" for each in studies]),
            Column("state", [_state(each["deals"], each["planned"]) for each in studies], is_words=True),
            Column("begun (UTC)", [write_time(each["created"]) for each in studies], is_words=True),
        ],
    )


def list_studies(store: Store) -> list[dict[str, Any]]:
    """Return the studies of a store as `study list --json` prints them."""
    found = []
    for info in store.studies():
        runs = store.runs(info.name)
        games = [run.game for run in runs] + [batch.game for batch in store.batches(info.name)]
        planned = sum(store.summary(run).planned if run.generator == DECKS else run.planned for run in runs)
        found.append(
            {
                "name": info.name,
                "created": info.created,
                "games": list(dict.fromkeys(games)),
                "runs": info.runs,
                "deals": info.deals,
                "planned": planned,
            }
        )
    return found


def _state(done: int, planned: int) -> str:
    # Rounded down, so that an unfinished study never has 100 %.
    return "finished" if done >= planned else f"{100 * done // planned} %"


def print_show(store: Store, study: str, *, json: bool = False, out: TextIO | None = None) -> None:
    """Print the full provenance of every run of a study."""
    page = Page(out or sys.stdout)
    runs = store.runs(study)
    for number, run in enumerate(runs):
        values = provenance(store, run)
        if json:
            page.json(values)
            continue
        if number:
            page.line()
        page.line(f"{study}: {name_run(run)}", bold=True)
        page.fields(_words(store, run, values))
    described = describe_batches(store, study)
    for number, (batch, values) in enumerate(zip(store.batches(study), described, strict=True)):
        if json:
            page.json(values)
            continue
        if number or len(runs):
            page.line()
        page.line(f"{study}: batch {batch.id}, {batch.game}/{batch.variant}", bold=True)
        page.fields(describe_batch(batch, values))


def describe_batch(batch: Batch, values: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a tournament or an import, name to words; `values` are those of `describe_batches`."""
    lists = sum(each["lists"] for each in values["entered"])
    played = len({each["policy"] for each in values["entered"]})
    state = {"begun": "still running, or killed"}.get(batch.state, batch.state)
    words = {
        "asked for": " ".join(f"{name}={value}" for name, value in batch.settings.items()),
        "lists": f"{lists:,} entered, {played:,} after reduction",
        "state": state if batch.ended is None else f"{state}, {write_time(batch.ended)} UTC",
        "wins": f"{write_count(batch.wins)} of {write_count(batch.games)} games",
        "begun with": f"{batch.engine}, unshuffle {batch.package_version}, {write_time(batch.created)} UTC",
    }
    if batch.wins_only:
        words["wins"] = f"{write_count(batch.wins)}; the games that were lost are not known, so these are in no rate"
        words["imported"] = f"from {batch.source!r}"
    return words


def _words(store: Store, run: Run, values: dict[str, Any]) -> dict[str, str]:
    words = describe_run(run, store.summary(run), store.work(run))
    done = values["seeds_done"]
    ranges = [f"{first}..{last}" for first, last in done[:_MOST_RANGES]]
    if len(done) > _MOST_RANGES:
        ranges.append(f"and {plural(len(done) - _MOST_RANGES, 'more range')} (all of them: --json)")
    words |= {
        "moves": "kept" if run.keeps_moves else "not kept",
        **({"inference": write_inference(run)} if run.infers else {}),
        "seeds done": ", ".join(ranges) or "none yet",
        "chunks": f"{values['chunks']:,} finished",
        "planned": History.read(store, run).words,
        "planned with": f"{run.engine}, unshuffle {run.package_version}, {write_time(run.created)} UTC",
    }
    for each in values["work"]:
        name = f"{each['engine']}, unshuffle {each['package_version']}"
        span = f"{write_time(each['first_finished'])} to {write_time(each['last_finished'])} UTC"
        lines = plural(each["replayed"], "line")
        words["work" if len(values["work"]) == 1 else f"by {name}"] = (
            f"{plural(each['deals'], 'deal')} in {plural(each['chunks'], 'chunk')}, {lines} replayed,"
            f" {write_seconds(each['seconds'])} of playing; stored {span}"
        )
    words["time used"] = f"{write_seconds(values['seconds'])}, added up over the deals"
    if values["claimed"]:
        words["at work"] = f"{len(store.claimed(run))} at once, on {plural(values['claimed'], 'deal')}"
    return words
