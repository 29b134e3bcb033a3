"""Jobs: hints, solves, the coach, deals worth playing; how far they are, their end, and how many there may be."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG
from tests.web.conftest import Server, serve
from unshuffle import engine
from unshuffle.registry import games_with
from unshuffle.web.jobs import Job, Jobs
from unshuffle.web.trouble import BusyError, NotThereError


def events(server: Server, name: str) -> list[tuple[str, Any]]:
    """What a listener hears, up to the end."""
    heard = []
    with server.client.stream("GET", f"/api/jobs/{name}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        event = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: "):
                heard.append((event, json.loads(line.removeprefix("data: "))))
    return heard


def until_over(job: Job) -> None:
    begun = monotonic()
    while not job.is_over:
        assert monotonic() - begun < 60
        sleep(0.01)


def undecided(server: Server) -> str:
    """A table whose solving takes longer than any test."""
    name: str = server.post("/tables", {"deal": "belle-lucie/shamrocks@0"}, 201)["id"]
    return name


@pytest.mark.parametrize("game", games_with("adviser"))
@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_hint_names_a_legal_move_and_its_reason(server: Server, game: str) -> None:
    table = server.table(game)
    job = server.job(kind="hint", table=table["id"], seconds=0.1)
    assert job["status"] == "done", job
    result = job["result"]
    legal = {move["token"]: move for move in table["legal"]}
    assert result["told"]["token"] in legal
    assert result["told"]["from"] == legal[result["told"]["token"]]["from"]
    assert result["plan"][0] == result["told"]
    assert result["information"] == "hidden"
    assert result["claim"]
    assert server.get(f"/tables/{table['id']}")["hints"] == 1
    assert server.get("/tables") == []  # nothing was played, so nothing is saved


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_solution_is_told_move_by_move(shared: Server) -> None:
    table = shared.table("belle-lucie", variant="one-deal", seed="3")
    job = shared.job(kind="solve", table=table["id"])
    result = job["result"]
    assert result["status"] == "solved"
    assert result["information"] == "open"
    assert result["verdict"].startswith("The game can be won, in ")
    tokens = [move["token"] for move in result["moves"]]
    frames = shared.post(f"/tables/{table['id']}/line", {"moves": tokens})["frames"]
    assert frames[-1]["outcome"] == "won"
    assert [frame["told"]["from"] for frame in frames[1:]] == [move["from"] for move in result["moves"]]


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_solver_that_would_look_at_hidden_cards_asks_first(server: Server) -> None:
    table = server.table("aces-up", seed="3", moves=["d"])
    assert table["solver_looks"]
    assert "cannot see" in server.post("/jobs", {"kind": "solve", "table": table["id"]}, 409)["detail"]
    assert not server.get(f"/tables/{table['id']}")["looked"]
    job = server.job(kind="solve", table=table["id"], look=True, seconds=5)
    assert job["status"] == "done"
    assert server.get(f"/tables/{table['id']}")["looked"]
    # Whoever has looked need not be asked again; a server that was started anew knows it too.
    assert server.job(kind="solve", table=table["id"], seconds=5)["status"] == "done"
    for other in serve(server.settings.saves.parent):
        assert other.get(f"/tables/{table['id']}")["looked"]


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_phase_is_solved_by_what_is_seen(shared: Server) -> None:
    table = shared.table("gaps")
    assert not table["is_open"]
    assert not table["solver_looks"]
    job = shared.job(kind="solve", table=table["id"], seconds=2)
    assert job["result"]["is_phase"]
    assert "no redeal" in job["result"]["verdict"]


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_the_coach_judges_a_move_that_is_not_made(shared: Server) -> None:
    table = shared.table("belle-lucie", variant="one-deal", seed="3")
    move = table["legal"][0]["token"]
    job = shared.job(kind="coach", table=table["id"], move=move, seconds=0.2)
    assert job["result"]["lines"][0].startswith("Coach: ")
    assert shared.get(f"/tables/{table['id']}")["moves"] == []
    assert shared.post("/jobs", {"kind": "coach", "table": table["id"], "move": "nonsense"}, 400)


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_review_finds_the_move_that_lost_the_game(shared: Server) -> None:
    state = un.game("belle-lucie", "one-deal").deal(3)
    table = shared.table("belle-lucie", variant="one-deal", seed="3")
    assert "nothing to review" in shared.post("/jobs", {"kind": "review", "table": table["id"]}, 409)["detail"]
    tokens = []
    while moves := state.legal_moves():
        tokens.append(moves[-1].token)
        state = state.play(moves[-1])
    shared.post(f"/tables/{table['id']}/moves", {"moves": tokens})
    job = shared.job(kind="review", table=table["id"], seconds=20)
    assert job["status"] == "done", job
    found = job["result"]
    assert found["moves"] == tokens
    assert len(found["positions"]) == len(tokens) + 1
    assert found["positions"][-1]["verdict"] == "lost"
    assert found["information"] == "open"
    hidden = shared.table("aces-up", seed="3", moves=["d"])
    assert shared.post("/jobs", {"kind": "review", "table": hidden["id"]}, 409)
    assert not shared.get(f"/tables/{hidden['id']}")["looked"]


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_search_tells_how_far_it_is_and_its_end(shared: Server) -> None:
    name = shared.post("/jobs", {"kind": "solve", "table": undecided(shared), "seconds": 0.4}, 202)["id"]
    heard = events(shared, name)
    assert [event for event, _ in heard[:-1]] == ["progress"] * (len(heard) - 1)
    assert heard[-1][0] == "end"
    told = [job["progress"]["nodes"] for _, job in heard if job["progress"]]
    assert told
    assert told == sorted(told)
    assert heard[-1][1]["result"]["status"] == "time-limit"
    assert "not a no" in heard[-1][1]["result"]["verdict"]
    assert events(shared, name) == heard[-1:]  # one who comes late hears the end


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_search_that_is_ended_tells_what_it_has_found(shared: Server) -> None:
    name = shared.post("/jobs", {"kind": "solve", "table": undecided(shared), "seconds": 60}, 202)["id"]
    with shared.client.stream("GET", f"/api/jobs/{name}/events") as stream:
        next(stream.iter_lines())  # whoever stops listening does not end it
    assert shared.get(f"/jobs/{name}")["status"] == "running"
    begun = monotonic()
    shared.delete(f"/jobs/{name}")
    job = shared.wait(name)
    assert monotonic() - begun < 30
    assert job["status"] == "cancelled"
    assert job["result"]["status"] == "cancelled"
    assert shared.delete(f"/jobs/{name}") == job  # once more changes nothing


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_limits_are_kept(tmp_path: Path) -> None:
    for server in serve(tmp_path, jobs=1, queue=2, seconds=0.1):
        table = undecided(server)
        # More than the server allows is cut to what it allows.
        job = server.job(kind="solve", table=table, seconds=1000)
        assert job["result"]["status"] == "time-limit"
        assert job["progress"] is None or job["progress"]["limit"] == 0.1


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_too_many_jobs_are_refused(tmp_path: Path) -> None:
    for server in serve(tmp_path, jobs=1, queue=2):
        table = undecided(server)
        asked = {"kind": "solve", "table": table, "seconds": 100}
        names = [server.post("/jobs", asked, 202)["id"] for _ in range(3)]
        assert "3 jobs" in server.post("/jobs", asked, 429)["detail"]
        assert server.delete(f"/jobs/{names[-1]}")["status"] == "cancelled"  # it has waited only
        names.append(server.post("/jobs", asked, 202)["id"])
        for name in names:
            server.delete(f"/jobs/{name}")
        assert {server.wait(name)["status"] for name in names} == {"cancelled"}


LONG: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # Neither engine decides it for many seconds.
    "coach gaps": ({"game": "gaps", "variant": "one-deal", "seed": "14"}, {"kind": "coach", "seconds": 120}),
    "coach spider": ({"game": "spider", "seed": "7"}, {"kind": "coach", "seconds": 120}),
    "hint spider": ({"game": "spider", "seed": "7"}, {"kind": "hint", "seconds": 120}),
    "hint gaps": ({"game": "gaps", "variant": "one-deal", "seed": "14"}, {"kind": "hint", "seconds": 120}),
    "review": ({"deal": "belle-lucie/shamrocks@0"}, {"kind": "review", "seconds": 120}),
    "winnable": ({}, {"kind": "winnable", "game": "belle-lucie", "variant": "shamrocks", "difficulty": "hard"}),
}


if not IS_LONG:
    del LONG["hint spider"]  # it ends as late as the coach: after its first samples, without which there is no answer


@pytest.mark.parametrize("what", LONG)
@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_work_that_is_ended_really_ends(tmp_path: Path, what: str) -> None:
    """As long as its thread is busy no other job is taken, whatever its status says."""
    if what == "winnable" and engine.native() is None:
        pytest.skip("the players of a deal stop between two games, and one game of theirs takes minutes in Python")
    begin, asked = LONG[what]
    for server in serve(tmp_path, jobs=1, queue=0):
        if begin:
            table = server.table(**begin)
            asked = {**asked, "table": table["id"]}
            if asked["kind"] == "coach":
                asked["move"] = table["legal"][0]["token"]
            if asked["kind"] == "review":
                server.post(f"/tables/{table['id']}/moves", {"moves": [table["legal"][0]["token"]]})
        name = server.post("/jobs", asked, 202)["id"]
        while server.get(f"/jobs/{name}")["status"] == "queued":
            sleep(0.01)
        sleep(0.1)  # into the midst of its work, of which most kinds of jobs tell nothing
        server.delete(f"/jobs/{name}")
        server.wait(name, 10)
        until = monotonic() + 60  # not a time that is promised: other programs share the machine
        small = {"kind": "hint", "table": server.table("aces-up")["id"], "seconds": 0.1}
        while server.client.post("/api/jobs", json=small).status_code == 429:
            assert monotonic() < until, "its thread goes on"
            sleep(0.05)


def test_only_so_many_finished_jobs_are_kept() -> None:
    jobs = Jobs(1, 1000)
    made = []
    for _ in range(120):
        made.append(jobs.add(Job("test", None, lambda job: {"x": 1})))
        until_over(made[-1])
    for job in made[-100:]:
        assert jobs.get(job.id).shown().status == "done"
    with pytest.raises(NotThereError):
        jobs.get(made[0].id)
    jobs.close()


def test_work_that_does_not_look_up_is_over_for_the_one_who_ended_it() -> None:
    jobs, lets_go = Jobs(1, 0), Event()

    def work(job: Job) -> dict[str, Any]:
        lets_go.wait(60)
        return {"late": True}

    job = jobs.add(Job("test", None, work))
    with pytest.raises(BusyError):
        jobs.add(Job("test", None, work))
    while job.status == "queued":
        sleep(0.01)
    job.stop()
    until_over(job)
    assert job.shown().status == "cancelled"
    # It keeps its thread, so nobody can pile up more of its kind by ending them.
    with pytest.raises(BusyError):
        jobs.add(Job("test", None, work))
    lets_go.set()
    while job.is_at_work:
        sleep(0.01)
    until_over(jobs.add(Job("test", None, work)))
    jobs.close()
    assert job.shown().result == {"late": True}


def test_a_bug_in_a_job_is_told_without_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    jobs = Jobs(1, 0)

    def work(job: Job) -> dict[str, Any]:
        raise ZeroDivisionError("secret words")

    job = jobs.add(Job("test", None, work))
    until_over(job)
    jobs.close()
    assert job.shown().status == "failed"
    assert "secret" not in (job.shown().error or "")
    assert "secret words" in caplog.text


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_wrong_questions(shared: Server) -> None:
    assert shared.post("/jobs", {"kind": "hint", "table": "none"}, 404)
    assert shared.post("/jobs", {"kind": "nothing"}, 422)
    assert shared.post("/jobs", {"kind": "hint"}, 422)
    assert shared.post("/jobs", {"kind": "hint", "table": "x", "more": 1}, 422)
    assert shared.post("/jobs", {"kind": "winnable", "game": "chess"}, 400)
    assert shared.get("/jobs/none", 404)
    assert shared.delete("/jobs/none", 404)
    assert shared.get("/jobs/none/events", 404)


@pytest.mark.one_engine("checks the page and its server, not the answers")
def test_a_deal_worth_playing(shared: Server) -> None:
    job = shared.job(kind="winnable", game="agnes", rules={"ranks": 4, "piles": 3})
    assert job["status"] == "done", job
    deal = job["result"]["deal"]
    assert un.solve(un.deal(deal)).status == "solved"
    assert job["result"]["difficulty"] in ("easy", "medium", "hard")
    assert shared.post("/tables", {"deal": deal}, 201)["deal"] == deal
