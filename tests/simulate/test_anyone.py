"""The policies of every game: they end, come back to no table, see no hidden card, and find a win that is near."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.ladder import Ladder, Move
from tests.ladder import State as LadderState
from tests.laws import EVERYONE, IS_LONG, OURS, ROOT, random_line
from tests.roundabout import Roundabout
from unshuffle import registry
from unshuffle.hidden import rollout
from unshuffle.hidden.playing_on import Memory, Work, fitting, play_on, weigh
from unshuffle.hidden.policy import Greedy
from unshuffle.hidden.rollout import Guess, Rollout
from unshuffle.simulate import Deals, Luck, play_game, policies, policy_of, usual_policy
from unshuffle.winnable import find

pytestmark = pytest.mark.both_engines

CIRCLING = un.game("aces-up", "relaxed-discards")
"""Aces may be moved to and fro in it for ever."""
SMALL: dict[str, dict[str, Any]] = {"spider": {"suits": 1, "piles": 3, "ranks": 3, "runs": 3, "table": 6}}
"""A small deck of a game in which play takes long."""
GAMES = [
    *(un.game(name, **SMALL.get(name, {})) for name in OURS),
    CIRCLING,
    Ladder(),
    Ladder("open"),
    Roundabout(),
    Roundabout("open"),
]


@pytest.fixture(autouse=True)
def known(own_registry: dict[str, Any]) -> None:
    """These games are registered in these tests, and in no others."""
    for game in (Ladder, Roundabout):
        registry.register(game)
    un.load(ROOT / "examples" / "golf.py")


def anyone(game: un.Game[Any, Any]) -> Iterator[un.Policy]:
    """The policies of every game, also where a game has one of its own by that name, with little thought."""
    yield Greedy(game)
    yield Rollout(game, 1, moves=4)
    if "guess" in policies(game):
        yield Guess(game, 1, nodes=20, moves=4)


def tables(game: un.Game[Any, Any], state: Any, moves: tuple[Any, ...]) -> list[Any]:
    """What a player saw along a line, as if moves cost nothing."""
    seen = []
    for move in (*moves, None):
        view = state.view()
        seen.append(game.uncharged(getattr(view, "table", view)))
        state = state if move is None else state.play(move)
    return seen


@pytest.mark.one_engine("these players are of Python, whatever the engine")
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_they_end_and_come_back_to_no_table(game: un.Game[Any, Any]) -> None:
    """Law: nobody sees a table twice in a game, so that every game ends."""
    for policy in anyone(game):
        state = game.deal(11)
        met = tables(game, state, play_game(policy, state, Luck("x")).moves)
        assert len(set(met)) == len(met), policy
        # Where the cards can lie in very many ways the end is that of every game, after 2,000 moves.
        assert len(met) <= (2_001 if isinstance(policy, Greedy) else 1_000)


def test_without_a_memory_play_goes_round() -> None:
    for game in (CIRCLING, Roundabout()):
        state = game.deal(11)
        met = tables(game, state, play_game(policy_of(game, "random"), state, Luck("x")).moves)
        assert len(met) > len(set(met))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_they_see_no_hidden_card(game: un.Game[Any, Any]) -> None:
    """Law: on two deals that look alike they make the same move."""
    for policy in anyone(game):
        for state in random_line(game, 5, at_most=2):
            like = state.view().sample(Random(1))
            moves = state.legal_moves()
            assert like.view() == state.view()
            told = [policy.player(Luck("y"))(each.view(), moves) for each in (state, like)]
            assert told[0] == told[1], policy
            assert told[0] is None or told[0] in moves


def test_a_memory_knows_the_tables_that_were_met() -> None:
    game = Roundabout("open")
    state, memory = game.deal(3), Memory(game)
    first, *_ = [move for move in state.legal_moves() if "-c" in move.token]
    assert set(memory.onward(state.view(), state.legal_moves())) == set(state.legal_moves())
    after = state.play(first)
    back = game.parse_move(f"c1-{first.token[0]}")
    assert set(after.legal_moves()) - set(memory.onward(after.view(), after.legal_moves())) == {back}
    # The same moves with cards unseen: what is turned up by the first one makes the table another one.
    hidden, memory = Roundabout().deal(3), Memory(Roundabout())
    list(memory.onward(hidden.view(), hidden.legal_moves()))
    after = hidden.play(first)
    assert back in memory.onward(after.view(), after.legal_moves()) or not hidden.down[int(first.token[0]) - 1]


def test_a_win_in_two_moves_is_found() -> None:
    """The other legal move, a card of the stock, loses."""
    golf = un.game("golf")
    state = golf.deal(1)
    cards = {str(card): card for card in golf.pack}
    near = type(state)(
        state.rules,
        ((cards["5H"],), (cards["6S"],), *[()] * 5),
        (*(card for card in golf.pack if str(card) not in ("5H", "6S", "2C", "4C")), cards["4C"]),
        (cards["2C"],),
    )
    assert [move.token for move in near.legal_moves()] == ["5H", "d"]
    assert un.solve(near.play(golf.parse_move("d"))).status is un.Status.UNSOLVABLE
    for policy in (Rollout(golf, 3), Guess(golf, 1)):
        played = play_game(policy, near, Luck("z"))
        assert (played.won, [move.token for move in played.moves]) == (True, ["5H", "6S"])


def late() -> LadderState:
    """A ladder at its end, two cards unseen: QS lies over one of them."""
    game = Ladder()
    cards = {str(card): card for card in game.pack}
    return LadderState(
        game.rules, ((cards["KH"], cards["QS"]), (), (), ()), (1, 0, 0, 0), (cards["KS"],), ((), ()), (13, 13, 12, 11)
    )


def test_guess_solves_samples_of_what_is_unknown() -> None:
    game, state = Ladder(), late()
    assert policy_of(game, "guess").name == "guess:5"
    for sample in (state, state.view().sample(Random(3))):
        assert play_game(policy_of(game, "guess:2"), sample, Luck("x")).won


def test_playouts_end_and_are_the_same_again() -> None:
    game = Roundabout("open")
    state = game.deal(3)
    ends = [play_on(state, Luck("x"), 30) for _ in range(2)]
    assert ends[0] == ends[1]
    assert play_on(state, Luck("x"), 0) == state
    options = state.legal_moves()
    tallies = [weigh(state.view(), options, 3, Luck("x"), Random(0), 9) for _ in range(2)]
    assert tallies[0] == tallies[1]
    assert [tally.samples for tally in tallies[0]] == [3] * len(options)
    assert fitting(state.view()).view() == state.view()


def test_a_playout_ends_with_a_table_that_comes_again() -> None:
    """Once all cards of the stock are dealt, a move of Roundabout can be taken back."""
    state = Roundabout("open").deal(3)
    while state.stock:
        state = state.play(Move("d"))
    work = Work()
    play_on(state, Luck("x"), 10_000, work)
    assert work.comes_back
    assert 0 < work.moves < 10_000
    golf, never = un.game("golf"), Work()
    play_on(golf.deal(3), Luck("x"), 10_000, never)
    assert (never.comes_back, never.moves > 10) == (False, True)


@pytest.mark.one_engine("these players are of Python, whatever the engine")
def test_thought_is_bounded_where_tables_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[Work] = []

    def count(*arguments: Any) -> Any:
        spent.append(arguments[-1])
        return weigh(*arguments)

    monkeypatch.setattr(rollout, "weigh", count)
    game = Roundabout("open")
    played = play_game(Rollout(game, 1, work=300), game.deal(11), Luck("x"))
    bounded, moves = len(spent), spent[0].moves
    assert 300 <= moves < 3_000
    assert bounded < len(played.moves)
    spent.clear()
    play_game(Rollout(game, 1), game.deal(11), Luck("x"))
    assert spent[0].moves > moves
    # No table of Golf comes again, so nothing is bounded.
    golf = un.game("golf")
    lines = [play_game(Rollout(golf, 2, work=work), golf.deal(32), Luck("x")).moves for work in (1, 2_000)]
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rollout", "rollout:5"),
        ("rollout:", "rollout:5"),
        (" rollout: 7 ; moves = 9; seed=3", "rollout:7;moves=9;seed=3"),
        ("rollout;seed=2", "rollout:5;seed=2"),
        ("rollout:2;work=90;moves=30", "rollout:2;work=90"),
        ("rollout:2;moves=30;seed=0", "rollout:2"),
        ("guess:3;nodes=50", "guess:3;nodes=50"),
        ("guess;seed=1;moves=7", "guess:5;moves=7;seed=1"),
    ],
)
def test_a_name_is_canonical(text: str, name: str) -> None:
    policy = policy_of(Ladder(), text)
    assert (policy.name, policy.information) == (name, "hidden")
    assert policy_of(Ladder(), name).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rollout:0",
            r"'0' in the policy 'rollout': expected the number of samples, 1\.\.1,000,000, such as rollout:5",
        ),
        ("rollout:many", "'many' in the policy 'rollout'"),
        ("rollout:1;moves=0", "a policy that plays on needs moves=1 or more"),
        ("rollout:1;nodes=3", "unknown option of the policy 'rollout': 'nodes'"),
        ("guess:1;nodes=0", "the policy 'guess' needs nodes=1 or more"),
        ("guess:1;node=3", "unknown option of the policy 'guess': 'node'; did you mean 'nodes'"),
    ],
)
def test_wrong_options_are_named(text: str, message: str) -> None:
    with pytest.raises(un.UsageError, match=message):
        policy_of(Ladder(), text)


def test_there_is_something_to_guess_only_where_something_is_unknown() -> None:
    for name in un.games():
        for variant in un.games()[name][:3]:
            game = un.game(name, variant)
            view = game.deal(7).view()
            assert ("guess" in policies(game)) == bool(getattr(view, "unknown", ""))
            assert policies(game)[:3] == ("random", "greedy", "rollout")
            assert set(policies(game)) >= EVERYONE - {"guess"}
    with pytest.raises(un.UsageError, match="nothing is unknown in golf/plain, so there is nothing to guess; `solve`"):
        policy_of(un.game("golf"), "guess")
    with pytest.raises(un.UsageError, match=r"'nosuch' \(known: (?!.*guess)random, greedy, rollout"):
        policy_of(un.game("golf"), "nosuch")


def test_a_run_keeps_the_lines_and_they_replay() -> None:
    for text in ("rollout:1", "guess:1;nodes=50"):
        runs = [un.simulate(Ladder(), text, range(2)) for _ in range(2)]
        assert [record.moves for record in runs[0]] == [record.moves for record in runs[1]]
    other = un.simulate(Ladder(), "rollout:1;seed=1", range(2))
    assert [record.moves for record in other] != [r.moves for r in un.simulate(Ladder(), "rollout:1", range(2))]


@pytest.mark.one_engine("these players are of Python, whatever the engine")
def test_more_samples_win_more_of_golf() -> None:
    """The deals that `greedy` and one sample lose: 5 samples win some."""
    golf = un.game("golf")
    deals = Deals(golf, numbers=(32, 43, 49))
    won = [sum(un.simulate(golf, text, deals.numbers).packed[1]) for text in ("greedy", "rollout:5")]
    assert won[0] == 0 < won[1]
    assert usual_policy(golf).name == "rollout:5"


@pytest.mark.one_engine("these players are of Python, whatever the engine")
@pytest.mark.skipif(not IS_LONG, reason="the games of docs/simulate.md take a minute")
def test_the_documented_figures_of_golf() -> None:
    played = [un.simulate(un.game("golf"), text, range(60)) for text in ("random", "greedy", "rollout:5", "rollout:20")]
    assert [run.wins for run in played] == [0, 0, 6, 11]
    assert [round(sum(run.scores) / 60, 1) for run in played] == [12.4, 25.4, 30.1, 31.3]


def test_a_search_for_winnable_deals_ends_where_play_could_go_on_for_ever() -> None:
    search = find(Roundabout("open"), seeds=range(1), nodes=30)
    assert list(search) == []
    assert search.tally.undecided == 1
