"""The codes with which the program ends."""

from __future__ import annotations

from enum import IntEnum

from unshuffle.solve import Status


class ExitCode(IntEnum):
    """What a script can tell from the end of the program."""

    DONE = 0
    """Solved; a valid win; the work was done."""
    NOT_WON = 1
    """Proved to be unsolvable; no win."""
    USAGE = 2
    """The request makes no sense as it stands."""
    UNDECIDED = 3
    """A limit was hit. That is not a no."""
    CLUSTER = 69
    """A cluster that cannot be reached, is lost, or cannot take part (EX_UNAVAILABLE of sysexits.h)."""
    INTERNAL = 70
    """A bug of ours (EX_SOFTWARE)."""
    STORE = 74
    """A store of results that cannot be read or written: a full disk, a foreign file (EX_IOERR)."""
    OUTPUT = 74
    """Stdout or stderr that cannot be written: closed, a full disk. Never the code of a verdict."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it: 128 + SIGINT."""
    BROKEN_PIPE = 141
    """Nobody reads on, as after `| head`: 128 + SIGPIPE."""
    BAD_INPUT = 255
    """A deal, a move or a file that cannot be read."""

    @classmethod
    def of(cls, status: Status) -> ExitCode:
        """The code for what is known about one deal."""
        if status is Status.SOLVED:
            return cls.DONE
        return cls.NOT_WON if status is Status.UNSOLVABLE else cls.UNDECIDED
