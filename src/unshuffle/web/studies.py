"""Studies of the store: results, charts and runs; and the search for winnable deals."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import Any

from unshuffle.deals import draw_seed
from unshuffle.errors import UsageError, quote
from unshuffle.rulebook import write_value
from unshuffle.store import Store
from unshuffle.study import Plan, Standing, make_parts, run_study, stored_plan
from unshuffle.study.conditions import describe_batches, provenance, write_imported
from unshuffle.study.document import draw_figures, notes_on, write_html
from unshuffle.study.overview import list_studies
from unshuffle.study.plan import parse_seeds
from unshuffle.study.report import report_rows
from unshuffle.study.stylesheet import BY_DAY, BY_NIGHT, PICTURES, STYLESHEET
from unshuffle.web import job_shapes, shapes
from unshuffle.web.asking import chosen_game
from unshuffle.web.jobs import Job, Work
from unshuffle.web.settings import Settings
from unshuffle.web.trouble import NotThereError
from unshuffle.winnable import Tally, find

_WINNABLE_NODES = 300_000
_WINNABLE_SECONDS = 10.0
"""Limits of each deal in the search for a winnable one: small, since a player waits."""

# The report contains its stylesheet; the policy allows nothing else.
_DIGEST = b64encode(sha256(f"\n{STYLESHEET}".encode()).digest()).decode()
REPORT_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
CHARTS_STYLE = f""".charts {{
{BY_DAY}}}
@media (prefers-color-scheme: dark) {{
  .charts {{
{BY_NIGHT}  }}
}}
.charts {{
{PICTURES}}}
"""
"""The style of charts on the page: the rules of the report, limited to `.charts`."""


class Studies:
    """The studies of one store, which need not exist yet."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @contextmanager
    def _opened(self, name: str) -> Iterator[Store]:
        """Yield the open store. Raise NotThereError if it does not have this study."""
        if self._settings.store.exists():
            with Store.open(self._settings.store, create=False) as store:
                try:
                    store.runs(name)
                except UsageError as error:
                    raise NotThereError(str(error)) from None
                yield store
                return
        raise NotThereError(f"there is no study {quote(name)}: there is no store yet")

    def listed(self) -> list[job_shapes.ListedStudy]:
        """Return the studies with their progress."""
        if not self._settings.store.exists():
            return []
        found = []
        with Store.open(self._settings.store, create=False) as store:
            for each in list_studies(store):
                finished = [work.last_finished for run in store.runs(each["name"]) for work in store.work(run)]
                found.append(
                    job_shapes.ListedStudy(
                        name=each["name"],
                        game=", ".join(each["games"]),
                        runs=each["runs"],
                        deals=each["deals"],
                        planned=each["planned"],
                        updated=max(finished, default=each["created"]),
                    )
                )
        return found

    def look(self, name: str) -> job_shapes.Study:
        """Return the rates of a study with their intervals, its charts and its provenance."""
        with self._opened(name) as store:
            return job_shapes.Study(
                name=name,
                rows=report_rows(store, name),
                notes=notes_on(store, name),
                charts=[
                    job_shapes.Chart(title=title, svg=drawn, caption=caption)
                    for title, drawn, caption in draw_figures(store, name)
                ],
                provenance={
                    "runs": [provenance(store, run) for run in store.runs(name)],
                    "batches": describe_batches(store, name),
                    "imported": write_imported(store, name),
                },
            )

    def report(self, name: str) -> str:
        """Return the whole report as one HTML page."""
        with self._opened(name) as store:
            return write_html(store, name)

    # Jobs.

    def run(self, asked: job_shapes.StudyAsked) -> Work:
        """Return a job that plays the missing deals of a study."""
        plan = self._plan(asked)

        def work(job: Job) -> shapes.Json:
            def tell(now: Standing) -> None:
                job.tell(
                    {
                        "run": f"{now.run.game}/{now.run.variant} {now.run.method}",
                        "done": now.done,
                        "wanted": now.wanted,
                        "won": now.won,
                        "lost": now.lost,
                        "undecided": now.undecided,
                        "seconds": round(now.seconds, 3),
                    }
                )

            run_study(plan, self._settings.store, progress=tell, cancel=job.cancel)
            return {"name": plan.name}

        return work

    def _plan(self, asked: job_shapes.StudyAsked) -> Plan:
        if asked.game is None:
            if asked.variant or asked.rules or asked.solver or asked.policy:
                raise UsageError("which game? Without one the stored study goes on, by its own rules")
            with self._opened(asked.name) as store:
                seeds = None if asked.seeds is None else parse_seeds(asked.seeds)
                parts = stored_plan(store, asked.name, seeds).parts
            return Plan(name=asked.name, parts=parts, threads=1)
        limits: dict[str, Any] = {}
        if asked.solver:
            # No time limit: its results would depend on the machine.
            limits = {"memory": self._settings.memory_of_job}
        parts = make_parts(
            asked.game,
            variant=asked.variant,
            rule=[f"{name}={write_value(value)}" for name, value in asked.rules.items()] or None,
            solver=asked.solver,
            policy=asked.policy,
            seeds=asked.seeds,
            **limits,
        )
        return Plan(name=asked.name, parts=parts, threads=1)

    def winnable(self, asked: job_shapes.WinnableAsked) -> Work:
        """Return a job that finds a deal that is proved winnable, of any difficulty or of one."""
        game = chosen_game(asked.game, asked.variant, asked.rules)
        # Raises UsageError for wrong arguments. The search itself starts with the first iteration.
        find(game, asked.difficulty, threads=1)

        def work(job: Job) -> shapes.Json | None:
            def tell(tally: Tally) -> None:
                job.tell({"looked_at": tally.looked_at, "lost": tally.lost, "undecided": tally.undecided})

            search = find(
                game,
                asked.difficulty,
                start=draw_seed(),
                nodes=_WINNABLE_NODES,
                seconds=min(_WINNABLE_SECONDS, self._settings.seconds),
                memory=self._settings.memory_of_job,
                threads=1,
                progress=tell,
                cancel=job.cancel,
            )
            with closing(iter(search)) as found:
                deal = next(found, None)
            if deal is None and not job.cancel.is_set():
                raise UsageError("there was no such deal")
            if deal is None:
                return None
            share = deal.value if deal.is_measured else None
            return {"deal": deal.deal, "difficulty": deal.difficulty, "share": share}

        return work
