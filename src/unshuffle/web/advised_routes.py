"""The routes of advised games, and the upload of save files of both kinds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from unshuffle.web import job_shapes, shapes
from unshuffle.web.advised import Sittings, show_sitting
from unshuffle.web.asking import chosen_game
from unshuffle.web.room import Room
from unshuffle.web.table_routes import SaveFile, as_file, is_played, save_name
from unshuffle.web.trouble import told_for


def routes(sittings: Sittings, room: Room) -> APIRouter:
    """Return the routes of advised games."""
    router = APIRouter()

    @router.get("/advised", responses=told_for())
    def saved() -> list[job_shapes.ListedAdvised]:
        """List the saved games, the last changed first."""
        return sittings.listed()

    @router.post("/advised", status_code=201, responses=told_for(400, 409, 413, 415, 422, 503))
    def begin(asked: job_shapes.NewAdvised) -> job_shapes.Advised:
        """Begin a game; answers are jobs of the kind `answer`."""
        game = chosen_game(asked.game, asked.variant, asked.rules)
        return show_sitting(sittings.begin(game, asked.id, asked.text))

    @router.get("/advised/{name}", responses=told_for(400, 404))
    def look(name: str) -> job_shapes.Advised:
        """Return the state of a game."""
        sitting = sittings.look(name)
        with sitting.lock:
            return show_sitting(sitting)

    @router.delete("/advised/{name}", status_code=204, responses=told_for(400, 404, 409, 503))
    def clear(name: str) -> None:
        """Delete a game and its save."""
        sittings.delete(name)

    @router.get(
        "/advised/{name}/save",
        response_class=Response,
        responses=told_for(400, 404) | {200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
    )
    def download(name: str) -> Response:
        """Return the save file, which `unshuffle advise --id` opens too."""
        return as_file(name, sittings.file(name))

    @router.post("/saves", status_code=201, responses=told_for(400, 409, 413, 415, 422, 503))
    def take_in(value: SaveFile, rename: Annotated[bool, Query()] = False) -> shapes.Kept:
        """Store a save file. `rename`: store it under a new id if its own is in use."""
        name = save_name(value)
        if is_played(value):
            return shapes.Kept(kind="table", id=room.take_in(name, value, renames=rename))
        return shapes.Kept(kind="advised", id=sittings.take_in(name, value, renames=rename))

    return router
