"""The way in and the way out: find the command, run it, turn what went wrong into a message and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from unshuffle.cli.exits import ExitCode
from unshuffle.errors import ClusterError, InternalError, InvalidDealError, ParseError, StoreError, UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, and return its exit code. No error leaves as a traceback."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            # Here, where a reader that is gone can still be met quietly; at the interpreter's end it could not.
            sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer goes nowhere, so that the end of the program has nothing to complain about.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return ExitCode.BROKEN_PIPE
        # An error of a file that has a name is met where it is opened; without one, it is that of the output.
        what = "the output cannot be written" if error.filename is None else f"cannot use {error.filename!r}"
        return _fail(ExitCode.INTERNAL, f"{what}: {error.strerror or error}")


def _run(arguments: list[str]) -> int:
    try:
        # Inside, so that a Ctrl-C while the program still starts is quiet too.
        from unshuffle.cli.app import run

        return run(arguments)
    except OSError:
        raise
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
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
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return _fail(
            ExitCode.INTERNAL,
            f"unexpected {what}. This is a bug in unshuffle; please report it with the command"
            " (UNSHUFFLE_DEBUG=1 shows where it happened)",
        )


def _fail(code: ExitCode, message: str) -> ExitCode:
    if code is ExitCode.INTERNAL and os.environ.get("UNSHUFFLE_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    print(f"Error: {message}", file=sys.stderr)
    return code
