"""`unshuffle study report`: the results of a study, on the terminal or as a document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unshuffle.cli.arguments import JsonOption
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import StoreOption
from unshuffle.errors import UsageError
from unshuffle.store import Store

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The study, as `unshuffle study list` shows it.")]


def report(
    name: NameArgument,
    store: StoreOption = None,
    json: JsonOption = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Also print Clopper-Pearson intervals beside Wilson's.")
    ] = False,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:WON/N", help="Counts to compare with, such as paper:45/1000; repeatable."),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Also print the distribution of the scores.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the rates, or with --scores the scores, as PNG or SVG.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown instead; - is stdout.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page with plots; - is stdout.")
    ] = None,
    no_published: Annotated[
        bool, typer.Option("--no-published", help="Leave out the published figures of the same games.")
    ] = False,
) -> ExitCode:
    """Print the results of a study.

    Counts, rates with intervals, nodes, comparisons of the runs on the deals that they share, and published win rates
    of the same games. If results contradict each other (a deal won under stricter rules and lost under looser ones),
    the exit code is 70.

    --markdown and --html write documents to publish and to cite: with the scores, all conditions, the commands that
    reproduce the results, and a digest of them. HTML contains the plots; Markdown links to those of --plot.
    """
    if markdown is None and html is None:
        from unshuffle.study.report import print_report

        with Store.open(store, create=False) as opened:
            print_report(
                opened, name, json=json, exact=exact, against=against or (), scores=scores, plot=plot,
                published=not no_published, out=sys.stdout,
            )  # fmt: skip
        return ExitCode.DONE
    if json:
        raise UsageError("--json prints objects, --markdown and --html write documents: ask for one or the other")
    from unshuffle.study.document import save_documents

    with Store.open(store, create=False) as opened:
        written = save_documents(
            opened, name, markdown=markdown, html=html, exact=exact, against=against or (), scores=scores, plot=plot,
            published=not no_published,
        )  # fmt: skip
    if written:
        print(
            f"The report of the study {name!r} was written into {', '.join(map(repr, map(str, written)))}",
            file=sys.stderr,
        )
    return ExitCode.DONE
