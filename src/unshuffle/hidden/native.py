"""Mass play by the engine: in blocks that keep a few bytes per game, or game by game with the lines of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import InternalError
from unshuffle.hidden.playing import Block, Deals, Played, Replays, count_tableau_moves, pack, played
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, cores, has_twin
from unshuffle.solve.replay import check

if TYPE_CHECKING:
    from unshuffle.hidden.policy import Policy

# Deals per engine call: one call for many deals costs less than many calls for one.
_GULP = 1024


def can_play(deals: Deals) -> bool:
    """Return whether the engine is available, knows the game, and every redeal of these deals is known."""
    if engine.native() is None or not has_twin(deals.game):
        return False
    # Otherwise the Python rules play up to the unknown redeal and report it there.
    return all(map(deals.game.is_open, deals.states or ()))


class _Asked:
    """Deals in the form in which the engine takes them."""

    def __init__(self, deals: Deals, places: Sequence[int], policy: Policy) -> None:
        numbers = deals.seeds
        self.seeds = self.positions = None
        if isinstance(numbers, range) and isinstance(places, range):
            self.seeds = list(numbers[places.start : places.stop])  # a million in one slice
        elif numbers is not None:
            self.seeds = [numbers[place] for place in places]
        else:
            self.positions = [deals.game.wire(deals.state(place)) for place in places]
        self.lucks = [deals.luck(place, policy.seed).seed for place in places] if policy.draws_lots else None


def play_part(deals: Deals, part: range, policies: Sequence[Policy], threads: int | None) -> list[Block]:
    """Play the deals at these places with each policy and return a block per policy.

    Games without lines are not replayed yet. Policies that need no random stream, and the same values or none, are
    played in one call: each deck is shuffled once, and what one policy works out is reused for the others.
    """
    blocks: dict[int, Block] = {}
    together: dict[bytes | None, list[int]] = {}
    for place, policy in enumerate(policies):
        values = policy.packed_values(deals.game.rules)
        if policy.draws_lots:
            [blocks[place]] = _play_together(deals, part, [policy], values, threads)
        else:
            together.setdefault(values, []).append(place)
    if len(together) == 2 and None in together:
        [values] = filter(None, together)
        together = {values: together[values] + together[None]}
    for values, places in together.items():
        found = _play_together(deals, part, [policies[place] for place in places], values, threads)
        blocks.update(zip(places, found, strict=True))
    return [blocks[place] for place in range(len(policies))]


def _play_together(
    deals: Deals, part: range, policies: list[Policy], values: bytes | None, threads: int | None
) -> list[Block]:
    native: Any = engine.native()
    game = deals.game
    asked = _Asked(deals, part, policies[0])
    found = native.simulate_many(
        game.engine_id,
        write_rules(game.rules),
        [policy.engine_policy for policy in policies],
        seeds=asked.seeds,
        positions=asked.positions,
        lucks=asked.lucks,
        threads=threads or cores(),
        values=values,
    )
    blocks = []
    for policy, (packed, won, moves, counts, lines) in zip(policies, found, strict=True):
        scores = engine.read_scores(packed)
        if lines is not None:
            claims = zip(part, scores, won, lines, strict=True)
            games = [
                _replayed(deals, policy, place, score, bool(is_won), line) for place, score, is_won, line in claims
            ]
            blocks.append(pack(games, deals, part.start, keeps_lines=policy.keeps_lines))
            continue
        if game.tableau_moves and moves is None:
            # The engine does not count moves for the policies that every game has.
            blocks.append(pack(list(play_lines(deals, part, policy, threads)), deals, part.start))
            continue
        all_counts = Counter({int(name): times for name, (times, _) in counts.items()})
        won_counts = Counter({int(name): times for name, (_, times) in counts.items()})
        blocks.append(Block(scores, won, moves if game.tableau_moves else None, all_counts, won_counts))
    return blocks


def _replayed(deals: Deals, policy: Policy, place: int, score: int, won: bool, tokens: Sequence[str]) -> Played:
    """Replay the engine's line by the rules and return the game."""
    moves = tuple(map(deals.game.parse_move, tokens))
    status = Status.SOLVED if won else Status.UNSOLVABLE
    return played(policy, check(deals.state(place), moves, status, score, "native"))


def replay_some(
    deals: Deals, part: range, policy: Policy, block: Block, replays: Replays, threads: int | None
) -> Block:
    """Play some games of a block again, line by line, by the rules; raise InternalError if a result differs."""
    if block.replayed:
        return block  # it was made from lines, which are replayed
    places = list(replays.places(block.won))
    again = play_lines(deals, [part[place] for place in places], policy, threads)
    for place, game in zip(places, again, strict=True):
        moves = count_tableau_moves(deals.game, game.moves)
        ended = (game.score, game.won, moves)
        claimed = (
            block.scores[place],
            bool(block.won[place]),
            None if block.tableau_moves is None else block.tableau_moves[place],
        )
        if ended != claimed:
            state = deals.state(part[place])
            raise InternalError(
                f"{policy.name} played {state.id or 'a typed deal'} to {claimed} and, move by move, to {ended}"
                " (score, won, tableau moves)",
                f"policy: {policy.name}\nrules: {state.rules!r}\nposition:\n{state}"
                f"moves: {' '.join(move.token for move in game.moves)}",
            )
    return block._replace(replayed=len(places))


def play_lines(
    deals: Deals, places: Sequence[int], policy: Policy, threads: int | None
) -> Generator[Played, None, None]:
    """Yield the games of the deals at these places, in order, played by the engine; the rules replay every line."""
    native = engine.native()
    assert native is not None
    assert policy.engine_policy is not None
    game = deals.game
    if not places:
        return
    games = native.Games(
        game.engine_id,
        write_rules(game.rules),
        policy=policy.engine_policy,
        threads=min(len(places), threads or cores()),
        values=policy.packed_values(game.rules),
    )
    submitted = 0
    try:
        for done, place in enumerate(places):
            # Refill the queue when half of it is done, so that no thread waits.
            while submitted < min(len(places), done + _GULP // 2):
                asked = _Asked(deals, places[submitted : submitted + _GULP], policy)
                if asked.positions is None:
                    games.submit_seeds(asked.seeds, asked.lucks)
                else:
                    games.submit(asked.positions, asked.lucks)
                submitted = min(len(places), submitted + _GULP)
            found = games.next()
            assert found is not None
            score, won, tokens = found
            yield _replayed(deals, policy, place, score, won, tokens)
    finally:
        games.cancel()
