"""The application of the server, made from its parts."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

import unshuffle as un
from unshuffle.web import advised_routes, game_routes, job_routes, study_routes, table_routes
from unshuffle.web.advised import Sittings
from unshuffle.web.asking import Asking, Kinds
from unshuffle.web.guard import Guard
from unshuffle.web.jobs import Jobs
from unshuffle.web.room import Room
from unshuffle.web.settings import Settings
from unshuffle.web.studies import Studies
from unshuffle.web.trouble import explain_troubles

STATIC = Path(__file__).parent / "static"
# The media types must not depend on the tables of the system.
_KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Application:
    """The server's application behind its guard, and its jobs."""

    asgi: ASGIApp
    jobs: Jobs


def make_app(settings: Settings) -> Application:
    """Return the application with all its routes."""
    for ending, kind in _KINDS.items():
        mimetypes.add_type(kind, ending)
    app = FastAPI(
        title="unshuffle",
        version=un.__version__,
        summary="The API of the page: the same functions as the command line.",
        docs_url=None,
        redoc_url=None,
        # A path with an extra slash is another path: 404, as the API description says, and no redirect.
        redirect_slashes=False,
        # Newer releases of FastAPI can send telemetry to an address in the environment. No data leaves this machine.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    explain_troubles(app)
    jobs = Jobs(settings.jobs, settings.queue)
    room = Room(settings.saves, settings.tables)
    api = APIRouter(prefix="/api")
    api.include_router(game_routes.routes(settings))
    api.include_router(table_routes.routes(room))
    asking = Asking(room, settings)
    studies = Studies(settings)
    sittings = Sittings(settings.saves, settings)
    kinds: Kinds = {
        "hint": asking.hint,
        "solve": asking.solve,
        "chance": asking.chance,
        "review": asking.review,
        "coach": asking.coach,
        "answer": sittings.answer,
        "winnable": studies.winnable,
        "study": studies.run,
    }
    api.include_router(study_routes.routes(studies))
    api.include_router(advised_routes.routes(sittings, room))
    api.include_router(job_routes.routes(jobs, kinds))
    app.include_router(api)
    app.add_api_route("/", _index, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")
    return Application(Guard(app, settings.host, settings.body), jobs)


def _index() -> FileResponse:
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
