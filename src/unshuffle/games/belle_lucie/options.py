"""The options of `unshuffle solve belle-lucie` beyond those of every game: how many deals, which one, the merci.

This module defines what the options mean. The command line makes options of the fields, and reads and prints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from unshuffle.deals import LAST_SEED, DealId, decks
from unshuffle.errors import UsageError
from unshuffle.games.belle_lucie import BelleLucie, Move, Redeal, State
from unshuffle.options import GameOptions, option
from unshuffle.rulebook import name_variant

_USUAL_DEALS = 3
_MOST_DEALS = 10


class PlayedBy(StrEnum):
    """The policy that plays a game out."""

    VALUE = "value"
    GREEDY = "greedy"


@dataclass(frozen=True, kw_only=True)
class SolveOptions(GameOptions):
    """The deals of a game with redeals, for `solve`: one of them alone, or all of them played out."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle solve belle-lucie --variant merci --seed 7",
        "unshuffle solve belle-lucie --shuffle --redeal --merci",
        "unshuffle solve belle-lucie table.txt --deal 3 --merci",
        "unshuffle solve belle-lucie table.txt --deal 2 --redeal --redeal-seed 5 --json",
    )

    max_deal: int | None = option(
        "How many deals the game has, the redeals included.  [default: 3 with --deal, --redeal or --merci]",
        "N",
        min=1,
        max=_MOST_DEALS,
    )
    deal: int | None = option(
        "Which deal this table is. Without --redeal it is solved alone.  [default: 1]", "N", min=1
    )
    redeal: bool = option(
        "Play the game out: plan a deal, redeal, plan the next one. Nobody sees ahead. The exit code is 0"
        " whether it was won or lost, for that proves nothing.",
        default=False,
    )
    redeal_seed: int | None = option(
        "Redeal k in the order of deck k of this seed.  [default: the redeals of --seed or --shuffle;"
        " for a FILE a random seed, which is printed]",
        "N",
        min=0,
        max=LAST_SEED,
    )
    policy: PlayedBy | None = option(
        "Who plays with --redeal: value wins most often, greedy puts up most cards.  [default: value]"
    )
    merci: bool = option(
        "A merci in the last deal, by the rule merci=play; for the other kinds see --rule merci=front.", default=False
    )

    @property
    def player(self) -> SolveOptions | None:
        """The options, if they ask to play the game out and not for a verdict."""
        return self if self.redeal else None

    @property
    def played_by(self) -> str:
        """The policy that plays."""
        return self.policy or PlayedBy.VALUE

    @property
    def _counts_deals(self) -> bool:
        return self.redeal or self.merci or self.max_deal is not None or self.deal is not None

    # Which game.

    def game(self, game: BelleLucie, given: Collection[str]) -> BelleLucie:
        """Return the whole game to which a deal belongs; `given` are the rules that were named one by one."""
        if not self.redeal:
            for name, value in (("--policy", self.policy), ("--redeal-seed", self.redeal_seed)):
                if value is not None:
                    raise UsageError(f"{name} goes with --redeal, which plays the game out")
        if not self._counts_deals:
            return game
        rules = game.rules
        deals = self._deals(game, given)
        if self.deal is not None and self.deal > deals:
            there = "is one deal" if deals == 1 else f"are {deals} deals"
            raise UsageError(f"--deal {self.deal}: there {there} in this game; --max-deal N sets another number")
        if self.merci and rules.merci != "play" and ("merci" in given or rules.merci != "none"):
            raise _clash("--merci", "merci=play", game, "merci", given)
        return BelleLucie(game.variant, redeals=deals - 1, merci="play" if self.merci else rules.merci)

    def _deals(self, game: BelleLucie, given: Collection[str]) -> int:
        said = game.rules.redeals + 1
        is_said = said > 1 or "redeals" in given
        if self.max_deal is None:
            return said if is_said else _USUAL_DEALS
        if is_said and said != self.max_deal:
            raise _clash(f"--max-deal {self.max_deal}", f"redeals={self.max_deal - 1}", game, "redeals", given)
        return self.max_deal

    def single(self, game: BelleLucie, table: State | None = None) -> BelleLucie:
        """Return the game that is asked about: this deal alone, with a merci if the deal allows one."""
        if not self._counts_deals:
            return game
        rules = game.rules
        has_merci = self._number(table) > rules.redeals or rules.merci_deals == "any"
        alone = replace(rules, redeals=0, merci=rules.merci if has_merci else "none")
        return BelleLucie(name_variant(game.variants, "one-deal", alone))

    def _number(self, table: State | None) -> int:
        """Return which deal is asked about; without a table it is the same for all seeds."""
        return (self.deal or 1) if table is None else table.deal

    def notes(self, game: BelleLucie, table: State | None = None) -> list[str]:
        """Return remarks on a deal that is asked about alone."""
        rules = game.rules
        if not self._counts_deals or not rules.redeals:
            return []
        deal, last = self._number(table), rules.redeals + 1
        if deal == last:
            return [f"Deal {deal} of {last}, the last one"]
        notes = [f"Deal {deal} of {last}, asked about alone; --redeal plays the game on from here"]
        if rules.merci != "none" and rules.merci_deals == "last":
            notes.append(f"There is no merci yet: it is for the last deal, deal {last}")
        return notes

    # Which table.

    def table(self, state: State, said: Collection[str]) -> State:
        """Return the table as the deal that it is; `said` are the labels of the lines that were typed with it."""
        if self.merci and "merci" in said and not state.mercis:
            raise UsageError("--merci gives a merci, and 'Merci: 0' says that none is left; leave one out")
        if self.deal is None or self.deal == state.deal:
            return state
        if "deal" in said:
            raise UsageError(f"--deal {self.deal} and 'Deal: {state.deal}' exclude each other; leave one out")
        # Typed redeals are counted from this table, those of an id from the first deal.
        redeals = state.redeals if state.id is None else state.redeals[self.deal - state.deal :]
        state = replace(state, deal=self.deal, redeals=redeals)
        if len(redeals) > state.redeals_left:
            raise UsageError(
                f"'Redeal {len(redeals)}:' cannot come: --deal {self.deal} of {state.rules.redeals + 1}"
                f" leaves {state.redeals_left}"
            )
        return state

    def question(self, game: BelleLucie, table: State) -> State:
        """Return the table as it is asked about: alone, if it was called a deal of a longer game."""
        if not self._counts_deals:
            return table
        single = self.single(game, table)
        mercis = table.mercis if single.rules.merci != "none" else 0
        alone = State(single.rules, table.fans, table.foundations, mercis=mercis)
        # The id names what was dealt; it does not lead to a position in play.
        dealt = None if table.id is None else single.deal(DealId.parse(table.id).source)
        return dealt if dealt is not None and dealt == alone else alone

    # Which redeals.

    def lacks_redeals(self, table: State) -> bool:
        """Return whether a redeal may come whose order is not known."""
        return any(table.fans) and table.redeals_left > len(table.redeals)

    def redealt(self, game: BelleLucie, table: State, seed: int) -> tuple[State, State]:
        """Return the table without the redeals of this seed, and the table with them.

        Redeal k of the game comes in the order of deck k of the seed, unless it is typed.
        """
        if table.id is None and table.redeals and not self.lacks_redeals(table):
            raise UsageError("--redeal-seed and 'Redeal' lines exclude each other: all redeals are typed")
        start = replace(table, id=None, redeals=table.redeals if table.id is None else ())
        drawn = game.follow(start, decks(game.pack, seed)).redeals
        return start, replace(start, redeals=start.redeals + drawn[len(start.redeals) :])

    def as_dealt(self, start: State, known: State, moves: Iterable[Move]) -> Iterator[Move]:
        """Yield the moves as a player without the redeals writes them: a redeal with its cards if `start` lacks it."""
        for move in moves:
            seen = Redeal(known.redeals[0]) if isinstance(move, Redeal) and not start.redeals else move
            start, known = start.play(seen), known.play(move)
            yield seen


def _clash(option: str, meaning: str, game: BelleLucie, rule: str, given: Collection[str]) -> UsageError:
    """Return the error for an option that says otherwise than a rule, which was given or is of the variant."""
    said = f"{rule}={getattr(game.rules, rule)}"
    if rule in given:
        return UsageError(f"{option} is {meaning}, and --rule {said} says otherwise; leave one out")
    return UsageError(
        f"{option} is {meaning}, and the variant {game.variant} has {said}; leave one out, or change the variant by"
        f" --rule {meaning}"
    )


@dataclass(frozen=True, kw_only=True)
class BuildOptions(GameOptions):
    """Which tables of values are built, and from how many deals."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle values build belle-lucie --table none --samples 500 --out small.txt.gz",
    )

    table_: list[str] | None = option("This table; may be given again.  [default: all]", "NAME")
    levels: int | None = option("For 0 to N-1 redeals left.  [default: 3]", "N")
    samples: int | None = option("Deals for each state.  [default: as many as a table needs]", "N")


OPTIONS = {"solve": SolveOptions, "values build": BuildOptions}
