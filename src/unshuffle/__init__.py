"""unshuffle: a laboratory for patience. Solve deals exactly, replayed by readable rules."""

# Packages first: `games`, `review` and `simulate` are also names of packages, and the functions below must win.
import unshuffle.advise
import unshuffle.games
import unshuffle.review
import unshuffle.simulate  # noqa: F401
from unshuffle.cards import Card, Suit
from unshuffle.deals import DealId, Source
from unshuffle.errors import Fault, IllegalMoveError, InternalError, InvalidDealError, ParseError, UsageError
from unshuffle.game import Description, Game, Hooks, Move, Outcome, State, View
from unshuffle.registry import deal, game, game_of, games, load, register
from unshuffle.review import ReviewInterrupted, review
from unshuffle.simulate import Estimate, Policy, Record, Simulation, SimulationInterrupted, estimate, simulate
from unshuffle.solve import Interrupted, Line, Progress, Result, Stats, Status, replay, solve, solve_many
from unshuffle.views import OpenView, Pictured

__version__ = "0.2.0"

__all__ = [
    "Card",
    "DealId",
    "Description",
    "Estimate",
    "Fault",
    "Game",
    "Hooks",
    "IllegalMoveError",
    "InternalError",
    "Interrupted",
    "InvalidDealError",
    "Line",
    "Move",
    "OpenView",
    "Outcome",
    "ParseError",
    "Pictured",
    "Policy",
    "Progress",
    "Record",
    "Result",
    "ReviewInterrupted",
    "Simulation",
    "SimulationInterrupted",
    "Source",
    "State",
    "Stats",
    "Status",
    "Suit",
    "UsageError",
    "View",
    "deal",
    "estimate",
    "game",
    "game_of",
    "games",
    "load",
    "register",
    "replay",
    "review",
    "simulate",
    "solve",
    "solve_many",
]
