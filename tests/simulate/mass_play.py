"""Mass play in the engine beside the players of one game."""

from __future__ import annotations

from array import array

from unshuffle.simulate import Deals, play_game, policy_of, run_policy


def check_run(deals: Deals, name: str, threads: int = 1) -> None:
    """Law: mass play in the engine and the player of one game make the same moves."""
    policy = policy_of(deals.game, name)
    assert policy.engine(deals.game) == "native"
    one_by_one = [play_game(policy, deals.state(place), deals.luck(place, policy.seed)) for place in range(len(deals))]
    kept = policy.play_many(deals, threads=threads)
    assert [game.moves for game in kept] == [game.moves for game in one_by_one]
    mass = run_policy(deals, policy, threads=threads, replay_wins=0)
    assert mass.packed == (array("h", [game.score for game in one_by_one]), bytes(game.won for game in one_by_one))
