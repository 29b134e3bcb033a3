"""Agnes Sorel's players: they see views, they end, and docs/simulate.md says every move of theirs."""

from __future__ import annotations

from random import Random

import pytest

import unshuffle as un
from tests.laws import EVERYONE
from unshuffle.cards import PACK
from unshuffle.deals import SplitMix64, deck, shuffled
from unshuffle.games.agnes import State, ToFoundation, ToPile
from unshuffle.games.agnes.hidden.estimate import estimate, options_of, play_on
from unshuffle.games.agnes.hidden.strategy import greedy, is_safe, points_of
from unshuffle.simulate import Luck, play_game, policies, policy_of
from unshuffle.solve import Status, replay

pytestmark = pytest.mark.both_engines
of_python = pytest.mark.one_engine("checks what is of Python in either case")

VARIANTS = (
    "up-suit-anyrun",
    "up-suit-highrun",
    "down-color-none",
    "down-color-anyrun-nosplit",
    "up-color-any1",
    "down-suit-high1",
)
DOWN = un.game("agnes")


def test_their_names() -> None:
    assert set(policies(DOWN)) == EVERYONE
    assert policy_of(DOWN, " greedy: ").name == "greedy"
    for text, name in {
        "rollout": "rollout:20",
        "rollout:": "rollout:20",
        "rollout:50": "rollout:50",
        "rollout: 50 ; seed=3": "rollout:50;seed=3",
        "rollout:seed=3": "rollout:20;seed=3",
    }.items():
        policy = policy_of(DOWN, text)
        assert policy.name == name
        assert policy_of(DOWN, policy.name).name == name
    assert policy_of(DOWN, "rollout:seed=3").seed == 3


@pytest.mark.parametrize("text", ["0", "-1", "x", "1000001", "50;50", "50;sed=3", "50;seed=x", "²"])
def test_a_wrong_rollout_is_named(text: str) -> None:
    with pytest.raises(un.UsageError, match="rollout"):
        policy_of(DOWN, f"rollout:{text}")


def test_greedy_takes_no_options() -> None:
    with pytest.raises(un.UsageError, match="takes no options"):
        policy_of(DOWN, "greedy:seed=3")


