"""`unshuffle solve belle-lucie`: one deal of several, known redeals, games played out, and the peer's errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import WON, program
from tests.laws import ROOT
from unshuffle.cli.main import main
from unshuffle.deals import decks
from unshuffle.hidden.chance import percent

pytestmark = pytest.mark.both_engines

HELD = "QC JC KC\nTC\n"
"""Where most cards is wrong: the ten up is 1/6, the ten held back 1/3."""
INNER = "JC KC QC\n"
"""Won by a merci alone."""
KEYS = ["game", "variant", "deal", "policy", "score", "won", "moves", "redeal_seed", "layout"]
WON_OUT, LOST_OUT = 6, 7
"""Deals of `classic` that the value policy wins and loses."""
GOLF = ROOT / "examples" / "golf.py"


# Options of one game.


def test_the_help_of_a_game_shows_its_own_options(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--help")
    assert ended.code == 0
    own = ended.out.partition("Options of belle-lucie:")[2]
    for option in ("--max-deal N", "--deal N", "--redeal ", "--redeal-seed N", "--policy [value|greedy]", "--merci "):
        assert f"  {option}" in own
    assert "unshuffle solve belle-lucie --shuffle --redeal --merci" in own
    without = run("solve", "--help").out
    assert "--merci" not in without
    assert "solve GAME --help" in without


@pytest.mark.parametrize("words", [["golf", "--merci"], ["golf", "--load", GOLF, "--seed", "1", "--deal", "2"]])
def test_other_games_do_not_take_them(run: Run, words: list[object]) -> None:
    ended = run("solve", *words)
    assert (ended.code, ended.out) == (2, "")
    assert "`unshuffle solve golf` has no option --" in ended.err
    assert "it belongs to belle-lucie" in ended.err


def test_other_commands_do_not_take_them(run: Run) -> None:
    assert run("deal", "belle-lucie", "--seed", "1", "--merci").code == 2


def test_they_may_stand_before_the_game(run: Run) -> None:
    assert run("solve", "--max-deal", "2", "--seed", WON, "belle-lucie", "--json").code == 0


@pytest.mark.one_engine("checks the command line, not the answers")
def test_the_shell_completes_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("_UNSHUFFLE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "unshuffle solve belle-lucie --rede")
    monkeypatch.setenv("COMP_CWORD", "3")
    with pytest.raises(SystemExit):
        main([])
    assert set(capsys.readouterr().out.split()) == {"--redeal", "--redeal-seed"}


# One deal of several.


@pytest.mark.parametrize("option", [["--deal", "2"], ["--max-deal", "3"], ["--deal", "2", "--max-deal", "4"]])
def test_a_deal_is_asked_about_alone(run: Run, option: list[str]) -> None:
    ended = run("solve", "belle-lucie", "-", *option, stdin=HELD)
    assert ended.code == 1
    assert "belle-lucie/one-deal (typed)" in ended.out
    assert re.search(r"Deal [12] of [34], asked about alone", ended.out)
    assert "Score: 49 of 52 cards up, 3 left; proved" in ended.out


def test_a_merci_is_for_the_last_deal(run: Run) -> None:
    # The peer's error 5: --merci alone gave a merci in the first deal.
    first = run("solve", "belle-lucie", "--merci", stdin=INNER)
    assert first.code == 1
    assert "There is no merci yet: it is for the last deal, deal 3" in first.out
    assert "Merci  " not in first.out
    last = run("solve", "belle-lucie", "--merci", "--deal", "3", stdin=INNER)
    assert last.code == 0
    assert "Deal 3 of 3, the last one" in last.out
    assert "no merci yet" not in last.out
    only = run("solve", "belle-lucie", "--merci", "--max-deal", "1", "--json", stdin=INNER)
    assert (only.code, only.err) == (0, "")
    assert only.objects[0]["moves"] == ["*JC^", "QC^", "KC^"]
    front = run("solve", "belle-lucie", "--rule", "merci=front", "--deal", "3", "--json", stdin=INNER)
    assert front.objects[0]["variant"] == "one-deal+merci=front"


def test_a_merci_of_any_deal_is_there_in_the_first(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--deal", "1", "--variant", "three-shuffles-and-a-draw", stdin="KC JC QC\n")
    assert ended.code == 0
    assert "no merci yet" not in ended.out


@pytest.mark.one_engine("checks the command line, not the answers")
def test_notes_leave_stdout_to_the_data(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--merci", "--json", stdin=INNER)
    assert ended.objects[0]["variant"] == "one-deal"
    assert "There is no merci yet" in ended.err
    many = run("solve", "belle-lucie", "--merci", "--deal", "3", "--seeds", f"{WON}..{WON}", "--json")
    assert [found["deal"] for found in many.objects] == [f"belle-lucie/one-deal+merci=play@{WON}"]


@pytest.mark.one_engine("checks the command line, not the answers")
def test_a_seeded_deal_alone_has_an_id_that_is_dealt_again(run: Run) -> None:
    (found,) = run("solve", "belle-lucie", "--seed", WON, "--merci", "--deal", "3", "--json").objects
    deal = un.deal(found["deal"])
    assert un.replay(deal, un.game("belle-lucie").parse_moves(" ".join(found["moves"]))).score == found["score"]


def test_what_the_file_says_about_the_deal_holds(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--merci", stdin="Deal: 3\n" + INNER)
    assert ended.code == 0
    assert "Deal 3 of 3" in ended.out


USAGE = {
    # The peer's error 6: a deal after the last one was played as nothing.
    "deal above the usual number": (["--deal", "4"], HELD, "--deal 4: there are 3 deals"),
    "deal above the number": (["--deal", "3", "--max-deal", "2"], HELD, "--deal 3: there are 2 deals"),
    "deal of a game without redeals": (["--deal", "2", "--rule", "redeals=0"], HELD, "there is one deal"),
    "deal 0": (["--deal", "0"], HELD, "--deal"),
    "too many deals": (["--max-deal", "11"], HELD, "--max-deal"),
    "deals and redeals": (["--max-deal", "4", "--rule", "redeals=2"], HELD, "--rule redeals=2 says otherwise"),
    "deals of a variant": (["--max-deal", "5", "--variant", "classic"], HELD, "the variant classic has redeals=2"),
    "merci of a variant": (
        ["--merci", "--variant", "three-shuffles-and-a-draw"],
        HELD,
        "the variant three-shuffles-and-a-draw has merci=second; leave one out, or change the variant by --rule",
    ),
    "two mercis": (["--merci", "--rule", "merci=front"], HELD, "--rule merci=front says otherwise"),
    "another deal in the file": (["--deal", "2"], "Deal: 3\n" + HELD, "--deal 2 and 'Deal: 3' exclude each other"),
    "the first deal in the file": (["--deal", "2"], "Deal: 1\n" + HELD, "--deal 2 and 'Deal: 1' exclude each other"),
    "no merci in the file": (["--merci", "--deal", "3"], "Merci: 0\n" + HELD, "'Merci: 0' says that none is left"),
    "a redeal too many in the file": (
        ["--deal", "3", "--redeal"],
        "Redeal 1: QC JC KC TC\n" + HELD,
        "'Redeal 1:' cannot come",
    ),
    "policy alone": (["--policy", "greedy"], HELD, "--policy goes with --redeal"),
    "redeal seed alone": (["--redeal-seed", "0"], HELD, "--redeal-seed goes with --redeal"),
    "unknown policy": (["--redeal", "--policy", "best"], HELD, "'value', 'greedy'"),
    "redeal seed below zero": (["--redeal", "--redeal-seed", "-1"], HELD, "--redeal-seed"),
    "redeals typed and drawn": (
        ["--redeal", "--deal", "2", "--redeal-seed", "1"],
        "Redeal 1: QC JC KC TC\n" + HELD,
        "--redeal-seed and 'Redeal' lines exclude each other",
    ),
    "csv of a game": (["--redeal", "--csv"], HELD, "--csv does not go with --redeal"),
}


@pytest.mark.parametrize(("options", "text", "message"), USAGE.values(), ids=USAGE)
def test_what_makes_no_sense_is_2(run: Run, options: list[str], text: str, message: str) -> None:
    ended = run("solve", "belle-lucie", *options, stdin=text)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_games_of_many_seeds_are_not_played_out(run: Run) -> None:
    assert run("solve", "belle-lucie", "--seeds", "1..2", "--redeal").code == 2


# Unknown redeals.


@pytest.mark.parametrize("variant", ["classic", "merci"])
def test_what_only_a_redeal_could_win_is_told_with_its_chance_and_the_ways_out(run: Run, variant: str) -> None:
    ended = run("solve", "belle-lucie", "--variant", variant, stdin=HELD)
    assert ended.code == 3
    for way in ("a seed", "'Redeal' lines", "--redeal", "`unshuffle advise`"):
        assert way in ended.out
    assert "cannot be won without a redeal that nobody knows (proved)" in ended.out
    assert "every way of playing it was ruled out" not in ended.out
    (value,) = run("solve", "belle-lucie", "--variant", variant, "--json", stdin=HELD).objects
    (advice,) = run("advise", "belle-lucie", "-", "--variant", variant, "--json", stdin=HELD).objects
    assert (value["status"], value["score_proved"]) == ("unknown-redeals", False)
    assert (value["win_chance"], value["win_chance_se"]) == (advice["win_chance"], advice["win_chance_se"])
    assert f"the chance to win is {percent(value['win_chance'], value['win_chance_se'])}" in ended.out


def test_what_every_order_of_the_redeal_wins_is_not_said_to_be_unknown(run: Run) -> None:
    """What was wrong: "what one brings nobody can say" beside a chance of 100 %, which is exact."""
    text = "KC QH KH\nDeal: 2\n"
    ended = run("solve", "belle-lucie", "-", "--variant", "merci", "--explain", "none", stdin=text)
    assert ended.code == 3
    assert "without a redeal that nobody knows (proved), and some play wins whatever one brings (open: " in ended.out
    assert "the chance to win is 100 % (hidden" in ended.out
    asked = ("review", "belle-lucie", "-", "--variant", "merci", "--moves", "r=KCQHKH", "--explain", "none")
    assert "Only a redeal could still win then, and some play wins whatever one brings." in run(*asked, stdin=text).out


def test_a_chance_that_no_table_knows_is_not_made_up(run: Run) -> None:
    options = ("--variant", "classic", "--rule", "build_up=yes")
    ended = run("solve", "belle-lucie", *options, stdin="QC KC\n")
    assert ended.code == 3
    assert "The chance to win is not known; `unshuffle simulate --samples` estimates it." in ended.out
    (value,) = run("solve", "belle-lucie", *options, "--json", stdin="QC KC\n").objects
    assert value["win_chance"] is None


def test_a_win_without_the_unknown_redeals_and_a_loss_after_the_last_are_proved(run: Run) -> None:
    won = run("solve", "belle-lucie", "--variant", "classic", stdin="KC QC\n")
    assert won.code == 0
    assert "Verdict: this game can be won, in 2 moves over 1 deal (open: all cards known, but no redeal)" in won.out
    lost = run("solve", "belle-lucie", "--variant", "classic", stdin="QC KC\nDeal: 3\n")
    assert lost.code == 1
    assert "Verdict: this game cannot be won" in lost.out


# Known redeals.


def test_known_redeals_are_shown_deal_by_deal(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--variant", "merci", "--seed", "7")
    assert ended.code == 0
    lines = ended.out.splitlines()
    names = [lines.index(f"Deal {number} of 3") for number in (1, 2, 3)]
    assert names == sorted(names)
    for name in names:
        assert lines[name + 2].startswith("[ 1] ")
    moves = [line for line in lines if re.match(r" *\d+  [A-Z]", line)]
    assert [int(line.split()[0]) for line in moves] == list(range(1, len(moves) + 1))
    assert {line.split("  ")[1].strip() for line in (move.lstrip() for move in moves)} <= {
        "Safe build",
        "Foundation move",
        "Blocking move",
        "Merci",
        "Redeal",
    }
    ends = [re.fullmatch(r"After \d+ moves\. Cards up: (\d+) in this deal, (\d+) of 52 in all, (\d+) left", line)
            for line in lines]  # fmt: skip
    counts = [tuple(map(int, end.groups())) for end in ends if end]
    assert len(counts) == 3
    assert sum(up for up, _, _ in counts) == 52
    assert all(up + left == 52 for _, up, left in counts)
    assert lines[-1] == (
        f"Verdict: this game can be won, in {len(moves)} moves over 3 deals (open: all cards known, the redeals too)"
    )


def test_typed_redeals_are_known(run: Run) -> None:
    text = "Redeal 1: KC JC TC QC\nRedeal 2: JC TC KC QC\n" + HELD  # lost with the ten up
    ended = run("solve", "belle-lucie", "--variant", "classic", stdin=text)
    assert ended.code == 0
    assert "No move in this deal. Cards up: 0 in this deal, 48 of 52 in all, 4 left" in ended.out
    assert "1  Redeal  the 4 cards that are left are dealt again: deal 2 of 3" in ended.out


def test_a_lost_game_is_proved_to_be_lost(run: Run) -> None:
    text = "Redeal 1: JC KC QC TC\nRedeal 2: JC KC QC TC\n" + HELD
    ended = run("solve", "belle-lucie", "--variant", "classic", "--explain", "none", stdin=text)
    assert ended.code == 1
    assert "this game cannot be won; every way of playing it was ruled out" in ended.out


def test_a_saved_win_over_several_deals_reads_well_and_is_verified(run: Run, tmp_path: Path) -> None:
    run("solve", "belle-lucie", "--variant", "merci", "--seed", "7", "--save-wins", tmp_path)
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    assert "\n# Deal 3 of 3\n" in text
    ended = run("verify", "belle-lucie", "--variant", "merci", file, "--moves-file", file, "--explain", "short")
    assert ended.code == 0
    assert "Deal 2 of 3\n" in ended.out
    assert "After " in ended.out


# Games played out.


@pytest.mark.parametrize(("seed", "code"), [(WON_OUT, 0), (LOST_OUT, 1)])
def test_a_seeded_game_is_played_with_its_own_redeals(run: Run, seed: int, code: int) -> None:
    """`code` is that of `verify`. Playing by a policy is not solving: its code is no verdict."""
    ended = run("solve", "belle-lucie", "--seed", seed, "--redeal", "--json")
    assert (ended.code, ended.err) == (0, "")
    (found,) = ended.objects
    assert list(found) == KEYS
    assert found["deal"] == f"belle-lucie/classic@{seed}"
    assert (found["policy"], found["won"], found["redeal_seed"]) == ("value", code == 0, None)
    simulated = run("simulate", "belle-lucie", "--variant", "classic", "--policy", "value", "--seed", seed, "--json")
    assert {key: found[key] for key in KEYS[:7]} == simulated.objects[0]
    moves = " ".join(found["moves"])
    assert run("verify", "belle-lucie", "--variant", "classic", "--seed", seed, "--moves", moves).code == code


@pytest.mark.parametrize(
    "options",
    [
        ["--seed", "7", "--deal", "2", "--merci"],
        ["--seed", "7", "--redeal-seed", "5"],
        ["--seed", "python:7#3", "--policy", "greedy"],
        ["--shuffle", "--merci"],
        ["--seed", "3", "--max-deal", "5", "--rule", "merci=front"],
        ["--seed", "3", "--variant", "three-shuffles-and-a-draw"],
        ["-", "--redeal-seed", "2"],
        ["-", "--policy", "greedy", "--deal", "2"],
    ],
)
def test_the_moves_can_be_replayed_from_the_layout(run: Run, options: list[str]) -> None:
    ended = run("solve", "belle-lucie", *options, "--redeal", "--json", stdin=HELD)
    (found,) = ended.objects
    assert ended.code == 0
    assert (found["deal"] is None) == (options[0] == "-" or "--deal" in options or "--redeal-seed" in options)
    checked = run(
        "verify",
        "belle-lucie",
        "-",
        "--variant",
        found["variant"],
        "--moves",
        " ".join(found["moves"]),
        "--json",
        stdin=found["layout"],
    )
    assert checked.objects[0]["fault"] is None
    assert checked.objects[0]["score"] == found["score"]
    assert checked.code == (0 if found["won"] else 1)


def test_redeal_k_is_deck_k_of_the_redeal_seed(run: Run) -> None:
    left = {str(card) for fan in un.game("belle-lucie").parse(HELD).fans for card in fan}
    stream = decks(un.game("belle-lucie").pack, 7)
    orders = ["r=" + "".join(str(card) for card in next(stream) if str(card) in left) for _ in range(2)]
    (whole,) = run("solve", "belle-lucie", "--redeal", "--redeal-seed", "7", "--json", stdin=HELD).objects
    assert whole["moves"] == orders  # both deals are left with all cards down, and lost
    assert whole["redeal_seed"] == 7
    (late,) = run("solve", "belle-lucie", "--redeal", "--redeal-seed", "7", "--deal", "2", "--json", stdin=HELD).objects
    assert late["moves"] == orders[1:]


def test_a_drawn_redeal_seed_is_printed_and_repeats_the_game(run: Run) -> None:
    drawn = run("solve", "belle-lucie", "--redeal", stdin=HELD)
    seed = re.search(r"Redeals of --redeal-seed (\d+): redeal k is deck k", drawn.out)
    assert seed is not None
    again = run("solve", "belle-lucie", "--redeal", "--redeal-seed", seed[1], stdin=HELD)
    assert re.sub("Play: .*", "", again.out) == re.sub("Play: .*", "", drawn.out)


def test_the_value_policy_holds_back_and_greedy_does_not(run: Run) -> None:
    options = ["--redeal", "--deal", "2", "--redeal-seed", "5", "--json"]
    value, greedy = (
        run("solve", "belle-lucie", *options, "--policy", policy, stdin=HELD).objects[0]["moves"]
        for policy in ("value", "greedy")
    )
    assert value[0].startswith("r=")
    assert greedy[0] == "TC^"


def test_the_report_of_a_game_names_player_redeals_and_information(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seed", LOST_OUT, "--redeal")
    lines = ended.out.splitlines()
    assert lines[:3] == [
        f"belle-lucie/classic@{LOST_OUT}",
        "Played out by value, which sees a redeal only when it is dealt",
        "Redeals: those of the deal id",
    ]
    assert [line for line in lines if line.startswith("Deal ")] == [f"Deal {number} of 3" for number in (1, 2, 3)]
    assert "not proved: other play, or other redeals, may do better" in lines[-3]
    assert re.fullmatch(
        r"Verdict: this game was lost by value in deal 3 of 3, with \d+ left \(hidden: what a player sees\)",
        lines[-1],
    )
    won = run("solve", "belle-lucie", "--seed", WON_OUT, "--redeal", "--explain", "none").out.splitlines()
    assert len(won) == 7
    assert won[-1] == "Verdict: this game was won by value in deal 2 of 3 (hidden: what a player sees)"


def test_a_won_game_can_be_saved(run: Run, tmp_path: Path) -> None:
    text = "KC QC JC\n"
    assert run("solve", "belle-lucie", "--redeal", "--save-wins", tmp_path, stdin=text).code == 0
    (file,) = tmp_path.iterdir()
    assert "played by value" in file.read_text(encoding="utf-8")
    assert run("verify", "belle-lucie", "--variant", "classic", file, "--moves-file", file).code == 0
    assert run("solve", "belle-lucie", "--seed", LOST_OUT, "--redeal", "--save-wins", tmp_path).code == 0
    assert len(list(tmp_path.iterdir())) == 1


# The peer's other errors.


def test_a_search_stops_at_the_first_win(run: Run) -> None:
    # Error 7: a deal that is won in 51 nodes took it 953,502 permutations.
    (found,) = run("solve", "belle-lucie", "--seed", WON, "--json").objects
    assert found["status"] == "solved"
    assert found["nodes"] < 1000


def test_the_line_is_the_same_on_every_run(run: Run) -> None:
    # Error 9: ties depended on timing, and so did its counter.
    runs = [
        run("solve", "belle-lucie", "--variant", "merci", "--seeds", "6..8", "--threads", threads, "--json").objects
        for threads in (1, 2, 2)
    ]
    keys = ("deal", "status", "score", "moves", "nodes")
    first, *others = [[[found[key] for key in keys] for found in objects] for objects in runs]
    assert all(other == first for other in others)


def test_moves_name_their_source_and_a_merci_within_its_fan_its_place(run: Run) -> None:
    # Error 12.
    ended = run("verify", "belle-lucie", "--rule", "merci=play", "--moves", "*JC", "--explain", "short",
                stdin="JC KC QC\nTC\n")  # fmt: skip
    assert "1  Merci  *JC  jack of clubs from under KC QC to the top of its fan" in ended.out
    solved = run("solve", "belle-lucie", "--seed", "7")
    assert "Safe build       JC>QC  jack of clubs from TD 8C JC onto QC (fan 18)" in solved.out


@pytest.mark.one_engine("checks the command line, not the answers")
def test_a_pipe_gets_whole_lines_and_no_carriage_returns() -> None:
    # Error 13.
    for options in (["--seed", "7", "--redeal"], ["--seed", "7", "--variant", "merci"]):
        ended = program("solve", "belle-lucie", *options)
        assert "\r" not in ended.out + ended.err
        assert "\x1b" not in ended.out + ended.err
        assert ended.err == ""
