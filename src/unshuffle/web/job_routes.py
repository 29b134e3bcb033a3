"""The routes of jobs: begin, look, listen and end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body
from fastapi.responses import StreamingResponse

from unshuffle.web import job_shapes
from unshuffle.web.asking import Kinds
from unshuffle.web.jobs import Job, Jobs
from unshuffle.web.trouble import told_for

_QUIET_SECONDS = 15.0
"""After this time without an event a comment is sent as a keep-alive."""

_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events `progress` and, last, `end`; the data of each is a Job.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


def routes(jobs: Jobs, kinds: Kinds) -> APIRouter:
    """Return the routes of jobs."""
    router = APIRouter()

    @router.post("/jobs", status_code=202, responses=told_for(400, 404, 409, 413, 415, 422, 429, 501, 503))
    def begin(asked: Annotated[job_shapes.JobAsked, Body(discriminator="kind")]) -> job_shapes.Job:
        """Begin a job. It is queued if all workers are busy."""
        jobs.check_room()
        work = kinds[asked.kind](asked)
        return jobs.add(Job(asked.kind, getattr(asked, "table", None), work)).shown()

    @router.get("/jobs/{name}", responses=told_for(404))
    def look(name: str) -> job_shapes.Job:
        """Return the state of a job."""
        return jobs.get(name).shown()

    @router.delete("/jobs/{name}", responses=told_for(404))
    def stop(name: str) -> job_shapes.Job:
        """End a job. What it has found so far is its result."""
        job = jobs.get(name)
        job.stop()
        return job.shown()

    @router.get("/jobs/{name}/events", response_class=StreamingResponse, responses=told_for(404) | _EVENTS)
    async def listen(name: str) -> StreamingResponse:
        """Stream the events of a job. Closing the stream does not end the job."""
        job = jobs.get(name)
        return StreamingResponse(_events(job), media_type="text/event-stream")

    return router


async def _events(job: Job) -> AsyncIterator[str]:
    async for now in job.changes(_QUIET_SECONDS):
        if now is None:
            yield ": still here\n\n"
            continue
        name = "end" if now.status in ("done", "failed", "cancelled") else "progress"
        yield f"event: {name}\ndata: {now.model_dump_json()}\n\n"
