"""Every command, and every option of every command, is told of on a page."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.docs.pages import PAGES, read
from unshuffle.cli.app import COMMANDS
from unshuffle.cli.game_options import options_of

__all__ = ["run"]  # the fixture

OWN_PAGES = {
    "deal": ("winnable.md",),
    "simulate": ("simulate.md",),
    "tournament": ("simulate.md", "tournaments.md"),
    "advise": ("advise.md", "advise-gaps.md", "advise-spider.md"),
    "study": ("studies.md", "clusters.md", "statistics.md"),
    "episodes": ("envs/episodes.md",),
    "serve": ("web.md",),
    "check-game": ("howto/add-a-game.md",),
}
"""Where a command is told of beside docs/cli.md, if not on a page of its own name; games add their pages."""
_OPTION = re.compile(r"^  (?:-\w, )?(--[a-z][a-z-]*)", re.MULTILINE)


def pages_of(command: str) -> str:
    names = ["cli.md", *OWN_PAGES.get(command, (f"{command}.md",)), *(f"games/{game}.md" for game in un.games())]
    return "\n".join(read(name) for name in names if name in PAGES)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_told_of(run: Run, command: str) -> None:
    assert f"`{command}`" in read("cli.md")
    module = import_module(f"unshuffle.cli.{command.replace('-', '_')}")
    lines: list[tuple[str, ...]] = [(command, each) for each in getattr(module, "SUBCOMMANDS", {})]
    own = [(*line, game) for line in lines for game in un.games() if options_of(game, " ".join(line)) is not None]
    lines = [*lines, *own] or [(command,), *((command, game) for game in un.games() if game != "golf")]
    page = pages_of(command)
    for line in lines:
        ended = run(*line, "--help")
        options = set(_OPTION.findall(ended.out)) - {"--help"}
        assert ended.code == 0
        assert options or command == "games", line
        missing = {option for option in options if not re.search(rf"(?<![\w-]){option}(?![\w-])", page)}
        assert not missing, f"no page tells of {' '.join(sorted(missing))} of `unshuffle {' '.join(line)}`"
