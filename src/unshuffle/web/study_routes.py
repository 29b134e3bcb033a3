"""Studies: which there are, what came of one, its report."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from unshuffle.web import job_shapes
from unshuffle.web.studies import CHARTS_STYLE, REPORT_POLICY, Studies
from unshuffle.web.trouble import told_for


def routes(studies: Studies) -> APIRouter:
    """The part of the API that is about studies."""
    router = APIRouter()

    @router.get("/studies", responses=told_for(503))
    def listed() -> list[job_shapes.ListedStudy]:
        """The studies of the store, and how far each has come."""
        return studies.listed()

    # Names of studies may have a slash in them, so the report is looked for first.
    @router.get(
        "/studies/{name:path}/report",
        response_class=Response,
        responses=told_for(404, 501, 503) | {200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    def report(name: str) -> HTMLResponse:
        """The whole report, to read, to print and to keep."""
        return HTMLResponse(studies.report(name), headers={"Content-Security-Policy": REPORT_POLICY})

    @router.get("/studies/{name:path}", responses=told_for(404, 501, 503))
    def look(name: str) -> job_shapes.Study:
        """The rates of a study with their intervals, its pictures, and what they rest on."""
        return studies.look(name)

    @router.get(
        "/charts.css",
        response_class=Response,
        responses=told_for() | {200: {"content": {"text/css": {"schema": {"type": "string"}}}}},
    )
    def style() -> Response:
        """How the pictures of studies look within an element of the class `charts`."""
        return Response(CHARTS_STYLE, media_type="text/css")

    return router
