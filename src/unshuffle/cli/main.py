"""The entry point: runs the command, and turns errors into a message on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from errno import ENAMETOOLONG

from unshuffle.cli.exits import ExitCode
from unshuffle.errors import (
    ClusterError,
    InternalError,
    InvalidDealError,
    OutputError,
    ParseError,
    StoreError,
    UsageError,
    quote,
)
from unshuffle.terminal import gates


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, and return its exit code. No error ends in a traceback."""
    with gates() as (out, err):
        try:
            try:
                code = _run(sys.argv[1:] if arguments is None else list(arguments))
            finally:
                # Flushed here, where a failure can still be reported; at interpreter exit it could not.
                out.flush()
        except OutputError as error:
            code = _lost(error)
        except KeyboardInterrupt:
            code = ExitCode.INTERRUPTED
        err.flush()
        # If a part of the output was lost, a verdict's exit code would be wrong.
        return _lost(err.fault) if err.fault is not None and code in _VERDICTS else code


_MOST_LINES = 100
"""The most lines of a message: a quoted text may have any number of lines."""
_VERDICTS = (ExitCode.DONE, ExitCode.NOT_WON, ExitCode.UNDECIDED)


def _lost(error: OutputError) -> int:
    return ExitCode.BROKEN_PIPE if error.is_broken_pipe else _fail(ExitCode.OUTPUT, str(error))


def _run(arguments: list[str]) -> int:
    try:
        # Imported here, so that Ctrl-C during the start prints no traceback either.
        from unshuffle.cli.app import run

        return run(arguments)
    except OutputError:
        raise
    except UsageError as error:
        return _fail(ExitCode.USAGE, str(error))
    except InvalidDealError as error:
        where = getattr(error, "__notes__", ["the deal cannot be read"])[0]
        return _fail(ExitCode.BAD_INPUT, "\n  ".join([f"{where}:", *str(error).splitlines()]))
    except ParseError as error:
        return _fail(ExitCode.BAD_INPUT, str(error))
    except StoreError as error:
        return _fail(ExitCode.STORE, str(error))
    except ClusterError as error:
        return _fail(ExitCode.CLUSTER, str(error))
    except InternalError as error:
        return _fail(ExitCode.INTERNAL, str(error))
    except OSError as error:
        if error.errno == ENAMETOOLONG:
            return _fail(ExitCode.USAGE, f"{quote(str(error.filename))}: {error.strerror}")
        # Errors of files are caught where they are opened. This one is of the system: no memory, no file descriptors.
        what = "" if error.filename is None else f"cannot use {error.filename!r}: "
        return _fail(ExitCode.INTERNAL, f"{what}{error.strerror or error}")
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return _fail(
            ExitCode.INTERNAL,
            f"unexpected {what}. This is a bug in unshuffle; please report it with the command"
            " (UNSHUFFLE_DEBUG=1 shows where it happened)",
        )


def _fail(code: ExitCode, message: str) -> ExitCode:
    lines = message.split("\n")
    if len(lines) > _MOST_LINES:
        message = "\n".join([*lines[:_MOST_LINES], f"... and {len(lines) - _MOST_LINES:,} lines more"])
    if code is ExitCode.INTERNAL and os.environ.get("UNSHUFFLE_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    print(f"Error: {message}", file=sys.stderr)
    return code
