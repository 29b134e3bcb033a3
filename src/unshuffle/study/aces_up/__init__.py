"""The results file of another Aces Up program, in and out."""

from unshuffle.study.aces_up.importing import import_file
from unshuffle.study.aces_up.peer_export import write_file

__all__ = ["import_file", "write_file"]
