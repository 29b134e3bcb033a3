"""The parameters of a tournament: policies, deals, and the expected time."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from unshuffle.cards import Card
from unshuffle.cli import figures, show
from unshuffle.cli.arguments import SeedArguments
from unshuffle.cli.deckfile import read_deck_file
from unshuffle.cli.progress import ProgressLine
from unshuffle.cli.standings import Standings
from unshuffle.deals import OURS
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.options import GameOptions
from unshuffle.simulate import Policy, Tournament, TournamentInterrupted, plan_tournament, policy_of
from unshuffle.store import DECKS, Entry, Store
from unshuffle.study.race import run_race

_LONG = 60.0
"""Expected seconds above which the command asks for confirmation."""
_IDS = re.compile(r"([0-9]{1,18})(?:\.\.([0-9]{1,18}))?")
_MOST_IDS = 10_000_000


@dataclass(frozen=True)
class Field:
    """The policies of a tournament."""

    policies: list[Policy]
    entries: list[Entry]
    """The entered lists and policies, each with the policy that plays it."""
    lists: int
    """The number of entered rule lists."""
    left: int
    """The number of policies that these lists reduce to."""

    @classmethod
    def enter(cls, game: AnyGame, own: GameOptions, policies: Sequence[str]) -> Field:
        """Return the field: the rule lists of the game's own options, then the policies."""
        entries = [Entry(*each) for each in own.entered(game)]
        if len(policies) < 2 and not entries:
            raise UsageError("a tournament needs at least two policies: --policy A --policy B")
        lists, left = sum(entry.lists for entry in entries), len({entry.policy for entry in entries})
        given = [policy_of(game, own.policy_text(text)).name for text in policies]
        for name in given:
            if given.count(name) > 1:
                raise UsageError(f"the policy {quote(name)} is given twice")
        entries += [Entry(name, name) for name in given]
        # A policy that is given both as a list and by name plays once.
        names = dict.fromkeys(entry.policy for entry in entries)
        return cls([policy_of(game, name) for name in names], entries, lists, left)

    @property
    def counts(self) -> Counter[str]:
        """The number of entered lists that each policy plays."""
        counts: Counter[str] = Counter()
        for entry in self.entries:
            counts[entry.policy] += entry.lists
        return counts

    def __str__(self) -> str:
        if not self.lists:
            return f"{len(self.policies)} policies"
        others = len(self.policies) - self.left
        more = f" and {others} other {'policy' if others == 1 else 'policies'}" if others else ""
        return f"{show.plural(self.lists, 'list')} entered, {self.left:,} after reduction{more},"


@dataclass(frozen=True)
class Asked:
    """The deals: seeds of a generator, decks of the store, or decks of a file, which the store then keeps."""

    game: AnyGame
    seeds: range | None = None
    generator: str = OURS
    ids: Sequence[int] | None = None
    decks: Sequence[tuple[Card, ...]] | None = None

    @classmethod
    def of(
        cls,
        game: AnyGame,
        own: GameOptions,
        seeds: str | None,
        decks: str | None,
        deck_file: Path | None,
        generator: str | None,
    ) -> Asked:
        """Return the deals that the options name. Raise UsageError unless exactly one option does."""
        asked = SeedArguments(seeds=seeds, generator=generator)
        asked.check()
        options = {"--seeds": seeds, "--decks": decks, "--deck-file": deck_file}
        given = [name for name, value in options.items() if value is not None]
        if not given:
            raise UsageError("a tournament needs deals: --seeds A..B")
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other")
        if seeds is not None:
            return cls(game, seeds=asked.numbers, generator=generator or OURS)
        if generator is not None:
            raise UsageError(f"--generator goes with --seeds; {given[0]} names decks")
        if decks is not None:
            return cls(game, generator=DECKS, ids=_read_ids(decks))
        assert deck_file is not None
        return cls(game, generator=DECKS, decks=read_deck_file(deck_file, game, own.foreign_deck))

    def __len__(self) -> int:
        return len(self.seeds or self.ids or self.decks or ())

    def first(self, count: int, store: Store) -> dict[str, Any]:
        """Return the first `count` deals as keyword arguments of a tournament."""
        if self.seeds is not None:
            return {"seeds": self.seeds[:count], "generator": self.generator}
        ids = self.ids
        if self.decks is not None:
            # A deck that the file has twice is played once.
            ids = list(dict.fromkeys(store.add_decks(self.game.id, self.decks)))
        return {"decks": (ids or ())[:count]}

    def __str__(self) -> str:
        if self.seeds is not None:
            return f"{self.seeds[0]}..{self.seeds[-1]}"
        return f"{show.plural(len(self), 'deck')} of the {'store' if self.decks is None else 'file'}"


