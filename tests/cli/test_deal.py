"""`unshuffle deal`."""

from __future__ import annotations

import re

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import program
from unshuffle.cards import format_cards
from unshuffle.deals import DealId

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")


def test_the_layout_follows_its_id(run: Run) -> None:
    ended = run("deal", "belle-lucie", "--seed", "7")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"# belle-lucie/one-deal@7\n{un.game('belle-lucie').deal(7)}"


def test_a_deck_and_its_layout_are_the_same_deal(run: Run) -> None:
    game = un.game("belle-lucie")
    deck = run("deal", "belle-lucie", "--seed", "7", "--deck").out
    assert deck.startswith("# belle-lucie/one-deal@7\nDeck: ")
    assert game.parse(deck) == game.deal(7)


@pytest.mark.parametrize("seed", ["7", "python:12345#3", "ms:617"])
def test_json_has_its_keys(run: Run, seed: str) -> None:
    (found,) = run("deal", "belle-lucie", "--seed", seed, "--json").objects
    state = un.deal(f"belle-lucie/one-deal@{seed}")
    cards = format_cards(DealId.parse(state.id).source.deck(un.game("belle-lucie").pack))
    assert found == {
        "game": "belle-lucie",
        "variant": "one-deal",
        "deal": f"belle-lucie/one-deal@{seed}",
        "deck": cards,
        "layout": str(state),
    }


def test_a_range_includes_both_ends(run: Run) -> None:
    ended = run("deal", "belle-lucie", "--seeds", "8..10", "--generator", "python")
    parts = ended.out.split("\n\n")
    assert [part.splitlines()[0] for part in parts] == [f"# belle-lucie/one-deal@python:{seed}" for seed in (8, 9, 10)]


@pytest.mark.parametrize("arguments", [[], ["--shuffle"], ["--generator", "ms"]])
def test_a_random_deal_can_be_repeated(run: Run, arguments: list[str]) -> None:
    first, second = (run("deal", "belle-lucie", *arguments) for _ in range(2))
    assert first.out != second.out
    seed = first.out.splitlines()[0].partition("@")[2]
    assert run("deal", "belle-lucie", "--seed", seed).out == first.out


def test_changed_rules_show_in_the_id(run: Run) -> None:
    ended = run("deal", "belle-lucie", "--rule", "fan_size=4", "--rule", "aces_out=yes", "--seed", "7")
    assert ended.out.startswith("# belle-lucie/one-deal+aces_out=yes+fan_size=4@7\n")
    assert str(un.deal("belle-lucie/one-deal+aces_out=yes+fan_size=4@7")) in ended.out


def test_a_deal_can_be_piped_into_solve(run: Run) -> None:
    dealt = run("deal", "belle-lucie", "--seed", "7")
    piped = program("solve", "belle-lucie", "--json", stdin=dealt.out)
    straight = run("solve", "belle-lucie", "--json", "--seed", "7")
    assert piped.code == straight.code == 1
    (a,), (b,) = piped.objects, straight.objects
    assert (a["deal"], b["deal"]) == (None, "belle-lucie/one-deal@7")
    assert (a["status"], a["score"], a["moves"], a["nodes"]) == (b["status"], b["score"], b["moves"], b["nodes"])


@pytest.mark.parametrize(
    "line", ["deal", "solve --nodes 9 --json", "verify --moves= --json", "advise --json --seconds 9"]
)
def test_a_deal_id_stands_for_the_game_and_its_deal(run: Run, line: str) -> None:
    """What was wrong: the id that every command prints was an unknown game where the game is named."""
    command, *options = line.split()
    told = run(command, "belle-lucie/fan+fan_size=4@ms:5", *options)
    long = ["belle-lucie", "--variant", "fan", "--rule", "fan_size=4", "--generator", "ms", "--seed", "5"]
    by_name = run(command, *long, *options)
    assert told.code == by_name.code
    seconds = re.compile(r'("seconds": )[^,}]*')
    assert seconds.sub("", told.out) == seconds.sub("", by_name.out)
    assert "fan" in told.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("deal gaps/montana@7 --seed 3 --rule columns=4", "the game, its rules and the deal; leave --rule, --seed out"),
        ("solve gaps/montana@7 --generator ms", "leave --generator out"),
        ("solve gaps/montana@7 deal.txt", "leave FILE out"),
        ("values build gaps/montana@7", "is a deal id, and no deal can be named here; expected a game: gaps"),
        ("deal gaps@7", "unknown game 'gaps@7'; did you mean 'gaps'?"),
        ("deal gaps/nowhere@7", "unknown variant of gaps 'nowhere'"),
    ],
)
def test_a_deal_id_leaves_nothing_to_say(run: Run, line: str, message: str) -> None:
    ended = run(*line.split())
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_options_of_a_game_go_with_its_deal_ids(run: Run) -> None:
    ended = run("solve", "gaps/montana@3", "--without", "bound,history", "--nodes", "9", "--json")
    assert (ended.code, ended.objects[0]["deal"]) == (3, "gaps/montana@3")
