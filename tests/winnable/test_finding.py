"""Deals that are said to be winnable are; nothing is looked for twice; and the store changes no answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import isnan
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest

import unshuffle as un
from tests.laws import ROOT
from tests.winnable.seating import seat
from unshuffle.deals import Source
from unshuffle.engine import describe_engine
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.simulate import simulation
from unshuffle.store import GradedDeal, Store
from unshuffle.winnable import Panel, Seat, cuts_of, find, finding, name_measure, panels, stored

pytestmark = pytest.mark.both_engines

SMALL = un.game("belle-lucie", fan_size=2)
"""Decided in a blink on either engine; of the first nine deals 0, 3 and 8 can be won."""
IS_NATIVE = describe_engine() == "native"
needs_engine = pytest.mark.skipif(not IS_NATIVE, reason="the whole panel takes minutes in Python")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel of six games: what is tested here does not hang on how many there are."""
    seat(monkeypatch, "belle-lucie", Seat("greedy", 3, slips=5), Seat("greedy", 3, slips=10))


class Calls:
    """How many deals were searched, and how many were graded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.searched = self.graded = 0
        solve_many, measure = un.solve_many, Panel.measure

        def count_searches(*arguments: Any, **options: Any) -> Iterator[Any]:
            for result in solve_many(*arguments, **options):
                self.searched += 1
                yield result

        def count_grades(panel: Panel, state: Any, **options: Any) -> Any:
            self.graded += 1
            return measure(panel, state, **options)

        monkeypatch.setattr(un, "solve_many", count_searches)
        monkeypatch.setattr(Panel, "measure", count_grades)


def check(game: AnyGame, deal: GradedDeal) -> None:
    """The line wins the deal that the id names, and the label follows from the measure."""
    state = un.deal(deal.deal)
    assert state == game.deal(deal.source)
    line = un.replay(state, game.parse_moves(deal.moves))
    assert line.outcome is un.Outcome.WON
    assert line.score == deal.score
    assert deal.difficulty == cuts_of(game).label(deal.value)
    assert deal.measure == name_measure(game)
    assert 0 <= deal.wins <= deal.games


@needs_engine
@pytest.mark.parametrize(
    "name", ["aces-up", "agnes/down-color-anyrun", "belle-lucie", "belle-lucie/classic", "gaps/basic", "spider"]
)
def test_what_is_found_is_solved_and_replays(name: str) -> None:
    game = un.game(*name.split("/"))
    search = find(game)
    [deal] = search
    check(game, deal)
    assert deal.proof == "solver"
    assert un.solve(un.deal(deal.deal), nodes=1_000_000).status is un.Status.SOLVED
    # None was left out: what comes before it is lost or undecided.
    assert deal.source.seed == search.tally.lost + search.tally.undecided
    before = un.solve_many(game, seeds=range(deal.source.seed), nodes=1_000_000)
    assert all(result.status is not un.Status.SOLVED for result in before)


@needs_engine
def test_where_redeals_are_not_searched_a_game_that_is_won_is_the_proof() -> None:
    """Gaps: the first table of deal 4 cannot be won, the game can."""
    game = un.game("gaps", "addiction")
    assert un.solve(game.deal(4), nodes=1_000_000).status is not un.Status.SOLVED
    [deal] = find(game, seeds=range(4, 5))
    check(game, deal)
    assert deal.proof.startswith("policy:max-locked:")
    assert "r" in deal.moves.split()


def test_a_table_that_cannot_be_won_is_not_lost_while_there_are_redeals(monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, "gaps", Seat("random"))
    search = find(un.game("gaps", "addiction"), seeds=range(1, 4), nodes=10)
    assert list(search) == []
    assert (search.tally.lost, search.tally.undecided) == (0, 3)


@pytest.mark.usefixtures("few")
def test_the_first_deals_are_found_again_and_again_with_and_without_a_store(tmp_path: Path) -> None:
    plain = list(find(SMALL, count=3))
    assert [deal.source.seed for deal in plain] == [0, 3, 8]
    for deal in plain:
        check(SMALL, deal)
    first, again = (list(find(SMALL, count=3, store=tmp_path / "s.sqlite")) for _ in range(2))
    assert first == again == plain


@pytest.mark.usefixtures("few")
def test_nothing_that_is_stored_is_searched_or_graded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        before = list(find(SMALL, count=3, store=store, threads=1))
        calls = Calls(monkeypatch)
        search = find(SMALL, count=3, store=store, threads=1)
        assert list(search) == before
        assert (calls.searched, calls.graded) == (0, 0)
        assert search.tally.stored == search.tally.looked_at == 9
        # Further on the search begins where the store knows nothing.
        assert len(list(find(SMALL, count=4, store=store, threads=1))) == 4
        assert calls.graded == 1
        assert [deal.source.seed for deal in stored(SMALL, store)][:3] == [0, 3, 8]


@pytest.mark.usefixtures("few")
def test_what_was_undecided_is_asked_again_under_other_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Deal 2 of these needs some positions, as a study of version 1 has it.
    calls = Calls(monkeypatch)
    with Store.open(tmp_path / "s.sqlite") as store:
        for nodes, searched, undecided in ((1, 1, 1), (1, 1, 1), (100_000, 2, 0), (1, 2, 0)):
            search = find(SMALL, seeds=range(2, 3), nodes=nodes, store=store, threads=1)
            list(search)
            assert (calls.searched, search.tally.undecided) == (searched, undecided)
        assert store.passed_in(finding.grading_of(SMALL), Source(2), 2)[2].status == "lost"


@pytest.mark.usefixtures("few")
def test_only_the_wanted_difficulty_is_told_and_all_are_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        labels = [deal.difficulty for deal in find(SMALL, count=3, store=store)]
        for difficulty in ("easy", "medium", "hard"):
            search = find(SMALL, difficulty, 3, seeds=range(9), store=store)
            assert [deal.difficulty for deal in search] == [difficulty] * labels.count(difficulty)
            assert search.tally.other == 3 - labels.count(difficulty)
            kept = store.graded("belle-lucie", "one-deal+fan_size=2", difficulty)
            assert len(kept) == labels.count(difficulty)
            assert kept == stored(SMALL, store, difficulty)
        assert len(store.graded("belle-lucie", "one-deal+fan_size=2", limit=2)) == 2
        assert [deal.source.seed for deal in stored(SMALL, store, seeds=range(1, 9))] == [3, 8]
        assert store.graded("belle-lucie", "one-deal") == []


def test_a_deal_that_takes_too_long_to_measure_is_told_so_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat(monkeypatch, "belle-lucie", Seat("greedy", 4, slips=5))
    with Store.open(tmp_path / "s.sqlite") as store:
        state = SMALL.deal(3)
        with pytest.raises(panels.LateError):
            Panel(SMALL).measure(state, seconds=0.0)
        assert Panel(SMALL).measure(state, seconds=60) == Panel(SMALL).measure(state)
        clock = count(0, 100)
        monkeypatch.setattr(panels, "monotonic", lambda: next(clock))
        [deal] = search = find(SMALL, seeds=range(3, 4), store=store, seconds=10, threads=1)
        assert (deal.difficulty, deal.proof, deal.games) == ("not measured", "solver", 0)
        assert isnan(deal.value)
        assert (search.tally.found, search.tally.game) == (1, 0)
        assert stored(SMALL, store) == []
        search = find(SMALL, "easy", seeds=range(3, 4), store=store, seconds=10, threads=1)
        assert list(search) == []
        assert (search.tally.other, search.tally.unmeasured, search.tally.looked_at) == (0, 1, 1)
        monkeypatch.setattr(panels, "monotonic", monotonic)
        [deal] = find(SMALL, seeds=range(3, 4), store=store, threads=1)
        assert deal.is_measured
        assert stored(SMALL, store) == [deal]


def test_the_game_that_the_panel_plays_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_BLOCK_SECONDS", 0.0)
    told: list[int] = []
    Panel(SMALL, [Seat("rollout:1", 2), Seat("random")]).measure(SMALL.deal(3), threads=1, progress=told.append)
    assert told == sorted(told)
    assert {1, 2} <= set(told) <= {1, 2, 3}


def test_a_search_for_what_hardly_exists_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, "belle-lucie", Seat("random", 3))
    monkeypatch.setattr(finding, "PATIENCE", 2)
    search = find(SMALL, "easy", threads=1)
    assert list(search) == []
    assert (search.tally.other, search.tally.looked_at) == (2, 4)
    named = find(SMALL, "easy", seeds=range(9), threads=1)
    assert list(named) == []
    assert (named.tally.other, named.tally.looked_at) == (3, 9)


@pytest.mark.usefixtures("few")
def test_deals_of_another_measure_are_graded_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        [before] = find(SMALL, store=store)
        monkeypatch.setattr(panels, "VERSION", 99)
        assert stored(SMALL, store) == []
        [after] = find(SMALL, store=store)
        assert before.measure != after.measure
        assert store.graded("belle-lucie", "one-deal+fan_size=2") == [after]


@pytest.mark.usefixtures("few")
def test_other_generators_and_decks_of_a_stream_are_deals_of_their_own(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        ids = [
            next(iter(find(SMALL, start=start, store=store))).deal for start in ("0", "python:0", "python:0#2", "ms:1")
        ]
        assert ids[0] == "belle-lucie/one-deal+fan_size=2@0"
        assert [each.partition("@")[2].partition(":")[0] for each in ids[1:]] == ["python", "python", "ms"]
        assert ids[2].endswith("#2")
        assert sorted(deal.deal for deal in stored(SMALL, store)) == sorted(ids)


@pytest.mark.usefixtures("few")
def test_whatever_ends_a_search_what_was_found_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = Panel.measure

    def strike(panel: Panel, state: Any, **options: Any) -> Any:
        if state.id.endswith("@8"):
            raise KeyboardInterrupt
        return measure(panel, state, **options)

    monkeypatch.setattr(Panel, "measure", strike)
    found: list[GradedDeal] = []
    with Store.open(tmp_path / "s.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            found.extend(find(SMALL, count=3, store=store, threads=1))
        assert stored(SMALL, store) == found
        assert [deal.source.seed for deal in found] == [0, 3]
        assert sorted(store.passed_in(finding.grading_of(SMALL), Source(0), 9)) == [1, 2, 4, 5, 6, 7]


@pytest.mark.usefixtures("few")
def test_a_search_that_can_be_cancelled_finds_the_same() -> None:
    def ids(**options: Any) -> list[tuple[str, str]]:
        return [(deal.deal, deal.difficulty) for deal in find(SMALL, count=3, **options)]

    assert ids(cancel=Event()) == ids()


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("when", ["searched", "graded"])
def test_what_is_cancelled_is_neither_found_nor_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    cancel, path = Event(), tmp_path / "s.sqlite"
    name, room = ("solve", un) if when == "searched" else ("measure", Panel)
    made = getattr(room, name)
    calls = 0

    def third(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            cancel.set()
        return made(*arguments, **options)

    whole = list(find(SMALL, count=5, seeds=range(100)))
    monkeypatch.setattr(room, name, third)
    search = find(SMALL, count=5, seeds=range(100), store=path, cancel=cancel)
    found = [deal.deal for deal in search]
    assert calls == 3
    assert found == [deal.deal for deal in whole[: len(found)]]
    assert len(found) == (2 if when == "graded" else 1)
    assert search.tally.undecided == 0
    monkeypatch.undo()
    # What was not looked at to its end is looked at again.
    seat(monkeypatch, "belle-lucie", Seat("greedy", 3, slips=5), Seat("greedy", 3, slips=10))
    assert [deal.deal for deal in find(SMALL, count=5, seeds=range(100), store=path)] == [each.deal for each in whole]
    assert list(find(SMALL, cancel=cancel)) == []


def test_a_game_of_ones_own_is_graded_by_rollouts() -> None:
    un.load(ROOT / "examples" / "golf.py")
    golf = un.game("golf")
    search = find(golf, start=48, nodes=300)
    [deal] = search
    check(golf, deal)
    assert (deal.deal, deal.games) == ("golf/plain@49", 10)
    assert search.tally.undecided == 1
    assert name_measure(golf).startswith("panel-1: rollout:5 x10; hard to 0.3333, ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difficulty": "harder"}, "unknown difficulty 'harder'; did you mean 'hard'?"),
        ({"count": 0}, "count=0 is not a number of deals"),
        ({"seeds": range(0)}, "no deal in an empty range"),
        ({"seeds": range(0, 9, 2)}, "the step 1"),
        ({"start": 1 << 63, "store": "s.sqlite"}, "a store has the seeds 0..9223372036854775807"),
        ({"start": -1}, "seeds are 0..18446744073709551615, not -1"),
        ({"generator": "dice"}, "unknown generator 'dice'"),
        ({"nodes": -1}, "nodes=-1 is negative"),
    ],
)
def test_wrong_wishes_are_refused_before_anything_is_searched(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(SMALL, **options)
    assert message in str(caught.value)


def test_a_label_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, "belle-lucie", Seat("greedy"))
    with pytest.raises(UsageError, match="no deal of belle-lucie/one-deal\\+fan_size=2 is medium"):
        find(SMALL, "medium")
