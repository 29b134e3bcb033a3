"""`unshuffle simulate`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli import figures, show
from unshuffle.cli.arguments import DealArguments, Explain, GameArguments, JsonOption
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import NameOption, StoreOption, ThreadsOption, complete_policies
from unshuffle.cli.figures import about_game as about_game
from unshuffle.cli.progress import ProgressLine
from unshuffle.deals import OURS, DealId, Source
from unshuffle.errors import UsageError
from unshuffle.files import writing
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.options import GameOptions
from unshuffle.simulate import Policy, Record, Simulation, TournamentInterrupted, play_each, play_tournament, policy_of
from unshuffle.solve import Line, replay

EXAMPLES = (
    "unshuffle simulate belle-lucie --policy greedy --seeds 0..9999",
    "unshuffle simulate belle-lucie --policy random:seed=3 --seeds 0..999 --json",
    "unshuffle simulate belle-lucie --policy greedy --seed 7 --detail",
    "unshuffle simulate agnes table.txt --samples 1000",
)


def simulate(
    choice: GameArguments,
    deals: DealArguments,
    own: GameOptions,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="P",
            help="The policy: random, greedy, random:seed=3.  [default: greedy; with --samples a stronger one]",
            autocompletion=complete_policies,
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Estimate the chance to win one deal: play it N times, with the hidden cards dealt at random.",
            min=1,
            max=1_000_000,
        ),
    ] = None,
    threads: ThreadsOption = None,
    detail: Annotated[bool, typer.Option("--detail", help="Show one game move by move.")] = False,
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the distribution of the scores, as PNG or SVG.")
    ] = None,
    store: StoreOption = None,
    name: NameOption = None,
) -> ExitCode:
    """Let a policy play many deals, and report how often it wins.

    A policy sees only what a player sees (hidden information). Results are reproducible. With --store or --name they
    are kept, and games that the store has are not played again. A game may add options and policies of its own: see
    `unshuffle simulate GAME --help`.

    --samples estimates the chance to win one deal by what a player sees of it: the command deals the unknown cards at
    random N times, and the policy plays each game to its end. A FILE may then leave cards unknown (`Stock: ?`, `##`).

    Exit codes: 0 done, 2 wrong usage, 74 the store cannot be used, 255 bad input, 130 Ctrl-C (the results so far are
    printed first).
    """
    if json and detail:
        raise UsageError("--json and --detail exclude each other: the JSON object has the moves")
    if detail and deals.seeds is not None:
        raise UsageError("--detail shows one game, and --seeds asks for many; use --seed N")
    if own.writes_games and (json or detail):
        raise UsageError(f"--format and {'--json' if json else '--detail'} exclude each other")
    deals.check()
    if samples is not None:
        wrong = {"--seeds": deals.seeds, "--detail": detail, "--plot": plot, "--store": store, "--name": name}
        if given := [option for option, value in {**wrong, "--format": own.writes_games}.items() if value]:
            raise UsageError(f"--samples and {given[0]} exclude each other: samples are of one deal, and are not kept")
        from unshuffle.cli.estimating import estimate  # seldom asked for

        return estimate(choice.game, deals, None if policy is None else own.policy_text(policy), samples, threads, json)
    chosen = policy_of(choice.game, own.policy_text(policy or "greedy"))
    if plot is not None:
        figures.check_plot(plot)
    run = _Run(choice.game, chosen, deals, own, threads)
    if store is None and name is None and (json or own.writes_games or deals.numbers is None):
        code, counts = _show_each(run, detail, json)
    else:
        code, counts = _play(run, store, name, detail, json)
    if plot is not None:
        _draw(run, counts, plot)
    return code


class _Run:
    """The deals and the policy of a simulation."""

    def __init__(
        self, game: AnyGame, policy: Policy, deals: DealArguments, own: GameOptions, threads: int | None
    ) -> None:
        self.game = game
        self.policy = policy
        self.own = own
        self.threads = threads
        self.numbers = deals.numbers
        self.generator: str | None = deals.generator or OURS
        self.states: list[Any] | None = None
        if self.numbers is None:
            self.states = [deals.state(game)]
            deal = self.states[0].id
            self.generator = None if deal is None else DealId.parse(deal).source.generator

    def state(self, place: int) -> Any:
        """Return the state with which a game begins."""
        if self.states is not None:
            return self.states[place]
        assert self.numbers is not None
        return self.game.deal(Source(self.numbers[place], self.generator or OURS))

    @property
    def deals(self) -> dict[str, Any]:
        """The deals as keyword arguments of `simulate`."""
        if self.states is not None:
            return {"states": self.states}
        return {"seeds": self.numbers, "generator": self.generator}

    def stored_seeds(self) -> range:
        """Return the deals as a range of seeds, as a store keeps them. Raise UsageError for other deals."""
        if self.numbers is not None:
            return self.numbers
        assert self.states is not None
        deal = self.states[0].id
        source = None if deal is None else DealId.parse(deal).source
        if source is None or source.number != 1 or self.states[0] != self.game.deal(source):
            raise UsageError("a store keeps deals by their numbers; --store and --name go with --seed or --seeds")
        return range(source.seed, source.seed + 1)


def _show_each(run: _Run, detail: bool, json: bool) -> tuple[ExitCode, Mapping[int, int]]:
    """Play the games, and print each one when it ends."""
    progress = ProgressLine()
    counts: Counter[int] = Counter()
    records = play_each(run.game, run.policy, **run.deals, threads=run.threads)
    try:
        with closing(records):
            for place, record in enumerate(records, 1):
                progress.clear()
                _show_record(run, record, place - 1, detail, json)
                counts[record.score] += 1
                progress.deals(place, 1 if run.numbers is None else len(run.numbers))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED, counts
    finally:
        progress.clear()
    return ExitCode.DONE, counts


def _show_record(run: _Run, record: Record, place: int, detail: bool, json: bool) -> None:
    page = show.Page(sys.stdout)
    if json:
        values = {"game": run.game.id, "variant": run.game.variant, "deal": record.deal, "policy": record.policy}
        ended = {"score": record.score, "won": record.won, "moves": [move.token for move in record.moves]}
        counts = {"tableau_moves": record.tableau_moves, "rule_counts": record.rule_counts}
        show.json_line(page, values | ended | (counts if run.game.tableau_moves else {}))
        return
    if run.own.writes_games:
        page.line(run.own.written(run.state(place), record.moves))
        return
    page.line(record.deal or f"{run.game} (typed)")
    page.line()
    if detail:
        _show_detail(page, run, replay(run.state(place), record.moves))
    page.line(f"Score: {show.score(run.game, record.score)}")
    verdict = f"{'won' if record.won else 'not won'} in {show.plural(len(record.moves), 'move')} by {record.policy}"
    page.line(f"Game {verdict} ({INFORMATION[run.policy.information]})")


def _show_detail(page: show.Page, run: _Run, line: Line) -> None:
    """Print the game move by move, with the policy's reasons and what the game adds about the table."""
    steps = zip(line.states, line.moves, line.states[1:], strict=False)
    cells = [(run.policy.remark(before, move), run.own.beside(after)) for before, move, after in steps]
    columns = [_padded(column) for column in zip(*cells, strict=True) if any(column)]
    show.play(page, run.game, line, Explain.SHORT, list(map("  ".join, zip(*columns, strict=True))))
    if not run.policy.counted.is_moves:
        return
    used = run.policy.rule_counts(line)
    for number, words in run.policy.rule_words.items():
        if used.get(number):
            page.line(f"Rule {number}, {show.plural(used[number], 'move')}: {words}")


