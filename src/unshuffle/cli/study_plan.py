"""The options of `unshuffle study run` that make its plan."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.cli.arguments import GeneratorOption, MaximizeOption, SeedsOption, complete_games
from unshuffle.errors import UsageError
from unshuffle.store import Store, default_path
from unshuffle.study import Plan, make_parts, read_plan, stored_plan
from unshuffle.study.plan import parse_seeds


@dataclass(frozen=True, kw_only=True)
class PlanArguments:
    """The games, the players, the deals and the limits of a study."""

    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME", help="The game; without it a stored study goes on.", autocompletion=complete_games
        ),
    ] = None
    variant: Annotated[
        str | None, typer.Option(metavar="V[,V2]|all", help="Variants of the game.  [default: the first]")
    ] = None
    rule: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Change one rule; repeatable.")] = None
    solver: Annotated[
        bool, typer.Option("--solver", help="Decide every deal with all cards known (open information).")
    ] = False
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="P[,P2]", help="Let policies play, by what a player sees (hidden information)."),
    ] = None
    seeds: SeedsOption = None
    precision: Annotated[
        str | None,
        typer.Option(metavar="P", help="Plan enough deals for an interval with this half-width, such as 0.5%."),
    ] = None
    guess: Annotated[
        str | None,
        typer.Option(metavar="G", help="The win rate that --precision assumes, such as 4.5%.  [default: 50%]"),
    ] = None
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="The most positions to search for one deal; 0: no limit.  [default: 10,000,000]", min=0
        ),
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Time limit of one deal; makes results depend on the machine.  [default: no limit]", min=0
        ),
    ] = None
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit of one deal, such as 512MB.  [default: 1GiB]")
    ] = None
    maximize: MaximizeOption = False
    generator: GeneratorOption = None
    replay: Annotated[
        str | None,
        typer.Option(
            metavar="all|sample",
            help="Lines that the rules replay: all, or the first 1,000 wins and 1 % of the rest.  [default: sample]",
        ),
    ] = None
    moves: Annotated[bool, typer.Option("--moves", help="Also keep the moves; every line is replayed.")] = False
    no_infer: Annotated[
        bool,
        typer.Option("--no-infer", help="Search every deal; infer no verdict from other variants of the same study."),
    ] = False

    def given(self) -> dict[str, Any]:
        """Return the options that are given, under the names that a plan file uses."""
        values: dict[str, Any] = {
            "game": self.game, "variant": self.variant, "rule": self.rule, "solver": self.solver or None,
            "policy": self.policy, "guess": self.guess, "nodes": self.nodes, "seconds": self.seconds,
            "memory": self.memory, "maximize": self.maximize or None, "generator": self.generator,
            "replay": self.replay, "moves": self.moves or None, "precision": self.precision,
            "seeds": None if self.seeds is None else parse_seeds(self.seeds, "--seeds"),
            "infer": False if self.no_infer else None,
        }  # fmt: skip
        return {name: value for name, value in values.items() if value is not None}

    def plan(self, name: str, threads: int | None, store: Path | None) -> Plan:
        """Return the plan of a plan file, of these options, or of the stored study with this name."""
        given = self.given()
        if name.endswith(".toml"):
            if given:
                raise UsageError(
                    f"{_options(given)}: these belong in the plan file; beside it go --share, --threads and --store"
                )
            plan = read_plan(Path(name))
            return Plan(name=plan.name, parts=plan.parts, threads=threads or plan.threads, store=store or plan.store)
        if "game" in given:
            return Plan(name=name, parts=make_parts(**given), threads=threads)
        path = store or default_path()
        if wrong := sorted(given.keys() - {"seeds"}):
            options = _options(dict.fromkeys(wrong))
            raise UsageError(f"A new study needs --game; a stored one is continued without {options}")
        if not path.exists():
            raise UsageError(f"A new study needs --game; there is no store {str(path)!r} with a stored one")
        with Store.open(path, create=False) as opened:
            stored = stored_plan(opened, name, given.get("seeds"))
        return Plan(name=name, parts=stored.parts, threads=threads)


def _options(given: dict[str, Any]) -> str:
    return ", ".join("--no-infer" if option == "infer" else f"--{option}" for option in given)
