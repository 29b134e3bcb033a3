"""Agnes Sorel beside quagnes: `python benches/agnes.py [--python-peer PATH] [--cpp PATH] [--decks N] [--json]`.

All programs play the same decks (1..N of the python stream 12345) on one thread, in turns, so that other load of the
machine affects all of them. Prints games per second of processor time, how many games the peer gave up at its cap, the
ratio of the peer's seconds to ours, over all decks and over those that the peer decided, every verdict that differs,
and the bytes per stored position. quagnes is the package from PyPI, in this Python or in the one that `--python-peer`
names; quagnes-cpp is a binary that you built.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un
from unshuffle.games.agnes.places import SUIT_ORDER

SEED = 12345
# The number of decks: some minutes in all with both peers, nearly all of them for quagnes.
VARIANTS = {
    "down-color-none": 300,
    "up-suit-none": 1000,
    "up-suit-highrun-nosplit": 60,
    "up-suit-anyrun-nosplit": 60,
}
CHILD = Path(__file__).with_name("agnes_child.py")
FEW_ENTRIES = 1000
"""The least table size for which bytes per position are computed: small tables are mostly empty."""

Deck = Sequence[un.Card]
Verdict = str | None
"""'won', 'lost', or None for a game that was given up."""


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a program on some decks."""

    verdicts: list[Verdict]
    seconds: float
    each: list[float] | None = None
    """The seconds of each deck, if the program reports them."""
    around: float = 0.0
    """Our seconds outside of the engine's thread: Python's part, with the replay of every line."""


class Side(Protocol):
    """A program that plays decks."""

    name: str

    def play(self, variant: str, decks: Sequence[Deck]) -> Played: ...


def quagnes_deck(deck: Deck) -> str:
    """Return a deck file for quagnes: ranks 0..12 from the ace, suits in the order C D S H."""
    return "".join(f"({card.rank - 1:2d}, {SUIT_ORDER.index(card.suit)})\n" for card in deck)


def quagnes_rules(variant: str) -> dict[str, Any]:
    """Return the rules of a variant as quagnes' options."""
    rules = un.game("agnes", variant).rules
    return {
        "face_up": rules.face_up,
        "move_same_suit": rules.move_same_suit,
        "move_to_empty_pile": rules.move_to_empty_pile.replace("-", " "),
        "split_runs": rules.split_runs,
    }


class Ours:
    """unshuffle, in a process of its own like the peers."""

    def __init__(self) -> None:
        self._child = harness.Child([sys.executable, str(CHILD), "unshuffle"])
        self.name: str = self._child.answer()
        self.tables: list[tuple[int, int]] = []
        """Entries and bytes of the table at the end of each search."""

    def play(self, variant: str, decks: Sequence[Deck]) -> Played:
        texts = [" ".join(map(str, deck)) for deck in decks]
        answer = self._child.ask(variant=variant, decks=texts)
        self.tables += answer.pop("tables")
        return Played(**answer)


class Quagnes:
    """The Python package."""

    def __init__(self, python: str, cap: int) -> None:
        self._child = harness.Child([python, str(CHILD), "quagnes"])
        self.name: str = self._child.answer()
        self._cap = cap

    def play(self, variant: str, decks: Sequence[Deck]) -> Played:
        texts = [quagnes_deck(deck) for deck in decks]
        return Played(**self._child.ask(decks=texts, rules=quagnes_rules(variant), cap=self._cap))


class QuagnesCpp:
    """The C++ port, which reads a folder of deck files and prints a CSV line per game; its start-up is subtracted."""

    name = "quagnes-cpp"

    def __init__(self, binary: Path, cap: int) -> None:
        self._command = [str(binary.resolve()), "-m", str(cap)]
        self._start = harness.start_cost([*self._command, "-n", "0"], "", Path.cwd())

    def play(self, variant: str, decks: Sequence[Deck]) -> Played:
        rules = quagnes_rules(variant)
        signs = {"-f": rules["face_up"], "-u": rules["move_same_suit"], "-s": not rules["split_runs"]}
        options = ["-e", rules["move_to_empty_pile"], *(sign for sign, is_on in signs.items() if is_on)]
        with tempfile.TemporaryDirectory() as folder:
            for index, deck in enumerate(decks):
                file = Path(folder, "decks", f"o{index // 1000}", f"deck{index + 1}.txt")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(quagnes_deck(deck), encoding="utf-8")
            run = harness.run_peer([*self._command, "-n", str(len(decks)), *options], "", Path(folder), None)
        assert run is not None  # there was no limit
        rows = [line.split(",") for line in run[0].splitlines()[1:]]
        if len(rows) != len(decks):
            sys.exit(f"{self._command[0]} answered for {len(rows)} of {len(decks)} decks of {variant}")
        codes: dict[str, Verdict] = {"1": "won", "2": "lost", "3": None}
        return Played([codes[row[1]] for row in rows], max(run[1] - self._start, 1e-6))


