"""The cost of texts and views: `python benches/views.py [--against SRC] [--turns N] [--json]`.

Measures the methods of views, and writing and parsing of layouts, along lines of random play of every game that hides
cards. With `--against`, measures the sources of another checkout too, in turns, and prints ratios of the least times.
Each turn is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

HERE = Path(__file__).parent.parent / "src"
SEEDS = range(3)
LONGEST = 60
"""The most moves of a line: random play may go on for ever."""
Times = dict[str, float]


def lines(game: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield along lines of random play each state, its view, and the next move with the cards that it reveals."""
    from unshuffle.views import HiddenView, Shown

    for seed in SEEDS:
        rng, state = Random(seed), game.deal(seed)
        for _ in range(LONGEST):
            view = state.view()
            if not (moves := state.legal_moves()) or not isinstance(view, HiddenView):
                break
            move = rng.choice(moves)
            # The revealed cards are those of this state.
            order = [card for pile, down in zip(state.piles, view.down, strict=True) for card in pile[:down]]
            stock = next(getattr(state, name) for name in ("stock", "bank") if hasattr(state, name))
            dealt = tuple(stock[: view.dealt_by(move)])
            turned = view.turns(Shown(move, dealt) if dealt else move)
            cards = (*dealt, *(order[sum(view.down[:number]) - 1] for number in turned))
            yield state, view, Shown(move, cards) if cards else move
            state = state.play(move)


def measure() -> Times:
    """Return microseconds per call, by game and operation, of the package that this process imports."""
    import unshuffle as un
    from unshuffle.views import HiddenView

    times: Times = {}
    for name in un.games():
        game = un.game(name)
        if not isinstance(game.deal(0).view(), HiddenView):
            continue
        steps = list(lines(game))
        texts = [str(state) for state, _, _ in steps]
        asks: dict[str, Callable[[], object]] = {
            "view": lambda: [state.view() for state, _, _ in steps],  # noqa: B023 # called before the next game
            "legal moves": lambda: [view.legal_moves() for view in fresh],  # noqa: B023
            "turned by": lambda: [view.turned_by(move) for view, (_, _, move) in zip(fresh, steps, strict=True)],  # noqa: B023
            "play": lambda: [view.play(move) for view, (_, _, move) in zip(fresh, steps, strict=True)],  # noqa: B023
            "sample": lambda: [view.sample(Random(1)) for view in fresh],  # noqa: B023
            "write view": lambda: [str(view) for view in fresh],  # noqa: B023
            "wire": lambda: [game.wire(state) for state, _, _ in steps],  # noqa: B023
            "parse": lambda: [game.parse(text) for text in texts],  # noqa: B023
        }
        for what, ask in asks.items():
            for _ in range(2):  # the first run warms up
                fresh = [state.view() for state, _, _ in steps]  # a view caches its answers
                begun = process_time()
                ask()
            times[f"{name}: {what}"] = (process_time() - begun) / len(steps) * 1e6
    return times


def asked(source: Path) -> Times:
    """Return the times of the package with these sources, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, __file__, "--here"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{source}: {done.stderr.strip()[-2000:]}")
    times: Times = json.loads(done.stdout)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, metavar="SRC", help="the src folder of another checkout")
    parser.add_argument("--turns", type=int, default=3, metavar="N", help="how often each is asked (3)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(measure()))
        return
    if arguments.turns < 1:
        parser.error("--turns is at least 1")
    if arguments.against is not None and not (arguments.against / "unshuffle").is_dir():
        parser.error(f"{arguments.against} holds no package 'unshuffle'")
    sources = [HERE, *([arguments.against] if arguments.against else [])]
    turns = [[asked(source) for source in sources] for _ in range(arguments.turns)]
    least = [{name: min(turn[side][name] for turn in turns) for name in turns[0][0]} for side in range(len(sources))]
    if arguments.json:
        print(json.dumps(least, indent=1))
        return
    print(f"{'microseconds a call':<28}{'here':>10}" + f"{'there':>10}{'ratio':>8}" * (len(sources) - 1))
    for name, here in least[0].items():
        there = "".join(f"{side[name]:>10.1f}{here / side[name]:>8.2f}" for side in least[1:])
        print(f"{name:<28}{here:>10.1f}{there}")


if __name__ == "__main__":
    main()
