"""The pages of environments: every prompt runs."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.laws import ROOT


@pytest.mark.parametrize("name", ["belle-lucie.md", "gaps.md"])
def test_every_prompt_of_the_page_runs(name: str) -> None:
    [block] = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "envs" / name).read_text("utf-8"), re.DOTALL)
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(block, {}, name, name, 0))
    assert (found.failed, found.attempted) == (0, 11)