@dataclass(slots=True)
class Score:
    """The times of one program in one comparison."""

    program: str
    decks: int = 0
    seconds: float = 0.0
    undecided: int = 0
    decided_seconds: float = 0.0
    """Seconds over the decks that the peer decided."""

    @property
    def games_per_second(self) -> float:
        return self.decks / self.seconds

    def add(self, played: Played, decided_seconds: float) -> None:
        self.decks += len(played.verdicts)
        self.seconds += played.seconds
        self.undecided += played.verdicts.count(None)
        self.decided_seconds += decided_seconds


@dataclass(slots=True)
class Comparison:
    """A variant with our times and those of a peer, if there is one."""

    variant: str
    ours: Score
    peer: Score | None
    around: float = 0.0
    """Our seconds outside of the engine's thread: Python's part, with the replay of every line."""
    compared: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def ratios(self) -> tuple[float, float] | None:
        """The ratio of the peer's seconds to ours, over all decks and over those that the peer decided."""
        if self.peer is None:
            return None
        return self.peer.seconds / self.ours.seconds, self.peer.decided_seconds / max(self.ours.decided_seconds, 1e-9)

    def told(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        scores = {"ours": self.ours, "peer": self.peer}
        rates = {
            name: score and asdict(score) | {"games_per_second": score.games_per_second}
            for name, score in scores.items()
        }
        return asdict(self) | rates | {"ratios": self.ratios}


def compare(variant: str, decks: list[Deck], ours: Ours, peers: Sequence[Side], turns: int) -> Sequence[Comparison]:
    """Play the decks part by part, in turns: a peer, ours, the next peer, ours."""
    sides: list[Side | None] = [*peers] or [None]
    rows = [Comparison(variant, Score(ours.name), None if peer is None else Score(peer.name)) for peer in sides]
    size = -(-len(decks) // turns)
    for first in range(0, len(decks), size):
        part = decks[first : first + size]
        print(f"\r{variant}: deck {first + len(part)} of {len(decks)} ", end="", file=sys.stderr, flush=True)
        for row, peer in zip(rows, sides, strict=True):
            theirs = None if peer is None else peer.play(variant, part)
            mine = ours.play(variant, part)
            row.around += mine.around
            mine_decided = mine.seconds
            if peer is not None and theirs is not None:
                assert row.peer is not None
                theirs_decided = theirs.seconds
                decided = [index for index, verdict in enumerate(theirs.verdicts) if verdict is not None]
                if len(decided) < len(part):
                    # A program that reports only its total time plays the decided decks again: nothing is guessed.
                    rest = [part[index] for index in decided]
                    mine_decided = ours.play(variant, rest).seconds if rest else 0.0
                    if theirs.each is not None:
                        theirs_decided = sum(theirs.each[index] for index in decided)
                    else:
                        theirs_decided = peer.play(variant, rest).seconds if rest else 0.0
                row.peer.add(theirs, theirs_decided)
                note_differences(row, theirs, mine, first)
            row.ours.add(mine, mine_decided)
    print(file=sys.stderr)
    return rows


def note_differences(row: Comparison, theirs: Played, mine: Played, before: int) -> None:
    """Count the decks that both decided, and note those on which the verdicts differ."""
    for number, (their, my) in enumerate(zip(theirs.verdicts, mine.verdicts, strict=True), before + 1):
        if their is not None and my is not None:
            row.compared += 1
            if their != my:
                assert row.peer is not None
                deal = f"agnes/{row.variant}@python:{SEED}#{number}"
                row.differences.append(f"{deal}: {row.peer.program} says {their}, {row.ours.program} {my}")


def bytes_per_entry(tables: Sequence[tuple[int, int]]) -> dict[str, float] | None:
    """Return the median and the maximum of bytes per stored position, over searches of at least FEW_ENTRIES entries."""
    sizes = [size / entries for entries, size in tables if entries >= FEW_ENTRIES]
    return {"searches": len(sizes), "median": median(sizes), "most": max(sizes)} if sizes else None


def show(rows: Sequence[Comparison]) -> None:
    """Print a line per program, with the ratios in the line of the peer."""
    numbers = f"{'decks':>6}{'seconds':>10}{'games/s':>10}{'given up':>10}{'ratio':>9}{'of decided':>12}"
    print(f"{'variant':<25}{'program':<27}{numbers}")
    for row in rows:
        for score in (row.peer, row.ours):
            if score is not None:
                ratios = "".join(f"{r:>{w},.1f}" for r, w in zip(row.ratios or (), (9, 12), strict=False))
                print(
                    f"{row.variant:<25}{score.program:<27}{score.decks:>6,}{score.seconds:>10.4g}"
                    f"{score.games_per_second:>10,.4g}{score.undecided:>10}{ratios if score is row.peer else ''}"
                )
        print(f"{'':<25}of our seconds in Python, around the search: {harness.in_words(row.around)}")
        if row.peer is not None:
            agree = row.compared - len(row.differences)
            print(f"{'':<25}verdicts agree on {agree} of {row.compared} decks that both decided")
        for difference in row.differences:
            print(f"VERDICTS DIFFER: {difference}")
    if any(row.peer for row in rows):
        print(
            "\nratio: the peer's seconds in ours, over all decks, and over those that the peer decided within its cap"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python-peer", metavar="PATH", help="a Python that has quagnes (this one, if it has)")
    parser.add_argument("--python-cap", type=int, default=100_000, help="steps that quagnes may take a game (100000)")
    parser.add_argument("--cpp", type=Path, metavar="PATH", help="a built quagnes-cpp")
    parser.add_argument(
        "--cpp-cap", type=int, default=2_000_000, help="steps that quagnes-cpp may take a game (2000000)"
    )
    defaults = ", ".join(f"{name} {count}" for name, count in VARIANTS.items())
    parser.add_argument("--variant", action="append", metavar="NAME", help="only this variant; may be repeated")
    parser.add_argument("--decks", type=int, metavar="N", help=f"decks 1..N of every variant ({defaults})")
    parser.add_argument("--turns", type=int, default=10, help="how often the programs take turns (10)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    arguments = parser.parse_args()
    if min(arguments.turns, arguments.python_cap, arguments.cpp_cap, arguments.decks or 1) < 1:
        parser.error("numbers of decks, steps and turns are 1 or more")
    if arguments.cpp is not None and not arguments.cpp.is_file():
        parser.error(f"there is no quagnes-cpp at {arguments.cpp}")

    peers: list[Side] = []
    python = arguments.python_peer or (sys.executable if find_spec("quagnes") else None)
    if python is not None:
        peers.append(Quagnes(python, arguments.python_cap))
    if arguments.cpp is not None:
        peers.append(QuagnesCpp(arguments.cpp, arguments.cpp_cap))
    variants = arguments.variant or list(VARIANTS)
    for variant in variants:
        rules = un.game("agnes", variant).rules
        if not rules.split_runs and not rules.move_same_suit and any("quagnes 0." in peer.name for peer in peers):
            parser.error(f"{variant}: quagnes before 1.0.0 has another rule in colour games without splitting")

    ours = Ours()
    rows: list[Comparison] = []
    for variant in variants:
        stream = un.game("agnes", variant).decks(SEED, "python")
        decks: list[Deck] = list(islice(stream, arguments.decks or VARIANTS.get(variant, 60)))
        rows += compare(variant, decks, ours, peers, arguments.turns)
    size = bytes_per_entry(ours.tables)
    if arguments.json:
        told = [row.told() for row in rows]
        print(json.dumps({"stream": f"python:{SEED}", "comparisons": told, "bytes_per_entry": size}, indent=1))
        return
    show(rows)
    if size is None:
        print(f"No search stored {FEW_ENTRIES:,} positions, so nothing is said about their size.")
    else:
        print(
            f"A stored position takes {size['median']:.1f} bytes (median of {size['searches']:,} searches with at least"
            f" {FEW_ENTRIES:,} of them), {size['most']:.1f} at most."
        )


if __name__ == "__main__":
    main()
