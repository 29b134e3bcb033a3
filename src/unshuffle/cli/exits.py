"""The exit codes of the program."""

from __future__ import annotations

from enum import IntEnum

from unshuffle.solve import Status


class ExitCode(IntEnum):
    """The exit code, for scripts."""

    DONE = 0
    """Solved; a valid win; the work was done."""
    NOT_WON = 1
    """Proved to be unsolvable; no win."""
    USAGE = 2
    """Wrong usage: the arguments make no sense together."""
    UNDECIDED = 3
    """Undecided: a limit was hit, so nothing is proved."""
    CLUSTER = 69
    """A cluster that cannot be reached, is lost, or cannot take part (EX_UNAVAILABLE of sysexits.h)."""
    INTERNAL = 70
    """A bug in unshuffle (EX_SOFTWARE)."""
    STORE = 74
    """A store of results that cannot be read or written: a full disk, a foreign file (EX_IOERR)."""
    OUTPUT = 74
    """Stdout or stderr that cannot be written: closed, a full disk. Replaces the code of a verdict."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """The reader closed the pipe, as in `| head`: 128 + SIGPIPE."""
    BAD_INPUT = 255
    """A deal, a move or a file that cannot be read."""

    @classmethod
    def of(cls, status: Status) -> ExitCode:
        """Return the exit code for the status of one deal."""
        if status is Status.SOLVED:
            return cls.DONE
        return cls.NOT_WON if status is Status.UNSOLVABLE else cls.UNDECIDED