# The docs' word for the engine: a changed number here changes every published figure.
SCORES = {
    "up-suit-anyrun": [52, 4, 3, 5, 10, 7, 12, 4, 52, 3, 1, 7, 4, 4, 4, 31, 4, 14, 5, 4],
    "up-suit-highrun": [7, 4, 3, 5, 10, 7, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 3, 5, 4],
    "down-color-none": [7, 4, 3, 5, 10, 13, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 8, 5, 9],
    "down-color-anyrun-nosplit": [8, 4, 3, 5, 10, 12, 6, 4, 52, 11, 1, 7, 5, 4, 4, 52, 3, 52, 6, 6],
    "up-color-any1": [36, 4, 3, 5, 10, 16, 12, 4, 12, 3, 1, 7, 4, 4, 4, 25, 4, 52, 5, 6],
    "down-suit-high1": [7, 4, 3, 5, 10, 7, 5, 4, 7, 3, 1, 7, 4, 4, 4, 12, 3, 3, 5, 6],
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_games_of_greedy(variant: str) -> None:
    games = un.simulate(un.game("agnes", variant), "greedy", range(20))
    assert list(games.packed[0]) == SCORES[variant]


@pytest.mark.parametrize("variant", un.games()["agnes"])
def test_greedy_ends_by_itself(variant: str) -> None:
    """Law: no game goes to and fro; each ends with no useful move and no card to deal."""
    game = un.game("agnes", variant)
    for record in un.simulate(game, "greedy", range(3)):
        line = replay(un.deal(record.deal or ""), record.moves)
        assert len(set(line.states)) == len(line.states)
        assert record.won or not line.states[-1].stock


def test_up_before_all_else_and_the_first_pile_first() -> None:
    game = un.game("agnes", "up-color-anyrun")
    state = game.parse("Base: A\nFoundations: QC KD JS KH\n1: KS\n2: QS\n3: KC\n4: -\n5: -\n6: -\n7: -\nStock: -")
    assert greedy(state, state.legal_moves()) == ToFoundation(2)


def states_of(variant: str, seeds: range, each: int = 6) -> list[State]:
    """Tables along random play."""
    game = un.game("agnes", variant)
    rng = Random(variant)
    found = []
    for seed in seeds:
        state = game.deal(seed)
        line = [state]
        while (moves := state.legal_moves()) and len(line) < 60:
            state = state.play(rng.choice(moves))
            line.append(state)
        found += rng.sample(line, min(each, len(line)))
    return found


@of_python
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hidden_card_is_seen(variant: str) -> None:
    """Law: tables that look the same are played the same, whatever lies face down and in the stock."""
    rng = Random(3)
    for state in states_of(variant, range(3)):
        others = [state.view().sample(rng) for _ in range(3)]
        for name in ("greedy", "rollout:1"):
            chosen = set()
            for other in (state, *others):
                player = policy_of(un.game("agnes", variant), name).player(Luck("one game"))
                chosen.add(player(other.view(), other.legal_moves()) if other.legal_moves() else None)
            assert len(chosen) == 1
        assert {greedy(other, other.legal_moves()) for other in (state, *others)} == {
            greedy(state.view(), state.legal_moves())
        }


def test_the_unseen_cards_are_shuffled_as_decks_are() -> None:
    assert tuple(shuffled(PACK, SplitMix64(7))) == deck(PACK, 7)
    assert shuffled(PACK[:1], SplitMix64(7)) == [PACK[0]]


def test_every_option_meets_the_same_cards() -> None:
    state = un.game("agnes", "up-suit-anyrun").deal(3)
    view, moves = state.view(), state.legal_moves()
    both = estimate(view, moves, 3, SplitMix64(5))
    for move, tally in zip(moves, both, strict=True):
        (alone,) = estimate(view, [move], 3, SplitMix64(5))
        assert alone == tally
        luck = SplitMix64(5)
        fills = [view.laid(shuffled(view.unseen, luck)) for _ in range(3)]
        scores = [play_on(fill.play(move)) for fill in fills]
        assert (tally.samples, tally.score, tally.most) == (3, sum(scores), max(scores))


def test_nothing_unseen_is_played_on_once() -> None:
    state = next(state for state in un.game("agnes", "up-suit-anyrun").small_states(1) if not state.stock)
    assert {tally.samples for tally in estimate(state.view(), state.legal_moves(), 50, SplitMix64(0))} <= {1}


def test_which_moves_are_weighed() -> None:
    game = un.game("agnes", "up-color-anyrun")
    state = game.parse("Base: A\nFoundations: KC JD QS JH\n1: QH QD\n2: -\n3: KH\n4: -\n5: KD\n6: -\n7: KS\nStock: -\n")
    options = list(options_of(state.view(), state.legal_moves()))
    # QD to the first empty pile and onto a king, no king from its pile to another.
    assert [move.token for move in options] == ["1f", "7f", "1-2", "1-3", "1-5"]


@pytest.mark.parametrize("variant", ["up-suit-anyrun", "down-color-none", "up-color-any1-nosplit"])
def test_rollout_never_comes_back(variant: str) -> None:
    """Law: no table is there twice in a game, and play ends where playouts bring nothing more."""
    game = un.game("agnes", variant)
    for seed, state in enumerate(game.small_states(4)):
        if seed > 8:
            break
        played = play_game(policy_of(game, "rollout:2"), state, Luck(f"game {seed}"))
        assert played.moves is not None
        line = replay(state, played.moves)
        assert len(set(line.states)) == len(line.states)


@pytest.mark.parametrize(
    ("variant", "score", "tokens"),
    [
        ("up-suit-anyrun", 7, "1-5 6-1 6f 4-6 d 4f 3f 6f d 3f 1f d d"),
        ("down-color-none", 7, "1-5 d 6f 4-3 6-5 6f 3f 3f 4-6 d 3f 1f d 6-4 d"),
        ("up-suit-highrun-nosplit", 7, "1-5 d 6f 4-3 6-5 6f 3f 3f 4-6 d 3f 1f d d"),
    ],
)
def test_the_games_of_rollout(variant: str, score: int, tokens: str) -> None:
    (record,) = un.simulate(un.game("agnes", variant), "rollout:3", [11])
    assert (record.score, " ".join(move.token for move in record.moves)) == (score, tokens)


def test_the_seed_changes_the_luck() -> None:
    game = un.game("agnes", "up-suit-anyrun")
    lines = {un.simulate(game, f"rollout:1;seed={seed}", [11])[0].moves for seed in range(3)}
    assert len(lines) > 1


@of_python
@pytest.mark.parametrize("variant", ["up-suit-anyrun", "up-color-none", "up-suit-any1-nosplit", "down-color-anyrun"])
def test_a_safe_card_loses_nothing(variant: str) -> None:
    """Law: what is called safe never turns a won table into a lost one."""
    game = un.game("agnes", variant)
    tried = 0
    for seed in range(40):
        for state in game.small_states(seed):
            safe = [move for move in state.legal_moves() if is_safe(state.view(), move)]
            if not safe or un.solve(state, nodes=20_000).status is not Status.SOLVED:
                continue
            tried += 1
            assert un.solve(state.play(safe[0]), nodes=20_000).status is Status.SOLVED
        if tried > 20:
            return
    raise AssertionError("too few tables with a safe card")


POSITION = """\
Base: A
Foundations: 5C TD 5S TH
1: KH 7S
2: 8S
3: 9S 8C
4: -
5: 7C 9C
6: KC QC JC TS 6C QS
7: JD QD KD JH QH 6S KS TC JS
Stock: -
"""
POINTS = {
    "1-2": 18,  # onto its own suit; nothing can be done with KH then
    "1-3": 2,  # onto the partner
    "1-4": 3,  # to an empty pile
    "2-4": 0,  # a whole pile to an empty place
    "2-5": 2,
    "3-4": -10,  # 8C lies on 9S, its partner
    "3-5": 5,  # from the partner onto its own suit
    "5-4": 3 + 2 + 1,  # 7C can be packed then, on 8C in suit
    "6-4": 3 + 15,  # 6C can go up then
    "7-4": 3 + 2 + 3,  # TC can be packed on JS then, and takes 9C of its own suit
    "7-6": 18 + 2 + 3,
}


def test_points_of_the_moves() -> None:
    """The table of points in docs/simulate.md, on one table without a stock."""
    state = un.game("agnes", "up-suit-anyrun").parse(POSITION)
    points = {move.token: points_of(state, move) for move in state.legal_moves() if isinstance(move, ToPile)}
    assert points == POINTS
    assert greedy(state, state.legal_moves()) == ToPile(7, 6)
