"""Typed deals over the API: what is unknown in them is never proved, and their whole start travels with them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import HIDDEN, OURS, UNKNOWN
from tests.web.conftest import Server, serve
from unshuffle.web.packing import pack, unpack

pytestmark = pytest.mark.both_engines

REMARK = "What was unknown in this deal was dealt at random."


def seen_text(game: str) -> str:
    """What a player types of a deal: no card that is hidden, and no id."""
    return un.game(game).format(un.game(game).deal(7), hidden=True)


def whole_text(game: str, variant: str | None = None) -> str:
    """The same with every card, and what redeals bring."""
    chosen = un.game(game, variant)
    return chosen.format(chosen.deal(7).view().sample(Random(1)))


@pytest.mark.parametrize("game", HIDDEN)
def test_unknown_cards_are_never_solved_as_if_they_were_known(shared: Server, game: str) -> None:
    """What was wrong: the same text was proved to be lost 14 times of 20, and to be won 6 times."""
    asked = {"game": game, "text": seen_text(game)}
    checked = shared.post("/check", asked)
    assert checked["faults"] == []
    assert "still to be dealt" in checked["unknown"]
    assert not checked["is_solvable"]
    refused = shared.post("/tables", asked, 400)["detail"]
    assert refused.startswith(f"unknown: {checked['unknown']}; ")
    refused = shared.post("/jobs", {"kind": "solve", **asked, "look": True}, 400)["detail"]
    assert "never solved as if they were known" in refused
    job = shared.job(kind="chance", **asked, seconds=0.1)
    assert job["status"] == "done", job
    found = job["result"]
    assert found["information"] == "hidden"
    assert found["unknown"] == checked["unknown"]
    assert found["low"] <= found["chance"] <= found["high"]
    assert found["chance"] == found["wins"] / found["samples"]
    assert found["text"].endswith("(hidden: what a player sees)")


def test_one_unknown_card_is_known_by_elimination(shared: Server) -> None:
    text = "Base: A\nFoundations: QC QD KS QH\n1: -\n2: -\n3: -\n4: -\n5: KC\n6: -\n7: [##] KH\nStock: 0\n"
    asked = {"game": "agnes", "text": text}
    assert shared.post("/check", asked)["unknown"] == ""
    result = shared.job(kind="solve", **asked)["result"]
    assert result["status"] == "solved"
    assert shared.table("agnes", text=text)["remark"] == ""
    assert "nothing is unknown" in shared.post("/jobs", {"kind": "chance", **asked}, 409)["detail"]


@pytest.mark.parametrize("game", UNKNOWN)
def test_what_chance_has_dealt_comes_back(server: Server, game: str) -> None:
    table = server.table(game, text=seen_text(game), fill=True)
    assert table["deal"] is None
    assert table["remark"] == REMARK
    move = table["legal"][0]["token"]
    moved = server.post(f"/tables/{table['id']}/moves", {"moves": [move]})
    # By its link, its save, and a server that was started anew.
    again = server.table(game, start=table["start"], moves=[move])
    assert {**again, "id": ""} == {**moved, "id": ""}
    assert layout_of(server, again["id"]) == layout_of(server, table["id"])
    for other in serve(server.settings.saves.parent):
        assert other.get(f"/tables/{table['id']}") == moved
    if game != "gaps":
        # Chance deals anew only for a text.
        others = {server.table(game, text=seen_text(game), fill=True)["start"] for _ in range(3)}
        assert len(others | {table["start"]}) == 4
        result = server.job(kind="solve", table=table["id"], look=True, seconds=0.2)["result"]
        assert "with what was unknown dealt at random" in result["verdict"]


def layout_of(server: Server, name: str) -> str:
    """The deal of a table with all that is hidden in it, as its save has it."""
    layout: str = server.get(f"/tables/{name}/save")["layout"]
    return layout


@pytest.mark.parametrize("game", OURS)
def test_a_typed_deal_travels_whole(shared: Server, game: str) -> None:
    """What was wrong: where cards or redeals are hidden, the start was null, and a link led to another deal."""
    variant = {"belle-lucie": "trefoil"}.get(game)
    text = whole_text(game, variant)
    asked: dict[str, Any] = {"game": game, "variant": variant, "text": text}
    assert shared.post("/check", asked)["unknown"] == ""
    table = shared.table(**asked)
    assert (table["deal"], table["remark"]) == (None, "")
    line = [table["legal"][0]["token"]]
    shared.post(f"/tables/{table['id']}/moves", {"moves": line})
    again = shared.table(game, variant=table["variant"], start=table["start"], moves=line)
    assert layout_of(shared, again["id"]) == layout_of(shared, table["id"]) == text
    assert again["picture"] == shared.get(f"/tables/{table['id']}")["picture"]
    # Nobody reads a hidden card off a link by accident.
    assert unpack(table["start"]) == (text, False)
    assert not any(row in table["start"] for row in text.splitlines() if len(row) > 5)


def test_a_position_that_was_typed_with_an_id_is_not_the_deal_of_that_id(shared: Server) -> None:
    game = un.game("gaps")
    state = game.deal(7)
    for _ in range(3):
        state = state.play(state.legal_moves()[0])
    table = shared.table("gaps", text=str(state))
    assert table["deal"] == state.id
    assert table["start"] is not None
    again = shared.table("gaps", start=table["start"])
    assert again["picture"] == table["picture"]
    assert again["picture"] != shared.table("gaps")["picture"]
    # A whole deal is told by its id alone.
    assert shared.table("gaps", text=str(game.deal(7)))["start"] is None


def test_redeals_that_nobody_knows_are_not_proved(shared: Server) -> None:
    """In Gaps the phase in hand can be decided, and the chance with the redeals stands beside it."""
    board = LOST_PHASE
    checked = shared.post("/check", {"game": "gaps", "text": board})
    assert (checked["unknown"], checked["is_solvable"]) == ("what the redeals will bring", True)
    result = shared.job(kind="solve", game="gaps", text=board, seconds=2)["result"]
    assert result["status"] == "unsolvable"
    assert result["is_phase"]
    assert result["verdict"].startswith("This phase cannot be won without a redeal (proved); ")
    assert 0 < result["chance"]["p"] < 1
    assert result["chance_text"].startswith("With the redeals that are left the chance to win is ")
    assert result["chance_text"].endswith("(hidden: what a player sees).")
    refused = shared.post("/jobs", {"kind": "solve", "game": "gaps", "text": board, "table": "x"}, 400)
    assert refused["detail"] == "table and text exclude each other"
    assert shared.post("/jobs", {"kind": "solve"}, 400)["detail"] == "expected a table, or a game and a text"


LOST_PHASE = """\
2D 3D 4D 5D 6D 7D 8D -- QS -- -- TH JS
2C 3C 4C 5C 6C 7C 8C 9C TC JC KS JH 9H
2H 3H 4H 5H 6H 7H 8H QD JD TD 9D -- QC
2S 3S 4S 5S 6S 7S 8S 9S TS KD KH QH KC
"""
"""A phase that cannot be won, as a short search finds; the game may be won by its redeals."""


def test_a_phase_that_is_lost_is_no_lost_game_at_the_table(shared: Server) -> None:
    """What was wrong: a deal that `deal gaps --winnable` gives was called lost, and nothing else was said."""
    table = shared.table("gaps", text=LOST_PHASE, fill=True)
    result = shared.job(kind="solve", table=table["id"], seconds=2)["result"]
    assert (result["status"], result["is_phase"]) == ("unsolvable", True)
    assert result["chance"]["p"] > 0
    won = shared.job(kind="solve", table=shared.table("belle-lucie", variant="one-deal", seed="3")["id"])["result"]
    assert (won["chance"], won["chance_text"]) == (None, "")


def test_a_packed_start_is_read_or_refused() -> None:
    text = whole_text("spider")
    for by_chance in (True, False):
        assert unpack(pack(text, by_chance=by_chance)) == (text, by_chance)
    whole = pack(text, by_chance=True)
    assert whole.replace("-", "").replace("_", "").isalnum()
    bomb = pack("0" * 10_000_000, by_chance=False)
    for wrong in ("", "x", "ü", whole[:-5], whole[:50], whole + "!", bomb, pack(7, by_chance=False)):  # type: ignore[arg-type] # wrong on purpose
        with pytest.raises(un.ParseError, match="cannot be read"):
            unpack(wrong)


def test_a_start_that_is_none_is_told(shared: Server) -> None:
    assert "cut off" in shared.post("/tables", {"game": "spider", "start": "xyz"}, 400)["detail"]
    other: Any = shared.table("agnes", text=whole_text("agnes"))
    assert shared.post("/tables", {"game": "spider", "start": other["start"]}, 400)["faults"]
    both = {"game": "agnes", "start": other["start"], "seed": "7"}
    assert shared.post("/tables", both, 400)["detail"] == "seed and start exclude each other"


def test_what_only_a_redeal_could_win_is_told_with_its_chance(shared: Server) -> None:
    asked = {"game": "belle-lucie", "variant": "classic"}
    assert shared.post("/check", {**asked, "text": "QC JC KC\nTC\n"})["is_solvable"]
    left = shared.job(kind="solve", **asked, text="QC JC KC\nTC\n")["result"]
    assert left["status"] == "unknown-redeals"
    assert left["verdict"].startswith(
        "The game cannot be won without a redeal (proved), and what one brings nobody can"
    )
    assert left["verdict"].endswith("(open: all cards known, but no redeal).")
    assert 0 < left["chance"]["p"] < 1
    assert left["chance_text"].startswith("With the redeals that are left the chance to win is ")
    won = shared.job(kind="solve", **asked, text="KC QC\n")["result"]
    assert (won["status"], won["chance"]) == ("solved", None)
    lost = shared.job(kind="solve", **asked, text="QC KC\nDeal: 3\n")["result"]
    assert (lost["status"], lost["chance"]) == ("unsolvable", None)
    assert lost["verdict"].startswith("The game cannot be won (proved); ")
