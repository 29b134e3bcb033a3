"""Deals that are proved winnable, graded by the share of a panel's games that win them. See docs/winnable.md."""

from unshuffle.manifest import Seat
from unshuffle.winnable.finding import LOOK_THROUGH, NODES, SECONDS, Search, Tally, find, name_measure, stored
from unshuffle.winnable.labels import Cuts, Difficulty, cuts_of, has_cuts
from unshuffle.winnable.panels import Measured, Panel, panel_of
from unshuffle.winnable.slips import Slipping

__all__ = [
    "LOOK_THROUGH",
    "NODES",
    "SECONDS",
    "Cuts",
    "Difficulty",
    "Measured",
    "Panel",
    "Search",
    "Seat",
    "Slipping",
    "Tally",
    "cuts_of",
    "find",
    "has_cuts",
    "name_measure",
    "panel_of",
    "stored",
]
