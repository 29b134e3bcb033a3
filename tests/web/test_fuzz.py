"""The API is as /openapi.json says it is, whatever it is asked."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.laws import IS_LONG
from unshuffle.web.app import make_app
from unshuffle.web.settings import Settings

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

# Its folder goes with the process; jobs are short, and few at once.
_folder = tempfile.TemporaryDirectory()
_path = Path(_folder.name)
_app = make_app(Settings(saves=_path / "saves", store=_path / "store", jobs=1, queue=4, seconds=0.1, memory=50_000_000))
schema = schemathesis.openapi.from_asgi("/openapi.json", _app.asgi, headers={"Host": "127.0.0.1"})


@schema.parametrize()
@settings(max_examples=10 if IS_LONG else 5, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_description_tells(case: Any) -> None:
    """Law: no question makes the server fail, and every answer has a code, a type and a shape that are described."""
    case.call_and_validate(
        headers={"Host": "127.0.0.1"},
        checks=(not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance),
    )
