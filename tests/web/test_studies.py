"""Studies over the API: played as jobs, listed, shown with intervals and pictures, reported."""

from __future__ import annotations

import builtins
import re
from time import sleep
from typing import Any

import pytest

import unshuffle as un
from tests.study.filled import fill_policy, fill_solver
from tests.web.conftest import Server
from unshuffle.rulebook import write_rules
from unshuffle.store import Store
from unshuffle.study.report import report_rows
from unshuffle.web.studies import REPORT_POLICY

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

ASKED = {"kind": "study", "name": "lists", "game": "aces-up", "policy": "greedy", "seeds": "0..49"}


def test_without_a_store_there_are_no_studies_and_none_is_made(server: Server) -> None:
    assert server.get("/studies") == []
    assert "there is no store yet" in server.get("/studies/lists", 404)["detail"]
    assert not server.settings.store.exists()


def test_a_study_is_played_shown_and_goes_on(server: Server) -> None:
    job = server.job(**ASKED)
    assert job["status"] == "done", job
    assert job["result"] == {"name": "lists"}
    (listed,) = server.get("/studies")
    assert (listed["name"], listed["game"], listed["deals"], listed["planned"]) == ("lists", "aces-up", 50, 50)
    study = server.get("/studies/lists")
    with Store.open(server.settings.store, create=False) as store:
        assert study["rows"] == report_rows(store, "lists")
    (row,) = study["rows"]
    assert row["low"] <= row["rate"] <= row["high"]
    assert study["charts"]
    assert all("<svg" in chart["svg"] and "style=" not in chart["svg"] for chart in study["charts"])
    assert study["provenance"]["runs"][0]["method"] == "policy:greedy"
    # Without a game the stored one goes on, over more deals.
    assert server.job(kind="study", name="lists", seeds="0..79")["status"] == "done"
    assert server.get("/studies")[0]["deals"] == 80
    assert "unknown study" in server.get("/studies/other", 404)["detail"]


def test_the_rates_come_with_what_they_do_not_say_of_themselves(server: Server) -> None:
    """What was wrong: rates of a study that was extended, of a clock and of first phases stood there without a word."""
    with Store.open(server.settings.store) as store:
        rules = write_rules(un.game("gaps").rules)
        fill_solver(store, "phases", ["solved", "unsolvable"], game="gaps", variant="addiction", rules=rules)
        fill_policy(store, "clock", [True], game="gaps", variant="addiction", method="policy:value:0.3s")
    (told,) = server.get("/studies/phases")["notes"]
    assert told.startswith("Won and lost of gaps/addiction are said of the first phase of each deal: ")
    # A search that is asked for here ends by its nodes, and so comes out alike everywhere.
    asked = {"kind": "study", "name": "s", "game": "agnes", "variant": "up-suit-none", "solver": True, "seeds": "0..4"}
    assert server.job(**asked)["status"] == "done"
    (run,) = server.get("/studies/s")["provenance"]["runs"]
    assert (run["nodes_limit"], run["seconds_limit"]) == (10_000_000, None)
    assert server.get("/studies/s")["notes"] == []
    assert server.job(kind="study", name="s", seeds="0..9")["status"] == "done"
    (told,) = server.get("/studies/s")["notes"]
    assert told.startswith("The run was extended after deals had been finished, once")
    (told,) = server.get("/studies/clock")["notes"]
    assert told.startswith("Not reproducible: It has a limit by the clock.")
    assert "--seconds" not in told
    assert server.job(**ASKED)["status"] == "done"
    assert server.get("/studies/lists")["notes"] == []


def test_a_name_may_have_a_slash(server: Server) -> None:
    assert server.job(**ASKED | {"name": "lists/of may"})["status"] == "done"
    assert server.get("/studies/lists%2Fof%20may")["name"] == "lists/of may"
    assert server.client.get("/api/studies/lists%2Fof%20may/report").status_code == 200


def test_the_report_is_a_page_on_which_nothing_runs(server: Server) -> None:
    server.job(**ASKED)
    answer = server.client.get("/api/studies/lists/report")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == REPORT_POLICY
    assert "unsafe" not in REPORT_POLICY
    assert "<script" not in answer.text
    assert re.search(r"https?://", answer.text) is None
    style = server.client.get("/api/charts.css")
    assert style.headers["content-type"].startswith("text/css")
    assert ".rates" in style.text


def test_a_study_that_is_ended_keeps_what_was_played(server: Server) -> None:
    job = server.post("/jobs", {**ASKED, "name": "long", "seeds": "0..9999999"}, 202)
    while not (server.get(f"/jobs/{job['id']}")["progress"] or {}).get("done"):
        sleep(0.02)
    server.delete(f"/jobs/{job['id']}")
    assert server.wait(job["id"])["status"] == "cancelled"
    assert 0 < server.get("/studies")[0]["deals"] < 10_000_000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"policy": "nobody"}, "nobody"),
        ({"solver": True}, "one of them"),
        ({"seeds": "9..0"}, "9..0"),
        ({"name": ""}, "name"),
    ],
)
def test_a_study_that_makes_no_sense(shared: Server, change: dict[str, Any], words: str) -> None:
    assert words in shared.post("/jobs", {**ASKED, **change}, 400)["detail"]


def test_what_is_not_installed_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.job(**ASKED)
    real = builtins.__import__

    def without_scipy(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == "scipy":
            raise ImportError("no scipy", name="scipy")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_scipy)
    told = server.get("/studies/lists", 501)["detail"]
    assert told == "this needs scipy, which is not installed: pip install 'unshuffle[study]'"
