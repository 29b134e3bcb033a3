"""The results file of another Aces Up program, in and out."""

from unshuffle.games.aces_up.study.importing import import_file
from unshuffle.games.aces_up.study.peer_export import write_file

__all__ = ["import_file", "write_file"]
