"""The table of commands. A command's module is imported only when that command runs, to keep the start quick."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from copy import copy
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import unshuffle as un
from unshuffle.cli.arguments import LoadOption, load_files
from unshuffle.cli.game_options import expand, game_on_line, options_of, owners
from unshuffle.errors import UsageError, in_a_line, quote, unknown

COMMANDS = {
    "games": "List the games, their variants and their rules.",
    "deal": "Deal cards and print the layout.",
    "solve": "Decide whether a deal can be won, and show how.",
    "verify": "Replay moves and say whether they win the deal.",
    "review": "Look back on a played game, and find the move that lost it.",
    "advise": "Advise on the next moves by what the player can see.",
    "play": "Play a game in the terminal, with hints and a coach.",
    "serve": "Serve the web page: play, get advice and run studies.",
    "simulate": "Let a policy play many deals, and report how often it wins.",
    "tournament": "Let several policies play the same deals, and compare them.",
    "episodes": "Write the games of a policy or the solver as training data.",
    "values": "Build and look up value tables for advice and policies.",
    "study": "Measure how often a game can be won, over many deals.",
    "check-game": "Check a game of your own against the laws of all games.",
}
"""Name and first line of each command: what `unshuffle --help` shows without importing any of them."""

# Some releases of typer bundle their own copy of click. This is the exception class that typer raises in either case.
_ClickException: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")

_LONGEST_MESSAGE = 1_000

_PLAIN: dict[str, Any] = {"rich_markup_mode": None, "pretty_exceptions_enable": False}


class _Nearest(TyperGroup):
    """A group that suggests the nearest command for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command. Raise UsageError with the nearest name for an unknown one."""
        known = self.list_commands(ctx)
        if args[0] not in known and not ctx.resilient_parsing:
            raise unknown("command", args[0], known)
        return super().resolve_command(ctx, args)


# Python's int() and float() accept the digits of every script, and `_` between digits; we accept ASCII only.
_NUMBER = re.compile(r"[0-9A-Za-z+.-]+")
_NUMBERS = {"integer", "integer range", "float", "float range"}


class _Command(TyperCommand):
    """A command that accepts numbers in ASCII digits only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for param in self.params:
            if param.type.name in _NUMBERS:
                param.type = _in_ascii(param.type)


def _in_ascii(kind: Any) -> Any:
    """Return a copy of a parameter type that first checks that the text is ASCII."""
    checked = copy(kind)

    def convert(value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, str) and not _NUMBER.fullmatch(value):
            kind.fail(f"{quote(value)} is not a number in the digits 0-9", param, ctx)
        return kind.convert(value, param, ctx)

    checked.convert = convert
    return checked


class _Single(_Command):
    """A command, perhaps with options that only one game adds."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. The error for an option that belongs to another game names that game."""
        line = list(args)
        try:
            return super().parse_args(ctx, args)
        except _ClickException as error:
            option = getattr(error, "option_name", None)
            command = ctx.command_path.removeprefix("unshuffle ")
            games = list(owners(command, option)) if option else []
            if not games:
                raise
            game = next((f" {in_a_line(word)}" for word in line[:1] if not word.startswith("-")), "")
            raise UsageError(
                f"`unshuffle {command}{game}` has no option {option}; it belongs to {', '.join(games)}"
            ) from None

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options to the help page, those of a game under its name."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                title = getattr(param, "rich_help_panel", None) or f"{param.param_type_name.capitalize()}s"
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


class Commands(_Nearest):
    """The group of all commands."""

    line: Sequence[str] = ()
    """The words of the command line after the command."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command, and keep the rest of the line: a game named there may add options."""
        self.line = args[1:]
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the module of a command, and return the command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"unshuffle.cli.{name}")
        command = getattr(module, name)
        # A command with subcommands lists them, with the examples of each, in SUBCOMMANDS.
        if not hasattr(module, "SUBCOMMANDS"):
            single = typer.Typer(add_completion=False, **_PLAIN)
            self._add(single, cmd_name, cmd_name, command, module.EXAMPLES, getattr(module, "about_game", None))
            return get_command(single)
        group = typer.Typer(cls=_Nearest, add_completion=False, no_args_is_help=True, **_PLAIN)
        group.callback(epilog=_examples(module.EXAMPLES))(command)
        # Building the help texts of a subcommand may import every game, so only the one that runs is built.
        asked = self.line[0] if self.line and self.line[0] in module.SUBCOMMANDS else None
        for name, (subcommand, examples) in module.SUBCOMMANDS.items():
            if asked in (None, name):
                self._add(group, name, f"{cmd_name} {name}", subcommand, examples)
        return get_command(group)

    def _add(
        self,
        group: typer.Typer,
        name: str,
        whole: str,
        command: Callable[..., Any],
        examples: Sequence[str],
        about_game: Callable[[str], str] | None = None,
    ) -> None:
        """Add a command, with the options of the game that is named on the line, if there is one."""
        game = game_on_line(self.line)
        own = None if game is None else options_of(game, whole)
        more = [] if own is None else [*own.options.epilog]
        if game is not None and about_game is not None:
            more = [about_game(game), *(("", "\b", *more) if more else ())]
        epilog = _examples((*examples, *(own.options.examples if own is not None else ())), more)
        group.command(name, cls=_Single, epilog=epilog)(expand(command, own))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands to the help page."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _examples(lines: Sequence[str], more: Sequence[str] = ()) -> str:
    # \b keeps click from filling the lines into one paragraph.
    examples = ("\b", "Examples:", *(f"  {line}" for line in lines))
    return "\n".join((*examples, *(("", "\b", *more) if more else ())))


app = typer.Typer(
    name="unshuffle",
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog="\b\nExamples:\n  unshuffle solve belle-lucie --seed 7\n  unshuffle solve --help",
    **_PLAIN,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from unshuffle.engine import describe_engine

        print(f"unshuffle {un.__version__} (engine: {describe_engine()})")
        raise typer.Exit


@app.callback(
    help="A laboratory for patience (card solitaire): solve, play, advise, simulate and measure.\n\n"
    "Answers say whether they are proved. The rules replay every line of play before it is shown."
)
def prepare(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and the engine in use.", callback=_print_version, is_eager=True
        ),
    ] = False,
    load: LoadOption = None,
) -> None:
    """Load the files of `--load` before any command."""
    load_files(load)


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, and return its exit code."""
    group: Any = get_command(app)
    if "_UNSHUFFLE_COMPLETE" in os.environ:
        group.main(arguments, prog_name="unshuffle")  # answers the shell and ends the program
    try:
        with group.make_context("unshuffle", list(arguments)) as context:
            return int(group.invoke(context) or 0)
    except typer.Exit as end:
        return end.exit_code
    except typer.Abort:  # Ctrl-C at a prompt of click
        raise KeyboardInterrupt from None
    except _ClickException as error:
        said = error.format_message()
        # The message quotes the input unchanged, which may be long or have several lines.
        error.format_message = lambda: in_a_line(said, _LONGEST_MESSAGE)
        error.show(sys.stderr)
        return int(error.exit_code)
