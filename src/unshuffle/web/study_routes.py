"""The routes of studies."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from unshuffle.web import job_shapes
from unshuffle.web.studies import CHARTS_STYLE, REPORT_POLICY, Studies
from unshuffle.web.trouble import told_for


def routes(studies: Studies) -> APIRouter:
    """Return the routes of studies."""
    router = APIRouter()

    @router.get("/studies", responses=told_for(503))
    def listed() -> list[job_shapes.ListedStudy]:
        """List the studies of the store with their progress."""
        return studies.listed()

    # The name of a study may contain slashes, so the route of the report comes first.
    @router.get(
        "/studies/{name:path}/report",
        response_class=Response,
        responses=told_for(404, 501, 503) | {200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    def report(name: str) -> HTMLResponse:
        """Return the whole report as an HTML page."""
        return HTMLResponse(studies.report(name), headers={"Content-Security-Policy": REPORT_POLICY})

    @router.get("/studies/{name:path}", responses=told_for(404, 501, 503))
    def look(name: str) -> job_shapes.Study:
        """Return the rates of a study with their intervals, its charts and its provenance."""
        return studies.look(name)

    @router.get(
        "/charts.css",
        response_class=Response,
        responses=told_for() | {200: {"content": {"text/css": {"schema": {"type": "string"}}}}},
    )
    def style() -> Response:
        """Return the stylesheet of charts within an element of the class `charts`."""
        return Response(CHARTS_STYLE, media_type="text/css")

    return router