def _padded(cells: Sequence[str]) -> list[str]:
    width = max(map(len, cells), default=0)
    return [cell.ljust(width) for cell in cells]


def _play(
    run: _Run, store: Path | None, name: str | None, detail: bool, json: bool
) -> tuple[ExitCode, Mapping[int, int]]:
    """Play all games, then print the results."""
    figures.need("scipy", "an interval")
    progress = ProgressLine()
    begun = monotonic()
    code = ExitCode.DONE
    try:
        if store is None and name is None:
            assert run.numbers is not None
            of = len(run.numbers)
            games = un.simulate(
                run.game, run.policy, **run.deals, threads=run.threads, progress=lambda done: progress.deals(done, of)
            )
        else:
            games = _play_into_store(run, store, name, progress.deals)
    except un.SimulationInterrupted as interrupted:
        code, games = ExitCode.INTERRUPTED, interrupted.simulation
    except TournamentInterrupted as interrupted:
        code, games = ExitCode.INTERRUPTED, interrupted.tournament.simulations[0]
    finally:
        progress.clear()
    seconds = monotonic() - begun
    if json or run.own.writes_games or run.numbers is None:
        for place, record in enumerate(games):
            _show_record(run, record, place, detail, json)
        return code, games.score_counts
    page = show.Page(sys.stdout)
    page.line(f"Policy {run.policy.name} on the deals {run.numbers[0]}..{run.numbers[-1]}")
    page.line(f"of {figures.conditions(run.game, run.generator, run.policy.information)}")
    page.line()
    if code is ExitCode.INTERRUPTED:
        page.line("Interrupted; so far:")
    for line in figures.overview(games):
        page.line(line)
    page.line()
    page.line(figures.speed(progress.done, seconds, run.policy.engine(run.game)))
    return code, games.score_counts


def _play_into_store(
    run: _Run, store: Path | None, name: str | None, watch: Callable[[int, int], object]
) -> Simulation:
    from unshuffle.store import Store

    seeds = run.stored_seeds()
    study = name or f"simulate-{run.game.id}-{run.game.variant}"
    with Store.open(store) as opened:
        tournament = play_tournament(
            run.game,
            [run.policy],
            seeds,
            generator=run.generator or OURS,
            threads=run.threads,
            store=opened,
            study=study,
            progress=watch,
        )
    figures.note_missing(len(tournament), len(seeds))
    return tournament.simulations[0]


def _draw(run: _Run, counts: Mapping[int, int], path: Path) -> None:
    from unshuffle.study.plots import Source, plot_distribution

    source = Source(run.game.id, run.game.variant, run.policy.information, run.generator or "typed", "none")
    title, score = f"Scores of {run.policy.name}", run.game.score_counts or "score"
    with writing(path, "--plot: cannot write"):
        plot_distribution(counts, path, source, title=title, score=score)
