"""`unshuffle study`: run, list, show, compare, export, delete; `import`, `published` and `report` are beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import (
    GeneratorOption,
    JsonOption,
    LoadOption,
    complete_games,
    load_files,
)
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import StoreOption
from unshuffle.cli.run_line import RunLine, write_rate
from unshuffle.cli.study_import import import_study
from unshuffle.cli.study_published import list_published
from unshuffle.cli.study_report import NameArgument, report
from unshuffle.errors import UsageError
from unshuffle.solve import MOST_THREADS
from unshuffle.store import Run, Store, default_path
from unshuffle.study import Plan, StudyInterrupted, make_parts, read_plan, run_study, stored_plan
from unshuffle.study.conditions import write_information, write_limits
from unshuffle.study.plan import parse_seeds
from unshuffle.study.remaking import loading
from unshuffle.terminal import in_shell

EXAMPLES = (
    "unshuffle study run lucie --game belle-lucie --solver --seeds 0..9999",
    "unshuffle study report lucie",
)


def study() -> None:
    """Measure how often a game can be won, over many deals.

    A study is a name for runs over many deals. Its results are kept in a store, a SQLite file, as they come: whatever
    ends a run, the same command goes on from there, and no deal is played twice.
    """


def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FILE.toml", help="The study: a new name, one that goes on, or a plan file.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME", help="The game. Without it the stored study goes on.", autocompletion=complete_games
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="V[,V2]|all", help="Variants of the game; the first one if you say nothing.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Change one rule; may be given again.")
    ] = None,
    solver: Annotated[
        bool, typer.Option("--solver", help="Decide every deal with all cards known (open information).")
    ] = False,
    policy: Annotated[
        list[str] | None, typer.Option(metavar="P[,P2]", help="Let policies play, with what a player sees.")
    ] = None,
    seeds: Annotated[str | None, typer.Option(metavar="A..B", help="All deals from A to B, both included.")] = None,
    precision: Annotated[
        str | None,
        typer.Option(metavar="P", help="As many deals as this half-width of the interval takes, such as 0.5%."),
    ] = None,
    guess: Annotated[
        str | None,
        typer.Option(metavar="G", help="The rate for which --precision plans, such as 4.5%.  [default: 50%]"),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Positions that may be looked at in a deal; 0: no limit.  [default: 10,000,000]", min=0
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Time for one deal: counts that no other machine reproduces.  [default: no limit]", min=0
        ),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory for one deal, such as 512MB.  [default: 1GiB]")
    ] = None,
    maximize: Annotated[
        bool, typer.Option("--maximize", help="Prove the best score too, where deciding alone is cheaper.")
    ] = False,
    generator: GeneratorOption = None,
    replay: Annotated[
        str | None,
        typer.Option(
            metavar="all|sample",
            help="Lines that the rules replay: all, or the first 1,000 wins and 1 % of the rest.  [default: sample]",
        ),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Keep the moves too; every line is replayed.")] = False,
    no_infer: Annotated[
        bool,
        typer.Option("--no-infer", help="Search every deal; take no verdict from other variants in the same study."),
    ] = False,
    share: Annotated[
        str | None,
        typer.Option(metavar="P", help="Only the first deals of every run, such as 1% of them, and 10 at the least."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deals searched at once; with --dask, in one task.  [default: all cores; in a task 1]",
            min=1,
            max=MOST_THREADS,
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS|local[:N]",
            help="Let a Dask cluster play: tcp://HOST:8786, a scheduler file (.json), or N processes here (all cores).",
        ),
    ] = None,
    store: StoreOption = None,
    recheck: Annotated[
        int | None,
        typer.Option(metavar="N", help="Afterwards decide the first N deals again on the other engine.", min=1),
    ] = None,
    load: LoadOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Play the deals of a study, or those that are still missing.

    The plan comes from the options, from a TOML file with the same names, or from the store: NAME alone goes on with
    what is planned there, NAME and --seeds over more deals. Running again never plays a finished deal twice; other
    limits under the same name are refused. Nothing stops by looking at the results; deals that are added later are
    told in every report.

    Exit codes: 0 all deals are stored, 2 wrong usage, 74 the store cannot be written (a full disk), 130 Ctrl-C (the
    played deals are stored), 70 engines or rules disagree, 69 the cluster of --dask is not there or does not fit.
    """
    load_files(load)
    given: dict[str, Any] = {
        "game": game, "variant": variant, "rule": rule, "solver": solver or None, "policy": policy, "guess": guess,
        "nodes": nodes, "seconds": seconds, "memory": memory, "maximize": maximize or None, "generator": generator,
        "replay": replay, "moves": moves or None, "precision": precision,
        "seeds": seeds if seeds is None else parse_seeds(seeds, "--seeds"),
        "infer": False if no_infer else None,
    }  # fmt: skip
    given = {option: value for option, value in given.items() if value is not None}
    plan = _plan(name, given, threads, store)
    if share is not None:
        plan = plan.part_of(share)
    if recheck is not None and any(part.policy is not None for part in plan.parts):
        raise UsageError(
            "--recheck goes with --solver: a policy decides nothing that another engine could decide again"
        )
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


