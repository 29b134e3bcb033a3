"""`unshuffle study`: run, list, show, compare, export, delete; `import`, `published` and `report` are beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import JsonOption, LoadOption, load_files
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import StoreOption
from unshuffle.cli.run_line import RunLine, write_rate
from unshuffle.cli.study_import import import_study
from unshuffle.cli.study_plan import PlanArguments
from unshuffle.cli.study_published import list_published
from unshuffle.cli.study_report import NameArgument, report
from unshuffle.errors import UsageError
from unshuffle.solve import MOST_THREADS
from unshuffle.store import Run, Store, default_path
from unshuffle.study import StudyInterrupted, run_study
from unshuffle.study.conditions import write_information, write_limits
from unshuffle.study.remaking import loading
from unshuffle.terminal import in_shell

EXAMPLES = (
    "unshuffle study run lucie --game belle-lucie --solver --seeds 0..9999",
    "unshuffle study report lucie",
)


def study() -> None:
    """Measure how often a game can be won, over many deals.

    A study is a named set of runs over many deals. Results go into a store (an SQLite file) at once. After an
    interruption the same command continues the run; no deal is played twice.
    """


def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FILE.toml", help="The name of a new or stored study, or a plan file.")
    ],
    planned: PlanArguments,
    share: Annotated[
        str | None,
        typer.Option(metavar="P", help="Play only the first deals of every run, such as 1% of them, but at least 10."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The number of deals searched at once; with --dask, in one task.  [default: all cores; in a task 1]",
            min=1,
            max=MOST_THREADS,
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS|local[:N]",
            help="Run on a Dask cluster: tcp://HOST:8786, a scheduler file (.json), or N local processes (all cores).",
        ),
    ] = None,
    store: StoreOption = None,
    recheck: Annotated[
        int | None,
        typer.Option(metavar="N", help="Afterwards decide the first N deals again with the other engine.", min=1),
    ] = None,
    load: LoadOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Play the deals of a study, or those that are still missing.

    The plan comes from the options, from a TOML file with the same names, or from the store: NAME alone continues the
    stored plan, and NAME with --seeds extends it to more deals. A finished deal is never played again. A run with other
    limits under the same name is an error. No run stops early because of its results, and every report mentions deals
    that were added later.

    Exit codes: 0 all deals are stored, 2 wrong usage, 74 the store cannot be written (a full disk), 130 Ctrl-C (the
    played deals are stored), 70 engines or rules disagree, 69 the Dask cluster cannot be reached or does not fit.
    """
    load_files(load)
    plan = planned.plan(name, threads, store)
    if share is not None:
        plan = plan.part_of(share)
    if recheck is not None and any(part.policy is not None for part in plan.parts):
        raise UsageError("--recheck goes with --solver: a policy proves nothing that another engine could check")
    line = RunLine(dask)
    progress = line.show if line.is_seen or dask is not None else None
    try:
        runs = run_study(plan, store or plan.store, dask=dask, progress=progress)
    except StudyInterrupted as interrupted:
        line.clear()
        _tell_interrupted(interrupted, dask)
        return ExitCode.INTERRUPTED
    finally:
        line.clear()
    with Store.open(store or plan.store, create=False) as opened:
        if json:
            from unshuffle.study.report import print_report

            print_report(opened, plan.name, json=True, out=sys.stdout)
        else:
            page = show.Page(sys.stdout)
            for each in runs:
                page.line(_summary(opened, each))
        if recheck is not None:
            _recheck(opened, runs, recheck)
    return ExitCode.DONE


def _summary(store: Store, run: Run) -> str:
    """Return one line with the conditions and the results of a run."""
    counts = store.summary(run)
    planned = "" if counts.n == counts.planned else f" of {counts.planned:,} planned"
    found = f"{counts.won:,} won, {counts.lost:,} lost, {counts.undecided:,} undecided"
    if counts.inferred:
        found += f" (of these {counts.inferred:,} inferred)"
    rate = write_rate(counts.won, counts.lost, counts.undecided)
    method = run.method.replace(":", " ") + (" maximizing" if run.maximize else "")
    how = [f"{run.game}/{run.variant}", method, write_information(run), f"generator {run.generator}"]
    if run.is_solver:
        how.append(f"limits {write_limits(run)}")
    return f"{run.study}: {'; '.join(how)}: n = {counts.n:,}{planned}, {found}, {rate}"


def _tell_interrupted(interrupted: StudyInterrupted, dask: str | None) -> None:
    plan = interrupted.plan
    words = ["unshuffle", "study", "run", in_shell(plan.name)]
    if interrupted.path != default_path():
        words += ["--store", in_shell(str(interrupted.path))]
    if dask is not None:
        words += ["--dask", in_shell(dask)]
    with Store.open(interrupted.path, create=False) as store:
        runs = store.runs(plan.name)
        for run in runs:
            counts = store.summary(run)
            print(
                f"Interrupted. {counts.n:,} of {counts.planned:,} deals of {run.game}/{run.variant} by {run.method} are"
                f" stored in {str(interrupted.path)!r}",
                file=sys.stderr,
            )
    print(f"To go on: {' '.join(words)}{loading(runs)}", file=sys.stderr)


