"""A server and programs at terminals that change one saved game at the same time: nothing that was answered is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from tests.cli.program import program
from tests.faults import hammering
from tests.faults.test_saves import hammer
from tests.laws import IS_LONG
from tests.web.conftest import Server
from unshuffle.cards import PACK

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

TIMES = 40 if IS_LONG else 5
CHANGED = "by another program meanwhile"


def play(server: Server, _: int) -> bool:
    """Make the first move of what the server has now."""
    token = server.get("/tables/g")["legal"][0]["token"]
    answer = server.client.post("/api/tables/g/moves", json={"moves": [token]})
    # What was legal when it was asked for need not be so any more.
    assert answer.status_code in (200, 400, 409), answer.text
    return answer.status_code == 200


def advise(server: Server, number: int) -> bool:
    """Type another pile."""
    server.get("/advised/g")
    job: Any = server.job(kind="answer", advised="g", answer=f"1: {PACK[51]} {PACK[number % 51]}")
    assert job["status"] == "done" or CHANGED in job["error"], job
    return bool(job["status"] == "done")


TABS: dict[str, Callable[[Server, int], bool]] = {"play": play, "advise": advise}


@pytest.mark.parametrize("kind", hammering.ANSWERS)
def test_a_server_beside_programs_loses_nothing(server: Server, kind: str) -> None:
    """Law: every answer that a terminal or a tab was given is in the file, which is whole at any time."""
    saves = server.settings.saves
    arguments, _ = hammering.ANSWERS[kind]
    assert program(*arguments, "--saves", str(saves)).code == 0
    save = saves / "g.json"
    before = hammering.answered(save)
    ended: list[list[Any]] = []
    terminals = Thread(target=lambda: ended.extend(hammer(saves, kind, TIMES)))
    terminals.start()
    taken = number = 0
    while terminals.is_alive() or number < TIMES:
        taken += TABS[kind](server, number)
        number += 1
        json.loads(save.read_bytes())
    terminals.join()
    runs = [run for process in ended for run in process]
    assert len(runs) == 3 * TIMES
    for code, told in runs:
        assert code == 0 or (code == 74 and CHANGED in told), told
    assert taken
    assert hammering.answered(save) == before + taken + sum(code == 0 for code, _ in runs)