def _read_ids(text: str) -> list[int]:
    """Return the deck ids of a text such as `1,2,5`, `1..5` or both."""
    ids: list[int] = []
    for word in text.replace(",", " ").split():
        match = _IDS.fullmatch(word)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first:
            raise UsageError(f"--decks: {quote(word)} is no deck; expected ids, such as 1,2,5 or 1..5")
        if last - first >= _MOST_IDS:
            raise UsageError(f"--decks: {quote(word)} are too many")
        ids += range(first, last + 1)
    if not ids:
        raise UsageError("--decks: no deck is named; expected ids, such as 1,2,5 or 1..5")
    return list(dict.fromkeys(ids))


@dataclass(frozen=True)
class Run:
    """A tournament that is ready to be played."""

    field: Field
    asked: Asked
    study: str | None
    threads: int | None
    is_race: bool
    settings: dict[str, Any]

    def agree(self, store: Store, yes: bool) -> bool:
        """Print the number of games and the expected time. Ask for confirmation on a terminal if it is long."""
        planned = plan_tournament(
            store, self.asked.game, self.field.policies, study=self.study, **self.asked.first(len(self.asked), store)
        )
        games = sum(planned.count_missing())
        seconds = planned.estimate(self.threads) if games else 0.0
        field, deals = self.field, show.plural(len(self.asked), "deck")
        stored = len(self.asked) * len(field.policies) - games
        there = f", {stored:,} of them in the store already" if stored else ""
        at_most = "at most " if self.is_race else ""
        wanted = f"{at_most}{show.plural(games + stored, 'game')}{there}"
        print(
            f"{field} on {deals}: {wanted}; {f'about {_about(seconds)}' if games else 'none is missing'}",
            file=sys.stderr,
        )
        return seconds <= _LONG or yes or not has_person() or typer.confirm("Play them?", default=True, err=True)

    def play(self, store: Store) -> tuple[Standings, int, bool]:
        """Play. Return the standings, the number of games played now, and whether Ctrl-C ended the tournament."""
        progress = ProgressLine()
        counter = _Counter(progress)
        try:
            if self.is_race:
                race = run_race(
                    lambda policies, count: self._play(store, policies, count, counter),
                    self.field.policies,
                    len(self.asked),
                )
                ended, is_interrupted = Tournament(race.simulations, race.seconds), race.is_interrupted
            else:
                ended, is_interrupted = self._play(store, self.field.policies, len(self.asked), counter), False
                figures.note_missing(len(ended), len(self.asked))
        except TournamentInterrupted as interrupted:
            ended, is_interrupted = interrupted.tournament, True
        finally:
            progress.clear()
        result = Standings(ended.simulations, ended.seconds, self.field.counts, self.is_race)
        return result, counter.games, is_interrupted

    def _play(self, store: Store, policies: Sequence[Policy], count: int, counter: _Counter) -> Tournament:
        planned = plan_tournament(store, self.asked.game, policies, study=self.study, **self.asked.first(count, store))
        names = {policy.name for policy in policies}
        entered = [entry for entry in self.field.entries if entry.policy in names]
        counter.begin()
        return planned.play(threads=self.threads, progress=counter, entered=entered, settings=self.settings)


def has_person() -> bool:
    """Return whether stdin and stderr are terminals, so that a question can be answered."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


class _Counter:
    """Counts the games of a tournament over all blocks of a race."""

    def __init__(self, progress: ProgressLine) -> None:
        self._progress = progress
        self._before = self.games = 0

    def begin(self) -> None:
        """Begin another block."""
        self._before = self.games

    def __call__(self, done: int, of: int) -> None:
        self.games = self._before + done
        self._progress.deals(done, of)


def _about(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"