def _recheck(store: Store, runs: list[Run], count: int) -> None:
    from unshuffle.study.inference import check_implications
    from unshuffle.study.recheck import recheck_run

    for study in dict.fromkeys(run.study for run in runs):
        check_implications(store, study)
    for run in runs:
        print(recheck_run(store, run, count), file=sys.stderr)


def list_studies(store: StoreOption = None, json: JsonOption = False) -> ExitCode:
    """List the studies of a store with their progress."""
    from unshuffle.study.overview import print_list

    with Store.open(store, create=False) as opened:
        print_list(opened, json=json, out=sys.stdout)
    return ExitCode.DONE


def show_study(name: NameArgument, store: StoreOption = None, json: JsonOption = False) -> ExitCode:
    """Show the conditions of a study.

    For every run: rules, limits, deals, engine and versions, replayed lines, and the deals that are finished or claimed
    by a process.
    """
    from unshuffle.study.overview import print_show

    with Store.open(store, create=False) as opened:
        print_show(opened, name, json=json, out=sys.stdout)
    return ExitCode.DONE


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A study, or NAME:variant, or NAME:variant:method.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The study or run to compare A with.")],
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Also compare different games, or open information with hidden information."),
    ] = False,
    store: StoreOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Test whether two studies or runs differ.

    Runs on the same deals are compared deal by deal (McNemar), others by their counts (chi-square, Fisher). If every
    win under the rules of one is a win under the other's, one deal that only the looser rules win is a proof.
    """
    from unshuffle.study.compare_report import print_compare

    with Store.open(store, create=False) as opened:
        print_compare(opened, a, b, anyway=anyway, json=json, out=sys.stdout)
    return ExitCode.DONE


def export(
    name: NameArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; .csv, .json or .parquet sets the format.")
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="csv|json|parquet|peer",
            help="The format. peer: wins of Aces Up rule lists, as an SQLite file for another program.",
        ),
    ] = None,
    store: StoreOption = None,
) -> ExitCode:
    """Write every deal of a study into a CSV, JSON or Parquet file."""
    from unshuffle.study.export import PEER
    from unshuffle.study.export import export as write

    with Store.open(store, create=False) as opened:
        count = write(opened, name, file, form)
    what = show.plural(count, "win" if (form or "").lower() == PEER else "deal")
    print(f"{what} of the study {name!r} written into {str(file)!r}", file=sys.stderr)
    return ExitCode.DONE


def delete(
    name: NameArgument,
    store: StoreOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> ExitCode:
    """Delete a study with all its results."""
    with Store.open(store, create=False) as opened:
        runs = opened.runs(name)
        deals = sum(opened.summary(run).n for run in runs)
        what = (
            f"the study {name!r} with {show.plural(len(runs), 'run')} and the results of {show.plural(deals, 'deal')}"
        )
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError(f"delete {what}? Nobody is here to be asked; add --yes")
            if not typer.confirm(f"Delete {what}?"):
                print("Nothing was deleted", file=sys.stderr)
                return ExitCode.DONE
        opened.delete(name)
    print(f"Deleted {what}", file=sys.stderr)
    return ExitCode.DONE


SUBCOMMANDS = {
    "run": (
        run,
        (
            "unshuffle study run lucie --game belle-lucie --solver --seeds 0..9999",
            "unshuffle study run lucie --game belle-lucie --solver --precision 0.5%",
            "unshuffle study run lucie --seeds 0..99999",
            "unshuffle study run plan.toml --share 1% --threads 4",
        ),
    ),
    "list": (list_studies, ("unshuffle study list --store results.sqlite",)),
    "show": (show_study, ("unshuffle study show lucie",)),
    "report": (
        report,
        (
            "unshuffle study report lucie --scores",
            "unshuffle study report lucie --against paper:4510/100000 --json",
            "unshuffle study report lucie --html lucie.html --markdown lucie.md",
        ),
    ),
    "published": (list_published, ("unshuffle study published agnes", "unshuffle study published --json")),
    "compare": (
        compare,
        ("unshuffle study compare lucie other", "unshuffle study compare p:plain:greedy p:plain:random"),
    ),
    "export": (
        export,
        ("unshuffle study export lucie lucie.parquet", "unshuffle study export lists wins.sqlite --format peer"),
    ),
    "import": (
        import_study,
        ("unshuffle study import --game aces-up aces_up_db.sqlite --store results.sqlite",),
    ),
    "delete": (delete, ("unshuffle study delete lucie --yes",)),
}
"""Name to command and examples, in the order of the help page."""
