"""`solve --redeal`: one game with redeals, played by a policy that sees each redeal only when it is dealt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from unshuffle.cli import show
from unshuffle.cli.arguments import Explain
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.history import Histories
from unshuffle.deals import draw_seed
from unshuffle.game import INFORMATION, AnyGame, Outcome
from unshuffle.options import PlayOut
from unshuffle.simulate import Policy, play_each, policy_of
from unshuffle.solve import Line, Status, replay


def play_out(
    game: AnyGame, table: Any, player: PlayOut, explain: Explain | None, json: bool, save_wins: Path | None
) -> ExitCode:
    """Play on from this table, and print every deal. Return 0 for lost games too, since they prove nothing."""
    policy = policy_of(game, player.played_by)
    histories = None if save_wins is None else Histories(save_wins)
    seed = player.redeal_seed
    if seed is None and player.lacks_redeals(table):
        seed = draw_seed()
    start, known = (table, table) if seed is None else player.redealt(game, table, seed)
    begun = monotonic()
    with closing(play_each(game, policy, states=[known])) as games:
        moves = tuple(next(games).moves)
    seconds = monotonic() - begun
    line = replay(start, player.as_dealt(start, known, moves))
    played = _PlayedOut(game, policy, table.id, line, seed, seconds)
    if json:
        show.json_line(show.Page(sys.stdout), played.values())
    if not json or explain is not None:
        played.show(show.Page(sys.stderr if json else sys.stdout), explain or Explain.SHORT)
    if histories is not None and played.is_won:
        histories.save(game, line, played.how)
    return ExitCode.DONE


@dataclass(frozen=True)
class _PlayedOut:
    """A played game, with its policy and its redeals."""

    game: AnyGame
    policy: Policy
    dealt: str | None
    """The id of the deal, with whatever redeals it was played."""
    line: Line
    redeal_seed: int | None
    seconds: float

    @property
    def is_won(self) -> bool:
        return self.line.outcome is Outcome.WON

    @property
    def how(self) -> str:
        """The policy and the seed of the redeals, as text."""
        seed = "" if self.redeal_seed is None else f", --redeal-seed {self.redeal_seed}"
        return f"played by {self.policy.name}{seed} ({INFORMATION[self.policy.information]})"

    def values(self) -> dict[str, Any]:
        """Return the object that `simulate --json` prints, with the layout and the seed that reproduce the game."""
        start = self.line.states[0]
        # A deal id stands for the first deal with the redeals of that id.
        is_dealt = self.game.is_dealt(start)
        return {
            "game": self.game.id,
            "variant": self.game.variant,
            "deal": start.id if is_dealt else None,
            "policy": self.policy.name,
            "score": self.line.score,
            "won": self.is_won,
            "moves": [move.token for move in self.line.moves],
            "redeal_seed": self.redeal_seed,
            "layout": self.game.format(start),
        }

    def show(self, page: show.Page, explain: Explain) -> None:
        """Print the report: every deal, and the result."""
        for row in (self.dealt or f"{self.game} (typed)", *self._notes(), ""):
            page.line(row)
        show.play(page, self.game, self.line, explain)
        proof = "" if self.is_won else "; not proved: other play, or other redeals, may do better"
        page.line(f"Score: {show.score(self.game, self.line.score)}{proof}")
        parts = list(show.split_deals(self.game, self.line))
        count = f"{show.plural(len(parts), 'deal')}, {show.plural(len(self.line.moves), 'move')}"
        page.line(f"Play: {count} in {show.duration(self.seconds)}, {self.policy.engine(self.game)} engine")
        last = f"in {show.name_deal(self.line.states[-1]).lower()}"
        left = "" if self.is_won else f", with {self.game.most_score - self.line.score} left"
        verdict = f"{'won' if self.is_won else 'lost'} by {self.policy.name} {last}{left}"
        status = Status.SOLVED if self.is_won else Status.UNSOLVABLE
        text = page.verdict(f"Verdict: this game was {verdict}", status)
        page.line(f"{text} ({INFORMATION[self.policy.information]})")

    def _notes(self) -> Iterator[str]:
        yield f"Played out by {self.policy.name}, which sees a redeal only when it is dealt"
        start = self.line.states[0]
        if self.redeal_seed is not None:
            yield f"Redeals of --redeal-seed {self.redeal_seed}: redeal k is deck k of that seed"
        elif start.redeals:
            yield f"Redeals: {'those of the deal id' if start.id is not None else 'as typed with the table'}"
