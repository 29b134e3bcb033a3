"""`unshuffle serve`."""

from __future__ import annotations

import math
import sys
from typing import Annotated

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import LoadOption, SavesOption, load_files
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import StoreOption
from unshuffle.errors import ParseError, UsageError
from unshuffle.solve import cores
from unshuffle.solve.limits import parse_memory

EXAMPLES = ("unshuffle serve", "unshuffle serve --port 9000 --no-browser")


def serve(
    port: Annotated[
        int | None,
        typer.Option(metavar="N", help="The port.  [default: the first free one from 8650 on]", min=0, max=65535),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, or only print its address.")
    ] = True,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="The address; with any but a local one, other machines can connect."),
    ] = "127.0.0.1",
    saves: SavesOption = None,
    store: StoreOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Searches that run at once.  [default: one per core]", min=1, max=64),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", help="The highest time limit of a hint, a solve, a review or the coach.", min=0.1),
    ] = 600.0,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of all searches together.")] = "1GiB",
    load: LoadOption = None,
) -> ExitCode:
    """Serve the web page: play, get advice and run studies.

    The server answers only this machine, and needs no network. Games are saved from the first move on, in the folder of
    `unshuffle play`. Studies are read from the store. Ctrl-C ends the server; all games are saved by then.

    Exit codes: 0 ended, 2 wrong usage or a port that is in use, 130 Ctrl-C.
    """
    load_files(load)
    try:
        import fastapi  # noqa: F401 # only to name the missing module
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(f"the page needs {error.name}; pip install 'unshuffle[web]' brings it") from None
    from unshuffle.advise.folder import default_folder
    from unshuffle.store import default_path
    from unshuffle.web.serving import bind
    from unshuffle.web.serving import serve as run
    from unshuffle.web.settings import Settings

    if not math.isfinite(seconds):
        raise UsageError(f"--seconds: {seconds} is not a time")
    settings = Settings(
        host=host,
        saves=(saves or default_folder()).absolute(),
        store=(store or default_path()).absolute(),
        jobs=jobs or cores(),
        seconds=seconds,
        memory=_memory(memory),
    )
    page = show.Page(sys.stdout)
    run(settings, bind(host, port), opens_browser=browser, say=page.line)
    return ExitCode.DONE


def _memory(text: str) -> int:
    try:
        memory = parse_memory(text)
    except ParseError as error:
        raise UsageError(f"--memory: {error}") from None
    if not memory:
        raise UsageError("--memory: 0 is not an amount of memory")
    return memory
