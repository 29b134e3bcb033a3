"""Tables over the API: begun, played, taken back, saved and opened again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import unshuffle as un
from tests.cli.program import program
from tests.laws import OURS, ROOT
from tests.web.conftest import Server, serve
from unshuffle.play.saves import PlaySaves
from unshuffle.web import game_routes
from unshuffle.web.shapes import MOST_MOVES

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")


@pytest.mark.parametrize("game", OURS)
def test_a_game_from_its_deal_to_its_undoing(server: Server, game: str) -> None:
    table = server.table(game)
    name = table["id"]
    assert table["deal"] == un.game(game).deal(7).id
    assert table["moves"] == []
    assert server.get("/tables") == []  # nothing is saved before the first move
    first = table["legal"][0]
    moved = server.post(f"/tables/{name}/moves", {"moves": [first["token"]]})
    assert moved["moves"] == [first["token"]]
    assert moved["last"]["from"] == first["from"]
    assert [one["id"] for one in server.get("/tables")] == [name]
    assert PlaySaves(server.settings.saves, game).read(name).moves[0].token == first["token"]
    back = server.post(f"/tables/{name}/undo", {"count": 1})
    assert back["moves"] == []
    assert back["undone"] == [first["token"]]
    assert back["taken_back"] == 1
    assert back["picture"] == table["picture"]
    again = server.post(f"/tables/{name}/redo", {})
    assert {**again, "taken_back": 0} == {**moved, "taken_back": 0}
    assert server.get(f"/tables/{name}") == again


def test_ways_to_name_a_deal(shared: Server) -> None:
    by_id = shared.post("/tables", {"deal": "agnes/up-suit-none@python:12#3"}, 201)
    by_seed = shared.table("agnes", variant="up-suit-none", seed="python:12#3")
    assert by_id["picture"] == by_seed["picture"]
    assert by_id["deal"] == by_seed["deal"]
    changed = shared.table("belle-lucie", variant="one-deal", rules={"fan_size": 4, "kings_to_spaces": True}, seed="7")
    assert changed["variant"] == "one-deal+kings_to_spaces=yes+fan_size=4"
    assert shared.table("gaps", variant=None)["deal"] != shared.table("gaps", variant=None)["deal"]
    typed = shared.table("belle-lucie", text=str(un.game("belle-lucie").with_id(un.game("belle-lucie").deal(7), None)))
    assert typed["deal"] is None
    assert typed["picture"] == shared.table("belle-lucie")["picture"]
    # What a link to a typed deal holds makes the same table.
    assert shared.table("belle-lucie", start=typed["start"])["picture"] == typed["picture"]
    asked = {"game": "gaps", "text": un.game("gaps").format(un.game("gaps").deal(7), hidden=True)}
    assert shared.post("/tables", asked, 400)["detail"].startswith("unknown: what the redeals will bring; ")
    filled = shared.table(**asked, fill=True)
    assert filled["remark"] == "What was unknown in this deal was dealt at random."


def test_moves_at_the_beginning_are_made_and_saved_at_once(shared: Server) -> None:
    state = un.game("belle-lucie").deal(3)
    tokens = []
    for _ in range(5):
        tokens.append(state.legal_moves()[0].token)
        state = state.play(state.legal_moves()[0])
    table = shared.table("belle-lucie", seed="3", moves=tokens)
    assert table["moves"] == tokens
    assert (shared.settings.saves / f"{table['id']}.json").exists()


def test_moves_are_made_all_or_none(shared: Server) -> None:
    table = shared.table("aces-up")
    refused = shared.post(f"/tables/{table['id']}/moves", {"moves": ["d", "9-9"]}, 400)
    assert refused["detail"] == "'9-9': there is no pile 9: the piles are 1..4"
    assert shared.get(f"/tables/{table['id']}")["moves"] == []


def test_what_cannot_be_done_now(shared: Server) -> None:
    table = shared.table("aces-up")
    name = table["id"]
    assert shared.post(f"/tables/{name}/undo", {"count": 1}, 409)["detail"] == "no move was made yet"
    assert shared.post(f"/tables/{name}/redo", {"count": 2}, 409)["detail"] == "no move was taken back"
    shared.post(f"/tables/{name}/moves", {"moves": ["d"]})
    assert shared.post(f"/tables/{name}/undo", {"count": 3}, 409)["detail"] == "only 1 move can be taken back"
    for path in ("/tables/none", "/tables/..%2f..%2fetc", "/tables/z"):
        assert shared.get(path, 404)
    assert shared.post("/tables/none/moves", {"moves": ["d"]}, 404)["detail"] == "there is no table 'none'"


def won_game(server: Server) -> Any:
    result = un.solve(un.game("belle-lucie", "one-deal").deal(3))
    assert result.status == "solved"
    return server.table("belle-lucie", variant="one-deal", seed="3", moves=[move.token for move in result.moves])


def test_a_won_game_is_over(server: Server) -> None:
    table = won_game(server)
    assert table["outcome"] == "won"
    assert table["legal"] == []
    assert "over" in server.post(f"/tables/{table['id']}/moves", {"moves": ["AS^"]}, 409)["detail"]
    assert server.post("/jobs", {"kind": "hint", "table": table["id"]}, 409)
    assert server.get("/tables")[0]["outcome"] == "won"


def test_a_line_is_shown_frame_by_frame_and_changes_nothing(shared: Server) -> None:
    table = won_game(shared)
    moves = table["moves"]
    frames = shared.post(f"/tables/{table['id']}/line", {"moves": moves, "of": "start"})["frames"]
    assert len(frames) == len(moves) + 1
    assert [frame["told"] and frame["told"]["token"] for frame in frames] == [None, *moves]
    assert frames[-1]["outcome"] == "won"
    assert frames[-1]["picture"] == table["picture"]
    assert shared.get(f"/tables/{table['id']}") == table
    assert shared.post(f"/tables/{table['id']}/line", {"moves": moves, "of": "now"}, 400)


def test_a_line_may_have_as_many_moves_as_the_page_says(shared: Server) -> None:
    """What was wrong: the page could not show a win of 6,136 moves. These are read, and end with an illegal one."""
    table = shared.table("aces-up", seed="3")
    for count, code in ((6_136, 400), (MOST_MOVES, 400), (MOST_MOVES + 1, 422)):
        shared.post(f"/tables/{table['id']}/line", {"moves": ["d"] * count}, code)
    assert f"| moves in one request | {MOST_MOVES:,} (422) |" in (ROOT / "docs" / "web.md").read_text("utf-8")


def test_the_same_folder_as_the_command_line(server: Server) -> None:
    table = server.table("aces-up", moves=["d"])
    name, saves = table["id"], server.settings.saves
    ended = program("play", "aces-up", "--id", name, "--saves", saves, stdin="d\nq\n")
    assert ended.code == 0, ended.err
    # This server has not seen the move yet: what it would write over is another's.
    refused = server.post(f"/tables/{name}/moves", {"moves": ["d"]}, 409)
    assert "was changed by another program meanwhile" in refused["detail"]
    assert server.get(f"/tables/{name}")["moves"] == ["d", "d"]
    assert server.post(f"/tables/{name}/moves", {"moves": ["d"]})["moves"] == ["d", "d", "d"]


def test_two_servers_on_one_folder(server: Server) -> None:
    table = server.table("aces-up", moves=["d"])
    for other in serve(server.settings.saves.parent):
        assert other.get(f"/tables/{table['id']}") == table
        moved = other.post(f"/tables/{table['id']}/moves", {"moves": ["d"]})
        assert server.post(f"/tables/{table['id']}/undo", {}, 409)
        assert server.get(f"/tables/{table['id']}") == moved
        other.delete(f"/tables/{table['id']}", 204)
    server.get(f"/tables/{table['id']}", 404)


def test_what_two_servers_answered_to_several_tabs_is_on_the_disk(server: Server) -> None:
    """Law: every request that was answered with success is in the save; all others are told why not."""
    name = server.table("aces-up", moves=["d"] * 6)["id"]

    def click(tab: int) -> tuple[int, int]:
        done = [0, 0]
        here = servers[tab % 2]
        for number in range(20):
            undoes = (number + tab) % 2
            answer = here.client.post(f"/api/tables/{name}/{'undo' if undoes else 'redo'}", json={})
            done[undoes] += answer.status_code == 200
            told = (
                "was changed by another program meanwhile",
                "no move was ",
                " can be taken back",
                " can be made again",
            )
            assert answer.status_code == 200 or any(words in answer.json()["detail"] for words in told), answer.text
        return done[0], done[1]

    for other in serve(server.settings.saves.parent):
        servers = (server, other)
        with ThreadPoolExecutor(4) as tabs:
            ended = list(tabs.map(click, range(4)))
        redone, undone = map(sum, zip(*ended, strict=True))
        save = json.loads((server.settings.saves / f"{name}.json").read_bytes())
        assert undone
        assert (save["taken_back"], len(save["moves"])) == (undone, 6 - undone + redone)
        assert server.get(f"/tables/{name}")["moves"] == other.get(f"/tables/{name}")["moves"] == save["moves"]


def test_tables_that_left_the_memory_are_read_from_their_saves(tmp_path: Path) -> None:
    for server in serve(tmp_path, tables=2):
        tables = [server.table("aces-up", seed=str(seed), moves=["d"]) for seed in range(4)]
        assert [server.get(f"/tables/{table['id']}") for table in tables] == tables
        unsaved = [server.table("aces-up", seed=str(seed)) for seed in range(3)]
        server.get(f"/tables/{unsaved[0]['id']}", 404)


def test_a_full_disk_is_told_and_nothing_has_happened(server: Server) -> None:
    table = server.table("aces-up")
    server.settings.saves.write_text("not a folder")
    refused = server.post(f"/tables/{table['id']}/moves", {"moves": ["d"]}, 503)
    assert refused["detail"].startswith("the game cannot be saved in ")
    server.settings.saves.unlink()
    assert server.get(f"/tables/{table['id']}")["moves"] == []


def test_saves_go_out_and_come_in(server: Server, tmp_path: Path) -> None:
    table = server.table("gaps", moves=[])
    answer = server.client.get(f"/api/tables/{table['id']}/save")
    assert answer.headers["content-disposition"] == f'attachment; filename="{table["id"]}.json"'
    value = answer.json()
    assert server.post("/saves", value, 201) == {"kind": "table", "id": table["id"]}  # the same game once more
    for other in serve(tmp_path / "other"):
        assert other.post("/saves", value, 201) == {"kind": "table", "id": table["id"]}
        assert other.get(f"/tables/{table['id']}") == table
        changed = {**value, "hints": 3}
        assert other.post("/saves", changed, 409)["detail"] == (
            f"there is a game {table['id']!r} already; it was left as it is"
        )
        renamed = other.post("/saves?rename=true", changed, 201)
        assert other.get(f"/tables/{renamed['id']}")["hints"] == 3
        for wrong in ({}, {**value, "id": "../x"}, {**value, "moves": ["9-9"]}, {**value, "format": "unshuffle-chess"}):
            assert other.post("/saves", wrong, 400)["detail"]


def test_broken_saves_are_listed_with_what_is_wrong(server: Server) -> None:
    table = server.table("aces-up", moves=["d"])
    (server.settings.saves / "bad.json").write_text("{")
    (server.settings.saves / "foreign.json").write_text(json.dumps({"format": "something else"}))
    listed = {one["id"]: one for one in server.get("/tables")}
    assert set(listed) == {table["id"], "bad"}
    assert "is broken" in listed["bad"]["error"]
    assert "is broken" in server.get("/tables/bad", 400)["detail"]
    server.get("/tables/foreign", 404)
    server.delete("/tables/foreign", 404)
    assert (server.settings.saves / "foreign.json").exists()


def test_a_text_is_read_with_all_its_faults(shared: Server) -> None:
    wrong = shared.post("/check", {"game": "belle-lucie", "text": "KS KH KC\nKS 1X\n"})
    assert wrong["picture"] is None
    assert [(fault["line"], fault["column"]) for fault in wrong["faults"][:2]] == [(2, 1), (2, 4)]
    assert wrong["tokens"][0] == {"line": 1, "column": 1, "text": "KS", "card": "KS"}
    assert wrong["tokens"][-1] == {"line": 2, "column": 4, "text": "1X", "card": None}
    good = shared.post("/check", {"game": "spider", "text": str(un.game("spider").deal(7).view())})
    assert good["faults"] == []
    assert good["picture"] == shared.table("spider")["picture"]
    assert (wrong["pack"]["KS"], good["pack"]["KS"], sum(good["pack"].values())) == (1, 2, 104)
    assert shared.post("/check", {"game": "gaps", "variant": "nothing", "text": ""}, 400)


def test_what_there_is(server: Server) -> None:
    games = {game["id"]: game for game in server.get("/games")}
    assert set(OURS) <= set(games)
    lucie = games["belle-lucie"]
    assert lucie["variants"][0]["id"] == next(iter(un.games()["belle-lucie"]))
    rules = {rule["name"]: rule for rule in lucie["rules"]}
    assert rules["merci"]["values"] == ["none", "play", "front", "anywhere", "second"]
    assert rules["max_cards"]["values"] is None
    assert rules["kings_to_spaces"] == {
        "name": "kings_to_spaces",
        "help": "A king may move into an empty fan.",
        "default": "no",
        "values": ["no", "yes"],
    }
    assert lucie["has_redeals"]
    assert not games["spider"]["has_redeals"]
    assert "greedy" in games["agnes"]["policies"]
    about = server.get("/about")
    assert about["limits"] == {"seconds": 600.0, "memory": 60_000_000, "jobs": 2, "body": 1 << 20}
    assert about["saves"] == "saves"
    assert about["store"] is False


def test_the_help_of_rules_is_read_by_one_request_at_a_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that came together, as two tabs do, were answered with an error of Python's parser now and then."""
    inside: list[str] = []
    most: list[int] = []

    def read(rules: type) -> dict[str, str]:
        inside.append(rules.__name__)
        most.append(len(inside))
        sleep(0.02)
        inside.pop()
        return {}

    monkeypatch.setattr(game_routes, "field_docs", read)
    game_routes._told.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: server.get("/games"), range(4)))
    game_routes._told.cache_clear()
    assert answers == answers[:1] * 4
    assert max(most) == 1
