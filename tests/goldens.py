"""Write the golden files again from the Python rules: `make goldens`, then review the diff.

The engine's tests and Python's read the same files; a changed deal is a broken promise, not a refactoring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import unshuffle as un
from unshuffle.cards import PACK, format_cards
from unshuffle.deals import LAST_SEED, deck

DATA = Path(__file__).parent / "data"
GOLDEN_SEEDS = (0, 1, 2, 7, 12345, 2**32, 2**63, LAST_SEED)
PERFT_DEPTHS = {"belle-lucie": 5, "agnes": 5, "aces-up": 10, "gaps": 5, "spider": 4}
PERFT_SEEDS = (*range(10), 2**64 - 1)
# The other variants: fewer deals, and less deep where they have more moves.
VARIANT_DEPTHS = {"belle-lucie": 3, "agnes": 5, "aces-up": 7, "gaps": 4, "spider": 3}
VARIANT_SEEDS = (1, 2**64 - 1)
PLAYTHROUGHS = {
    "belle-lucie": ("three-shuffles-and-a-draw", "fan", "shamrocks"),
    "agnes": ("up-suit-anyrun", "down-color-any1-nosplit"),
    "aces-up": ("relaxed-discards", "russian", "five-piles", "firing-squad"),
    "gaps": ("addiction-early", "montana", "basic"),
    "spider": ("2-suits", "1-suit-strict"),
}
LONGEST_PLAYTHROUGH = 25
# A random game of Agnes Sorel or Spider need not end: cards can go to and fro. One of Gaps is long.
LONGEST_OF_DEFAULT = {"agnes": 60, "gaps": 40, "spider": 40}


def golden_decks() -> str:
    """Decks of the default generator: `SEED#NUMBER | cards`."""
    rows = [f"{seed}#{n} | {format_cards(deck(PACK, seed, number=n))}" for seed in GOLDEN_SEEDS for n in (1, 2, 3)]
    return "# SEED#NUMBER | the deck in deal order; docs/deals.md\n" + "\n".join(rows) + "\n"


def perft(state: Any, depth: int) -> int:
    """Move sequences of exactly this length."""
    if depth == 1:
        return len(state.legal_moves())
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def perft_rows(games: Iterable[un.Game[Any, Any]], depth: int, seeds: Iterable[int]) -> str:
    """Perft counts of a few deals: `ID | counts for depth 1, 2, ...`."""
    rows = []
    for game in games:
        # Of a game of phases the moves up to the next redeal.
        for state in (game.phase(game.deal(seed)) for seed in seeds):
            rows.append(f"{state.id} | {' '.join(str(perft(state, d)) for d in range(1, depth + 1))}")
    return "# deal id | move sequences of length 1, 2, ...\n" + "\n".join(rows) + "\n"


def playthrough(game: un.Game[Any, Any], seed: int, longest: int | None = None) -> str:
    """All that can be observed along one random game, so that changed behaviour shows as a diff."""
    return "\n".join(_observe(game, seed, longest)) + "\n"


def _observe(game: un.Game[Any, Any], seed: int, longest: int | None) -> Iterator[str]:
    rng = Random(seed)
    state = game.deal(seed)
    yield f"{game.name}: {state.id}"
    for number in count():
        moves = state.legal_moves()
        yield f"\n{game.picture(state)}\n"
        yield str(state).rstrip()
        yield f"score {state.score}, outcome {state.outcome}"
        yield f"legal: {' '.join(move.token for move in moves)}"
        if not moves or number == longest:
            return
        move = rng.choice(moves)
        words = game.describe(state, move)
        yield f"\n{words.kind}: {move.token}, {words.text}"
        state = state.play(move)


def golden_files() -> dict[Path, str]:
    """Every golden file with the text it should have."""
    files = {DATA / "deals.txt": golden_decks()}
    for name, depth in PERFT_DEPTHS.items():
        game, *others = (un.game(name, variant) for variant in un.games()[name])
        files[DATA / name / f"{name}.perft"] = perft_rows([game], depth, PERFT_SEEDS)
        files[DATA / name / "playthrough.txt"] = playthrough(game, 7, LONGEST_OF_DEFAULT.get(name))
        if others:
            files[DATA / name / "variants.perft"] = perft_rows(others, VARIANT_DEPTHS[name], VARIANT_SEEDS)
        for other in others:
            if other.variant in PLAYTHROUGHS.get(name, ()):
                path = DATA / name / f"playthrough-{other.variant}.txt"
                files[path] = playthrough(other, 7, LONGEST_PLAYTHROUGH)
    return files


if __name__ == "__main__":
    for path, text in golden_files().items():
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DATA.parent))
