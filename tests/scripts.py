"""Running a program of benches/ or studies/ inside the process of the tests."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType
from unittest.mock import patch


@cache
def load_script(path: Path) -> ModuleType:
    """Return the program as a module. Its folder is on the path of imports only while the program loads."""
    name = f"script_{path.parent.name}_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    with patch.object(sys, "path", [str(path.parent), *sys.path]):
        spec.loader.exec_module(module)
    return module


def run_script(path: Path, *arguments: object) -> CompletedProcess[str]:
    """Run the program as `python PATH ARGUMENTS` does, but not in a process of its own."""
    module = load_script(path)
    words = [str(path), *map(str, arguments)]
    out, err = io.StringIO(), io.StringIO()
    code: object = None
    # A program may set a variable of the environment for its own process.
    with patch.object(sys, "argv", words), patch.dict(os.environ), redirect_stdout(out), redirect_stderr(err):
        try:
            code = module.main()
        except SystemExit as ended:
            code = ended.code
    if isinstance(code, str):
        err.write(code)
    code = code if isinstance(code, int) else int(code is not None)
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
