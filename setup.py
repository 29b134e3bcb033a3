"""The optional native engine; all other facts about the package stand in pyproject.toml.

UNSHUFFLE_BUILD decides what happens to the engine:
auto (unset) builds it where a Rust toolchain and its crates are to be had, and installs without it otherwise;
require fails the install when the engine cannot be built (CI, wheels); skip does not try.
"""

import os
import sys

from setuptools import setup
from setuptools_rust import Binding, RustExtension

mode = os.environ.get("UNSHUFFLE_BUILD", "") or "auto"
if mode not in ("auto", "require", "skip"):
    sys.exit(f"UNSHUFFLE_BUILD={mode!r} is not known; expected auto, require or skip")

engine = RustExtension(
    "unshuffle._engine",
    path="engine/Cargo.toml",
    binding=Binding.PyO3,
    py_limited_api=True,
    features=["python"],
    args=["--locked"],
    debug=False,
    optional=mode == "auto",
)

if mode == "skip":
    setup()
else:
    # One wheel serves CPython 3.11 and up.
    setup(rust_extensions=[engine], options={"bdist_wheel": {"py_limited_api": "cp311"}})
