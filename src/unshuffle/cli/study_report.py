"""`unshuffle study report`: what came of a study, on the terminal or as a document."""

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
    exact: Annotated[bool, typer.Option("--exact", help="Clopper and Pearson's intervals beside Wilson's.")] = False,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:WON/N", help="Counts to compare with, such as paper:45/1000; may be given again."),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Show how often each score came.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the rates, or with --scores these, as PNG or SVG.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown instead; - is stdout.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as one HTML page with its plots; - is stdout.")
    ] = None,
    no_published: Annotated[
        bool, typer.Option("--no-published", help="Leave out the published figures of the same games.")
    ] = False,
) -> ExitCode:
    """Print what came of a study.

    Counts, rates with their intervals, nodes, how the runs compare on the deals that they share, and what others have
    published of the same games. Results that contradict each other (a deal won under stricter rules and lost under
    looser ones) end it with exit code 70.

    --markdown and --html write documents to show and to cite: with the scores, and with all that the numbers rest on,
    how to make them again, and a digest of them. HTML has the plots in it; Markdown shows those of --plot.
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
