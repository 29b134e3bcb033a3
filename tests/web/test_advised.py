"""Advised games over the API: the flow of `unshuffle advise`, with its redeals and its saves."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.program import program
from tests.web.conftest import Server, serve
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie.advise.adviser import BelleLucieAdviser
from unshuffle.registry import games_with
from unshuffle.web.job_shapes import Advised

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


def text_of(game: str, seed: int) -> str:
    return un.game(game).format(un.game(game).deal(seed), hidden=True)


@pytest.mark.parametrize("game", games_with("adviser"))
def test_a_typed_table_is_laid_out_and_advised(server: Server, game: str) -> None:
    begun = server.post("/advised", {"game": game, "text": text_of(game, 7)}, 201)
    assert begun["stage"] == "play", begun
    assert begun["picture"] == server.table(game)["picture"] or game == "aces-up"
    assert {"answer": "a", "label": "Advice"} in begun["commands"]
    assert all(command["answer"] not in "xz" for command in begun["commands"])
    told = server.answer(begun["id"], "a", seconds=0.2) if game != "belle-lucie" else server.answer(begun["id"], "a")
    assert told["said"]
    assert told["planned"] or told["result"] or "redeal" in "".join(told["said"])
    assert server.get(f"/advised/{begun['id']}") == told
    assert [one["id"] for one in server.get("/advised")] == [begun["id"]]


def test_a_table_is_typed_answer_by_answer(shared: Server) -> None:
    begun = shared.post("/advised", {"game": "belle-lucie", "id": "mine"}, 201)
    assert (begun["id"], begun["stage"], begun["place"]) == ("mine", "entry", "fan 1")
    assert begun["help"]
    for number, fan in enumerate(un.game("belle-lucie").deal(7).fans, 1):
        now = shared.answer("mine", " ".join(map(str, fan)))
        if now["stage"] == "entry":
            assert now["draft"]["cells"][number - 1] == " ".join(map(str, fan))
            assert now["place"] == f"fan {number + 1}"
    assert now["stage"] == "play"
    wrong = shared.answer("mine", "nonsense")
    assert "is not one of" in wrong["said"][0]
    assert "there is a game 'mine' already" in shared.post("/advised", {"game": "gaps", "id": "mine"}, 409)["detail"]


def test_no_answer_writes_a_file_where_it_likes(shared: Server, tmp_path: Path) -> None:
    begun = shared.post("/advised", {"game": "gaps", "text": text_of("gaps", 7)}, 201)
    for answer in ("x", "export", "X"):
        now = shared.answer(begun["id"], f"{answer} {tmp_path / 'stolen.txt'}")
        assert "is not one of" in now["said"][0]
    assert not (tmp_path / "stolen.txt").exists()


def test_a_redeal_is_typed_and_survives_a_new_server(server: Server) -> None:
    begun = server.post(
        "/advised", {"game": "belle-lucie", "variant": "classic", "text": text_of("belle-lucie", 7)}, 201
    )
    told = server.answer(begun["id"], "r")
    assert told["stage"] == "redeal", told
    assert told["draft"] is not None
    for other in serve(server.settings.saves.parent):
        again = other.get(f"/advised/{begun['id']}")
        assert Advised.model_validate(again).stage == "redeal"
        assert again["prompt"] == told["prompt"]
        assert other.answer(begun["id"], "u")["stage"] == "play"
    # The other server has gone on: what this one would write is refused, and then read again.
    job = server.job(kind="answer", advised=begun["id"], answer="u")
    assert job["status"] == "failed"
    assert "was changed by another program meanwhile" in job["error"]
    assert server.get(f"/advised/{begun['id']}")["stage"] == "play"


def test_what_two_servers_answered_to_several_tabs_is_on_the_disk(server: Server) -> None:
    """Law: every answer that was taken is in the save; all others are told why not."""
    name = server.post("/advised", {"game": "belle-lucie"}, 201)["id"]

    def click(tab: int) -> int:
        done = 0
        for number in range(10):
            here = servers[tab % 2]
            here.get(f"/advised/{name}")  # reads it again, where others have changed it
            job = here.job(kind="answer", advised=name, answer=f"1: {PACK[tab]} {PACK[number]}")
            assert job["status"] == "done" or "was changed by another program meanwhile" in job["error"], job
            done += job["status"] == "done"
        return done

    for other in serve(server.settings.saves.parent):
        servers = (server, other)
        with ThreadPoolExecutor(4) as tabs:
            done = sum(tabs.map(click, range(4)))
        save = json.loads((server.settings.saves / f"{name}.json").read_bytes())
        assert done == len(save["passes"][0]["phases"][0]["earlier"]) > 0


def test_a_game_that_was_deleted_while_it_was_thought_about_stays_deleted(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = server.post("/advised", {"game": "belle-lucie", "text": text_of("belle-lucie", 7)}, 201)

    def advise(adviser: Any, view: Any) -> Any:
        server.delete(f"/advised/{begun['id']}", 204)
        return thought(adviser, view)

    thought = BelleLucieAdviser.advise
    monkeypatch.setattr(BelleLucieAdviser, "advise", advise)
    job = server.job(kind="answer", advised=begun["id"], answer="a")
    assert job["status"] == "failed"
    assert "was deleted by another program meanwhile" in job["error"]
    assert server.get("/advised") == []


def test_the_same_saves_as_the_command_line(server: Server, tmp_path: Path) -> None:
    begun = server.post("/advised", {"game": "gaps", "text": text_of("gaps", 7)}, 201)
    ended = program("advise", "gaps", "--id", begun["id"], "--saves", server.settings.saves, stdin="b\nz\n")
    assert ended.code == 0, ended.err
    value = server.client.get(f"/api/advised/{begun['id']}/save").json()
    for other in serve(tmp_path / "other"):
        assert other.post("/saves", value, 201) == {"kind": "advised", "id": begun["id"]}
        assert other.get(f"/advised/{begun['id']}")["picture"] == begun["picture"]
        other.delete(f"/advised/{begun['id']}", 204)
        other.get(f"/advised/{begun['id']}", 404)


def test_tables_and_advised_games_are_kept_apart(shared: Server) -> None:
    table = shared.table("aces-up", moves=["d"])["id"]
    advised = shared.post("/advised", {"game": "gaps"}, 201)["id"]
    shared.get(f"/advised/{table}", 404)
    shared.get(f"/tables/{advised}", 404)
    shared.delete(f"/tables/{advised}", 404)
    shared.delete(f"/advised/{table}", 404)
    assert shared.post("/advised", {"game": "chess"}, 400)
    assert shared.post("/jobs", {"kind": "answer", "advised": "none", "answer": ""}, 404)
