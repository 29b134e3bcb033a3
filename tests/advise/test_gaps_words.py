"""What the advice for Gaps rests on and says: ends, reasons from dependency, themes, proof states; laws of the flow."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.gaps_seat import MOST, ROWS
from tests.advise.table import saved
from tests.advise.watched import Script, Watched, check_export
from tests.cli.program import PROGRAM, environment
from tests.cli.terminal import read_until, terminal
from tests.games.gaps_reference import board, reference
from unshuffle.advise import adviser_of
from unshuffle.advise.parts import Setting
from unshuffle.advise.record import Played
from unshuffle.advise.saves import Saves, new_record
from unshuffle.games.gaps import Gaps, State, ToGap, phase_ends
from unshuffle.games.gaps.advise.words import claim, shape_text, statistics, verdict
from unshuffle.games.gaps.hidden.ends import Budget, Searches
from unshuffle.games.gaps.hidden.planner import Planner
from unshuffle.games.gaps.hidden.reasons import groups, reasons, served
from unshuffle.games.gaps.rules import MOST_SCORE, Rules
from unshuffle.solve import Line, Status, replay

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

GAME = un.game("gaps")
BOARD: State = GAME.parse("\n".join(ROWS))
MONTANA = un.game("gaps", "montana")
HARD: State = replace(MONTANA.deal(19), redeals=(), id=None)
"""Not decided in many seconds."""


def line_of(start: State, tokens: str) -> Line:
    return replay(start, map(GAME.parse_move, tokens.split()))


# Ends.


@pytest.mark.parametrize("name", ["gaps-039", "gaps-051"])
def test_ends_of_reference_deals(name: str) -> None:
    row = reference("addiction-one-deal")[name]
    start = board("addiction-one-deal", name)
    found = phase_ends(start, seconds=60)
    assert (found.status, found.complete) == (Status.UNSOLVABLE, True)
    assert (found.score, found.score_proved) == (int(row["best_locked"]), True)
    assert len(found.ends) == int(row["end_vectors"])
    for end in found.ends:
        last = replay(start, end.moves).states[-1]
        assert (last.locks, last.can_move) == (end.locks, False)
        assert end.score == last.score


def test_a_phase_that_can_be_won() -> None:
    row = reference("addiction-one-deal")["gaps-001"]
    late = line_of(board("addiction-one-deal", "gaps-001"), row["line"]).states[-9]
    found = phase_ends(late)
    assert (found.status, found.score, found.score_proved, found.bound) == (Status.SOLVED, MOST_SCORE, True, MOST_SCORE)
    assert replay(late, found.moves).outcome is un.Outcome.WON


def test_ends_are_for_gaps() -> None:
    with pytest.raises(un.UsageError, match="for states of gaps"):
        phase_ends(un.game("agnes").deal(1))


@pytest.mark.parametrize("limit", [{"seconds": -1}, {"seconds": float("nan")}, {"nodes": -1}, {"memory": 0}])
def test_limits_that_are_none_are_refused(limit: dict[str, float]) -> None:
    with pytest.raises(un.UsageError, match=next(iter(limit))):
        phase_ends(BOARD, **limit)


def test_more_thought_comes_to_the_same_as_much_thought() -> None:
    searches = Searches()
    once = Searches().ends(BOARD, Budget(seconds=None))
    found = searches.ends(BOARD, Budget(seconds=None, nodes=1))
    assert not found.complete
    for nodes in (4, 16, 64, None):
        found = searches.ends(BOARD, Budget(seconds=None, nodes=nodes))
    assert (found.complete, found.status) == (True, once.status)
    assert {end.locks for end in found.ends} == {end.locks for end in once.ends}
    assert searches.is_decided(BOARD)


def test_with_early_redeals_every_position_is_an_end() -> None:
    early = replace(BOARD, rules=Rules(early_redeal=True))
    found = phase_ends(early, seconds=20)
    assert found.complete
    assert BOARD.locks in {end.locks for end in found.ends}
    assert len(found.ends) > 4


def test_where_twos_hop_nothing_is_proved_that_was_refused() -> None:
    game = un.game("gaps", "one-deal")
    for state in game.small_states(1):
        found = phase_ends(state, seconds=5)
        exact = un.solve(state, seconds=20, maximize=True)
        if found.status in (Status.SOLVED, Status.UNSOLVABLE):
            assert found.status is exact.status
        if found.score_proved:
            assert found.score == exact.score


# Reasons.


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_move_serves_the_first_move_that_is_illegal_without_it(seed: int) -> None:
    rng = Random(seed)
    state: State = replace(GAME.deal(seed), redeals=(), id=None)
    states = [state]
    moves: list[ToGap] = []
    while (legal := list(state.card_moves())) and len(moves) < 30:
        moves.append(rng.choice(legal))
        state = state.play(moves[-1])
        states.append(state)
    line = Line(tuple(states), tuple(moves))
    for place in range(len(moves)):
        serves = served(line, place)
        rest = moves[place + 1 :] if serves is None else moves[place + 1 : serves]
        without = replay(states[place], rest).states[-1]
        if serves is not None:
            with pytest.raises(un.IllegalMoveError):
                without.play(moves[serves])
    found = reasons(line)
    assert [place for group in groups(found) for place in group] == list(range(len(moves)))
    assert all(not any(found[place].locks for place in group[:-1]) for group in groups(found))
    assert all(reason.text for reason in found)


def test_themes() -> None:
    row = reference("addiction-one-deal")["gaps-001"]
    start = board("addiction-one-deal", "gaps-001")
    texts = [reason.text for reason in reasons(line_of(start, row["line"]))]
    joined = "\n".join(texts)
    assert "first-column gap: opens column 1 of row " in joined
    assert "run building: 2" in joined
    assert "makes room for " in joined
    assert "stands on the left of " in joined


def test_a_king_that_leaves_and_one_that_stays() -> None:
    row = reference("addiction-one-deal")["gaps-001"]
    line = line_of(board("addiction-one-deal", "gaps-001"), row["line"])
    texts = [reason.text for reason in reasons(line)]
    assert texts[50].endswith("king trap: the gap behind K♣ is dead until K♣ leaves with move 53")
    assert line.moves[52].card is un.Card.parse("KC")
    # Kings that are where they belong at the end are no trap: the gaps of a win are all behind kings.
    assert not any("falls behind" in text for text in texts)
    texts = [reason.text for reason in reasons(line_of(BOARD, MOST))]
    assert texts[3].endswith("king trap: a gap falls behind K♠, which stays; it is the price of this move")
    assert texts[-1].endswith("nothing later needs it: it is played because a redeal waits until no card can move")


def test_a_king_trap_that_cannot_be_avoided() -> None:
    """Each card that can still move leaves a gap behind a king."""
    line = line_of(BOARD, "QS>r4c9 3S>r4c2 4S>r4c3 KD>r4c7 7S>r4c5 JD>r1c10 QD>r1c11 KD>r1c12 8S>r4c6 9S>r4c7")
    texts = [reason.text for reason in reasons(line)]
    assert texts[8].endswith("king trap: a gap falls behind K♠, which cannot be avoided here")


# Words.


def test_proof_states() -> None:
    planner = Planner(Rules())
    lost = planner.plan(BOARD, Budget(seconds=0.5))
    assert verdict(lost).startswith("Cannot be won in this phase (proved, ")
    open_ = Planner(Rules()).plan(replace(GAME.deal(9), redeals=(), id=None), Budget(seconds=None, nodes=2))
    assert verdict(open_).startswith("Not decided in ")
    late = line_of(board("addiction-one-deal", "gaps-001"), reference("addiction-one-deal")["gaps-001"]["line"])
    won = Planner(Rules(redeals=0)).plan(late.states[-9], Budget(seconds=5))
    assert verdict(won) == "Winnable now: 8 moves."
    assert "thread" in statistics(lost.found)


def test_a_phase_with_one_end_says_so() -> None:
    stuck = line_of(BOARD, MOST).states[-1]
    plan = Planner(Rules()).plan(stuck, Budget(seconds=0.5, threads=1))
    assert len(plan.found.ends) == 1
    assert "this phase can end in no other way" in "\n".join(claim(stuck, plan, "none"))


def test_a_stopped_search_says_so() -> None:
    rules = MONTANA.rules
    plan = Planner(rules).plan(HARD, Budget(seconds=None, threads=1, is_stopped=lambda: True))
    assert "(stopped)" in verdict(plan)
    assert not plan.found.complete


def test_what_a_chance_rests_on_and_how_sure_a_plan_is() -> None:
    plan = Planner(Rules()).plan(BOARD, Budget(seconds=0.5, threads=1))
    text = "\n".join(claim(BOARD, plan, "none"))
    assert "(by the table of values" in text
    assert plan.margin is not None
    assert f"points {'more' if plan.margin[0] >= 0 else 'less'} than {shape_text(plan.rivals[0].shape)}" in text
    for points, noise, said in ((0.05, 0.02, "beyond its noise"), (-0.05, 0.03, "within its noise")):
        text = "\n".join(claim(BOARD, replace(plan, margin=(points, noise)), "none"))
        assert f"The plan is worth 5.0 ± {100 * noise:.1f} points {'more' if points > 0 else 'less'} than" in text
        assert said in text


# The flow.


def test_ctrl_c_stops_the_search(saves: Path) -> None:
    with terminal() as (ours, theirs):
        options = ["--saves", str(saves), "--id", "g", "--variant", "montana", "--seconds", "1000", "--memory", "1GB"]
        process = subprocess.Popen(
            [*PROGRAM, "advise", "gaps", *options], stdin=theirs, stdout=theirs, stderr=theirs, env=environment()
        )
        os.close(theirs)
        shown = read_until(ours, "Row 1, column 1? ")
        os.write(ours, f"{' / '.join(map(' '.join, HARD.rows))}\n".encode())
        shown += read_until(ours, "exit? ")
        os.write(ours, b"a\n")
        shown += read_until(ours, "a\r\n")
        sleep(0.3)
        process.send_signal(signal.SIGINT)
        shown += read_until(ours, "exit? ", at_most=30)
        os.write(ours, b"z\n")
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
        shown += read_until(ours, "\0never", at_most=1)
    assert "Traceback" not in shown
    assert "(stopped)" in shown
    assert saved(saves)["at"]["prompt"] == "play"


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ((), ["\x1b[31m\x1b[1m2♦\x1b[0m   \x1b[31m\x1b[1m3♦\x1b[0m", "\x1b[1m2♠\x1b[0m   Q♠"]),
        (("--plain",), ["\r\n2D 3D 4D 5D 6D", "\r\n2S QS 3S 6S KD"]),
    ],
)
def test_the_board_at_a_terminal(saves: Path, options: tuple[str, ...], rows: list[str]) -> None:
    """Suits in colour and locked runs in bold, or the text form."""
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, "advise", "gaps", "--saves", str(saves), "--id", "g", *options],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(),
        )
        os.close(theirs)
        shown = read_until(ours, "Row 1, column 1? ")
        os.write(ours, f"{' / '.join(ROWS)}\nz\n".encode())
        shown = read_until(ours, "\0never")
        assert process.wait(60) == 0
    assert all(row in shown for row in rows), shown


COMMANDS = (
    "a",
    "d",
    "d 1",
    "d 2",
    "u",
    "u",
    "u 2",
    "b",
    "r",
    "r",
    "r",
    "e",
    "s",
    "n",
    "",
    "",
    "?",
    "m",
    "p",
    "x /no/a.txt",
)
JUNK = ("KC KC", "1X KD", "zz", "r3c6 QC", "Redeals used: 1", "Deck: KC", "-", "r1 QC", "r9c9 2H", "QS / 9D")


class Typist(Script):
    """A person who answers at random, mostly to the point."""

    def _answer(self, prompt: str) -> str:
        rng, desk = self._rng, self._desk
        if rng.random() < 0.1:
            return rng.choice(JUNK)
        if prompt.startswith(("Row ", "Redeal ")) and rng.random() < 0.9:
            return self._cells()
        if prompt.startswith("Cell and card") and rng.random() < 0.5:
            return " / ".join(ROWS) if desk.record.edit is None or rng.random() < 0.5 else "r4c2 QS"
        if prompt.startswith("[A]") and rng.random() < 0.6:
            moves = list(desk.state.card_moves())
            tokens: list[str] = []
            state = desk.state
            while moves and len(tokens) < 8:
                tokens.append(rng.choice(moves).token)
                state = state.play(GAME.parse_move(tokens[-1]))
                moves = list(state.card_moves())
            return f"m {' '.join(tokens)}" if tokens else "r"
        return rng.choice(COMMANDS)

    def _cells(self) -> str:
        """The rest of the row, or of the board."""
        desk, rng = self._desk, self._rng
        before = desk.before
        if before is None:
            first = desk.work.draft.cells.index("")
            return " ".join(" ".join(ROWS).split()[first : first - first % 13 + 13])
        typed = desk.work.draft.cells
        loose = [str(before.cells[index] or "--") for index in before.free_cells]
        for cell in (typed[index] for index in before.free_cells):
            if cell in loose:
                loose.remove(cell)
        rng.shuffle(loose)
        first = typed.index("")
        row = range(first, first - first % 13 + 13)
        return " ".join(loose[: sum(not typed[index] for index in row)]) or "--"


VARIANTS = ("addiction", "montana-locked", "addiction-early", "montana", "addiction+redeals=1")


@settings(max_examples=8)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**32))
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    """Law: the save is the game at the very prompt, and its export leads to the board on which the game stands."""
    folder: Path = tmp_path_factory.mktemp("saves")
    game = Gaps(variant)
    adviser = adviser_of(game)
    adviser.effort = {"seconds": 0.02, "threads": 1}
    console = Typist(Random(seed), answers=40)
    session = Watched(adviser, new_record("g", adviser.typed.blank(Setting())), Saves(folder, "gaps"), console)
    console.session = session
    session.begin()
    session.run()
    check_export(session.desk, folder / "g.txt")


def test_a_line_that_breaks_the_rules_is_a_bug_and_not_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines that are shown have been replayed by the Python rules."""
    found = Searches().ends(BOARD, Budget(seconds=None))
    wrong = tuple(replace(end, moves=end.moves[1:]) for end in found.ends)
    monkeypatch.setattr(Searches, "ends", lambda *_: replace(found, ends=wrong))
    with pytest.raises(un.InternalError, match="plan"):
        Planner(Rules()).plan(BOARD, Budget())


def test_of_a_phase_that_was_won_hindsight_does_not_say_that_it_could_be_won() -> None:
    """What was wrong: "it could be won, in 116 moves; you locked 48"."""
    game = un.game("gaps", "addiction-one-deal")
    ends = (un.solve(state) for seed in range(9) for state in game.small_states(seed))
    result = next(found for found in ends if found.status is un.Status.SOLVED and found.moves)
    won, left = Played(replay(result.state, result.moves).states, result.moves), Played((result.state,), ())
    redeals = adviser_of(game).redeals
    assert redeals is not None
    assert redeals.hindsight([won])[:2] == ["In hindsight:", "  phase 1 of 1: you won it"]
    assert redeals.hindsight([left])[1].startswith("  phase 1 of 1: it could be won, in ")
