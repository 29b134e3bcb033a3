"""The peer's side of benches/aces_up.py in a process of its own: `python benches/aces_up_child.py PATH`.

PATH is a checkout of henrikenquist/aces-up, with its modules at the root or in `src`. The program reads lines of JSON
with decks and a rule list, and answers each with a line of scores and processor time. Only playing is timed: not the
start of Python, the imports, the reading of decks, or a database.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from time import process_time
from typing import Any

_FIRST_RULE = "move_ace_from_highest_rank_sum"
"""The name of rule 1 in versions that number the rules as our lists do."""


class Peer:
    """The peer's game class, with one object per game as in its main loop."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        package = "" if (folder / "game.py").is_file() else "src."
        self._cards = importlib.import_module(f"{package}cards")
        self._game: Any = importlib.import_module(f"{package}game").Game
        [rule] = self._game([], [1]).rule_funcs or [None]
        if getattr(rule, "__name__", None) != _FIRST_RULE:
            sys.exit(f"{folder}: versions 2.x number the rules otherwise; check out one of 1.x, such as 49371b6")

    def play(self, decks: list[str], rules: list[int]) -> dict[str, Any]:
        piles = [
            [self._card(text) for text in reversed(deck.split())] for deck in decks
        ]  # the peer deals the last card first
        scores = []
        begun = process_time()
        for pile in piles:
            game = self._game(pile, rules)
            game.play()
            scores.append(game.discard_pile.length())
        return {"scores": scores, "seconds": process_time() - begun}

    def _card(self, text: str) -> Any:
        rank, suit = "23456789TJQKA".index(text[0]) + 2, "CDHS".index(text[1]) + 1
        return self._cards.Card(self._cards.Rank(rank), self._cards.Suit(suit))


def main() -> None:
    peer = Peer(Path(sys.argv[1]).resolve())
    print(json.dumps("henrikenquist/aces-up"), flush=True)
    for line in sys.stdin:
        print(json.dumps(peer.play(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
