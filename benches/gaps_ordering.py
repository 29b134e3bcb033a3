"""Fit the learned move order of Gaps, and compare it with the others: `python benches/gaps_ordering.py`.

Without its order by facts (`--without facts`), the engine's search for a win tries the child with the highest weighted
sum of features first. This program fits the weights to winning lines of `addiction-one-deal`, which a search without
any order has found. At each branching, the played move is compared with the rivals that the bound does not prune and
that the search had tried before: each of them is proved lost, or led to a position already searched. A logistic
regression on the differences of their features, with a small ridge, gives the weights, which are tested on other deals.
The target column of a card is not a feature, as the search tries the moves by columns. The last line of the
output is the constant for engine/src/games/gaps/ordering.rs.

`--compare N` searches N deals that were not used for the fit, with each order: none, the hand-made one, the learned
one, the number of facts. Only the nodes of won deals matter: a lost deal is searched to its end in any order. `--fit 0`
skips the fit.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import unshuffle as un
from unshuffle.games.gaps import State, ToGap
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE
from unshuffle.games.gaps.search import bound, closure, forced

VARIANT = "addiction-one-deal"
FIRST, COMPARED = 1_000_000, 2_000_000
"""The first deal numbers of the fit and of the comparison."""
NODES = 2_000_000
"""The node limit of the searches for lines to learn from."""
RIDGE = 1.0
SCALE = 100
"""The engine has integer weights: the fitted ones times this factor, rounded."""
FEATURES = ("facts", "mobile", "locked", "moves", "locks", "opens", "joins", "parts", "dead", "rank", "from")
ORDERS = {"none": ["ordering"], "hand-made": ["facts", "learned"], "learned": ["facts"], "facts": []}
"""For each order, what is switched off."""


def features(before: State, move: ToGap, after: State) -> list[int]:
    """Return the features of a child position, as the engine computes them; see `FEATURES`."""
    reach = closure(after.rules, after.cells)
    assert reach is not None
    card, source = move.card, before.cells.index(move.card)
    target = COLUMNS * (move.row - 1) + move.column - 1
    facts = [cells.bit_count() - 1 for cells in reach if cells]
    left = before.cells[source - 1] if source % COLUMNS else card
    return [
        sum(facts),
        sum(count > 0 for count in facts),
        after.score,
        sum(1 for _ in after.card_moves()),
        int(after.score > before.score),
        int(source % COLUMNS == 0),
        int(move.column < COLUMNS and card.rank < 13 and before.cells[target + 1] is card.next_up),
        int(source % COLUMNS < COLUMNS - 1 and card.rank < 13 and before.cells[source + 1] is card.next_up),
        int(left is None or left.rank == 13),
        card.rank,
        source % COLUMNS,
    ]


def choices(seeds: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield for each choice of a winning line the features of its move, then those of each rival."""
    game = un.game("gaps", VARIANT)
    for seed in seeds:
        result = un.solve(game.deal(seed), nodes=NODES, without=["ordering", "widening"])
        if result.status is not un.Status.SOLVED:
            continue
        state: Any = result.state
        for played in result.moves:
            after = state.play(played)
            if forced(state) is None:
                rivals = [move for move in state.card_moves() if _place(move) < _place(played)]
                tried = [(move, state.play(move)) for move in rivals]
                open_ = [(move, child) for move, child in tried if bound(child) == MOST_SCORE]
                if open_:
                    yield [features(state, move, child) for move, child in [(played, after), *open_]]
            state = after


def _place(move: ToGap) -> tuple[int, int, int]:
    """Return the sort key of a move in the engine's search without an order."""
    return move.column, move.row, move.card.index


def differences(seeds: Sequence[int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the features of the chosen move minus those of a rival, a row for each pair."""
    rows = [np.subtract(chosen, rival) for chosen, *rivals in choices(seeds) for rival in rivals]
    return np.array(rows, dtype=np.float64)


def fit(rows: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the weights of greatest penalized likelihood, by Newton's method."""
    size = rows.std(axis=0)
    size[size == 0] = 1
    scaled = rows / size
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(scaled @ weights))
        slope = scaled.T @ chance - RIDGE * weights
        curve = (scaled.T * (chance * (1 - chance))) @ scaled + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    fitted: np.ndarray[Any, np.dtype[np.float64]] = weights / size
    return fitted


def tell(name: str, rows: np.ndarray[Any, np.dtype[np.float64]], weights: Any) -> None:
    """Print how well the weights separate chosen moves from their rivals."""
    margin = rows @ np.asarray(weights, dtype=np.float64)
    loss = float(np.mean(np.logaddexp(0, -margin)))
    right = float(np.mean((margin > 0) + 0.5 * (margin == 0)))
    print(f"{name}: the chosen move is ahead in {right:.1%} of {len(rows):,} pairs, log loss {loss:.3f}")


def compare(deals: int, nodes: int) -> None:
    """Search the same deals with each order, and print the counts."""
    game = un.game("gaps", VARIANT)
    print(f"{deals} deals from {COMPARED:,}, at most {nodes:,} nodes each; nodes of the won ones")
    print(f"{'order':<12}{'won':>6}{'lost':>6}{'nodes':>14}{'median':>10}{'p95':>12}{'most':>12}{'lost: nodes':>14}")
    for order, without in ORDERS.items():
        won: list[int] = []
        lost: list[int] = []
        for seed in range(COMPARED, COMPARED + deals):
            result = un.solve(game.deal(seed), nodes=nodes, memory="100MB", without=without)
            (won if result.status is un.Status.SOLVED else lost).append(result.stats.nodes)
        won.sort()
        median, p95, most = (won[int((len(won) - 1) * share)] if won else 0 for share in (0.5, 0.95, 1))
        figures = (sum(won), median, p95, most, sum(lost))
        wide = "".join(f"{figure:>{width},}" for figure, width in zip(figures, (14, 10, 12, 12, 14), strict=True))
        print(f"{order:<12}{len(won):>6}{len(lost):>6}{wide}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=int, default=60, metavar="N", help="deals that are fitted to  [default: 60]")
    parser.add_argument("--held-out", type=int, default=15, metavar="N", help="deals that test the fit  [default: 15]")
    parser.add_argument("--compare", type=int, default=0, metavar="N", help="deals that are searched  [default: none]")
    parser.add_argument("--nodes", type=int, default=5_000_000, metavar="N", help="limit of each of these searches")
    arguments = parser.parse_args()
    if arguments.fit:
        weights = fit(differences(range(FIRST, FIRST + arguments.fit)))
        other = differences(range(FIRST + arguments.fit, FIRST + arguments.fit + arguments.held_out))
        tell("facts and 20 for a lock", other, [1 / 20, 0, 1, *[0] * (len(FEATURES) - 3)])
        tell("fitted", other, weights)
        for name, weight in zip(FEATURES, weights, strict=True):
            print(f"  {name:<8}{weight:>10.4f}")
        print(f"const WEIGHTS: [i32; {len(FEATURES)}] = {[round(SCALE * weight) for weight in weights]};")
    if arguments.compare:
        compare(arguments.compare, arguments.nodes)


if __name__ == "__main__":
    main()
