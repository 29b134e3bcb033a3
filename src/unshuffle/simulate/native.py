"""Many games of one policy, played by the engine."""

from __future__ import annotations

from collections.abc import Generator

from unshuffle import engine
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.simulate.playing import Deals, Played
from unshuffle.solve import Status, cores, has_twin
from unshuffle.solve.replay import check

# Deals handed to the engine at once: one call for many costs less than many calls for one.
_GULP = 1024
# Of the games whose lines nobody keeps, one in so many is replayed by the Python rules, wins apart.
_ONE_IN = 100


def can_play(deals: Deals) -> bool:
    """Whether the engine serves and knows the game, and all that is to come in these deals is known."""
    if engine.native() is None or not has_twin(deals.game):
        return False
    try:
        for state in deals.states or ():
            deals.game.check_open(state)
    except UsageError:
        return False  # the rules play on to the redeal, and say there what is not known
    return True


def play_natively(
    deals: Deals,
    policy: str,
    *,
    values: bytes | None,
    seed: int | None,
    threads: int | None,
    keeps_moves: bool,
    replay_wins: int | None,
) -> Generator[Played, None, None]:
    """Play every deal, in order, by the engine's policy; `seed` is that of the policy's lots, None if it draws none.

    Games are replayed by the rules as `Policy.play_many` says.
    """
    native = engine.native()
    assert native is not None
    game = deals.game
    games = native.Games(game.id, write_rules(game.rules), policy=policy, threads=threads or cores(), values=values)
    seeds = deals.seeds
    submitted = wins = 0
    try:
        for place in range(len(deals)):
            # Topped up while half of them are still to come, so that no thread waits.
            while submitted < min(len(deals), place + _GULP // 2):
                part = range(submitted, min(len(deals), submitted + _GULP))
                lucks = None if seed is None else [deals.luck(other, seed).seed for other in part]
                if seeds is None:
                    games.submit([game.wire(deals.state(other)) for other in part], lucks)
                else:
                    games.submit_seeds(list(seeds[part.start : part.stop]), lucks)
                submitted = part.stop
            played = games.next()
            assert played is not None
            score, won, tokens = played
            is_replayed = keeps_moves or replay_wins is None or (won and wins < replay_wins) or place % _ONE_IN == 0
            wins += won
            moves = None
            if is_replayed:
                moves = tuple(map(game.parse_move, tokens))
                check(deals.state(place), moves, Status.SOLVED if won else Status.UNSOLVABLE, score, "native")
            yield Played(score, won, moves if keeps_moves else None, is_replayed)
    finally:
        games.cancel()