def _plan(name: str, given: dict[str, Any], threads: int | None, store: Path | None) -> Plan:
    if name.endswith(".toml"):
        if given:
            raise UsageError(
                f"{_options(given)}: the plan file says that; the command line adds --share, --threads and --store"
            )
        plan = read_plan(Path(name))
        return Plan(name=plan.name, parts=plan.parts, threads=threads or plan.threads, store=store or plan.store)
    if "game" in given:
        return Plan(name=name, parts=make_parts(**given), threads=threads)
    path = store or default_path()
    wrong = given.keys() - {"seeds"}
    if wrong or not path.exists():
        raise UsageError(
            f"which game? A new study needs --game ({_options(dict.fromkeys(sorted(wrong))) or 'there is no store'}"
            f"{' alone says nothing about a stored one' if wrong else f' {str(path)!r} to go on with'})"
        )
    with Store.open(path, create=False) as opened:
        stored = stored_plan(opened, name, given.get("seeds"))
    return Plan(name=name, parts=stored.parts, threads=threads)


def _options(given: dict[str, Any]) -> str:
    return ", ".join("--no-infer" if option == "infer" else f"--{option}" for option in given)


def _summary(store: Store, run: Run) -> str:
    """One line that says all: what was measured, how, and what came of it."""
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
    """List the studies of a store, and how far each has come."""
    from unshuffle.study.overview import print_list

    with Store.open(store, create=False) as opened:
        print_list(opened, json=json, out=sys.stdout)
    return ExitCode.DONE


def show_study(name: NameArgument, store: StoreOption = None, json: JsonOption = False) -> ExitCode:
    """Show how a study was made.

    For every run: rules, limits, deals, engine and versions, replayed lines, what is done and what is claimed.
    """
    from unshuffle.study.overview import print_show

    with Store.open(store, create=False) as opened:
        print_show(opened, name, json=json, out=sys.stdout)
    return ExitCode.DONE


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A study, or NAME:variant, or NAME:variant:method.")],
    b: Annotated[str, typer.Argument(metavar="B", help="What to compare it with.")],
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare two games too, or a solver that knows all cards with a player.")
    ] = False,
    store: StoreOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Say whether two studies or runs differ.

    Deal by deal where they share their deals (McNemar), else by their counts (chi-square, Fisher). Where the rules of
    one imply those of the other, one deal that only the looser one wins proves that they differ.
    """
    from unshuffle.study.compare_report import print_compare

    with Store.open(store, create=False) as opened:
        print_compare(opened, a, b, anyway=anyway, json=json, out=sys.stdout)
    return ExitCode.DONE


def export(
    name: NameArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; .csv, .json or .parquet tells the format.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="csv|json|parquet|peer",
            help="The format; peer: wins of rule lists of Aces Up, as the SQLite file of another program.",
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
