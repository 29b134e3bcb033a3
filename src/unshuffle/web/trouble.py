"""Errors as answers: the messages of the command line, with an HTTP status code."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from unshuffle.advise.folder import ChangedError
from unshuffle.errors import (
    ClusterError,
    IllegalMoveError,
    InvalidDealError,
    LackingError,
    ParseError,
    RefusedError,
    StoreError,
    UsageError,
)
from unshuffle.web.shapes import Fault, Trouble


class NotThereError(Exception):
    """No table, job, study or advised game has this name."""


class NotNowError(Exception):
    """A valid request that is not possible in the current state."""


class BusyError(Exception):
    """The queue of jobs is full."""


_CODES: dict[type[Exception], int] = {
    ParseError: 400,
    InvalidDealError: 400,
    IllegalMoveError: 400,
    UsageError: 400,
    NotThereError: 404,
    RefusedError: 409,
    ChangedError: 409,
    NotNowError: 409,
    BusyError: 429,
    LackingError: 501,
    StoreError: 503,
    ClusterError: 503,
}

WORDS = {
    400: "The input cannot be read, or makes no sense; every fault is named.",
    403: "The request comes from another page, or asks for another host.",
    404: "There is no such thing.",
    409: "Not possible in the current state.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The body has the wrong shape.",
    429: "Too many jobs.",
    501: "A part of the package is not installed.",
    503: "It cannot be saved or read: the disk, or the store.",
}


def told_for(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Return the error answers of a route, for the description of the API."""
    return {code: {"model": Trouble, "description": WORDS[code]} for code in sorted({403, *codes})}


def faults_of(error: InvalidDealError) -> list[Fault]:
    """Return every fault of a text with its place."""
    return [
        Fault(
            line=None if fault.place is None else fault.place.line,
            column=None if fault.place is None else fault.place.column,
            message=fault.message,
        )
        for fault in error.faults
    ]


def answer(code: int, detail: str, faults: list[Fault] | None = None, headers: Any = None) -> JSONResponse:
    """Return an answer with an error."""
    shape = Trouble(detail=detail, faults=[Fault(message=detail)] if faults is None else faults)
    return JSONResponse(shape.model_dump(), code, headers=headers)


def _answer_ours(request: Request, error: Exception) -> JSONResponse:
    code = next(_CODES[kind] for kind in type(error).__mro__ if kind in _CODES)
    return answer(code, str(error), faults_of(error) if isinstance(error, InvalidDealError) else None)


def _answer_shape(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = [
        Fault(message=f"{'.'.join(map(str, each['loc'][1:])) or 'the body'}: {each['msg']}") for each in error.errors()
    ]
    return answer(422, "; ".join(fault.message for fault in faults), faults)


def _answer_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    words = {
        404: f"there is no {request.url.path}",
        405: f"{request.method} cannot be done with {request.url.path}",
    }
    return answer(error.status_code, words.get(error.status_code, str(error.detail)), headers=error.headers)


def _answer_bug(request: Request, error: Exception) -> JSONResponse:
    # The framework writes the traceback to the server's log.
    return answer(500, "a bug in unshuffle; the server's log tells where it happened. Please report it")


def explain_troubles(app: FastAPI) -> None:
    """Register handlers that turn every error into an answer of one shape."""
    for kind in _CODES:
        app.add_exception_handler(kind, _answer_ours)
    app.add_exception_handler(RequestValidationError, _answer_shape)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(Exception, _answer_bug)
