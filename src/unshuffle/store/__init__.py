"""The store: one SQLite file of results, which survives crashes and which SQLite browsers read. See docs/studies.md."""

from unshuffle.errors import StoreError
from unshuffle.store.batches import Batch, Entry, ImportedBatch, ImportedWin
from unshuffle.store.database import Store
from unshuffle.store.files import default_path
from unshuffle.store.games import Counts, Games, PolicyChunk, PolicyGames
from unshuffle.store.graded import NOT_MEASURED, GradedDeal, Grading, PassedDeal
from unshuffle.store.owner import Owner
from unshuffle.store.records import (
    DECKS,
    LAST_STORED_SEED,
    ChunkSummary,
    ClaimLostError,
    Planned,
    Run,
    RunSpec,
    SolverRow,
    StudyInfo,
    Summary,
)
from unshuffle.store.strategies import Strategy

__all__ = [
    "DECKS",
    "LAST_STORED_SEED",
    "NOT_MEASURED",
    "Batch",
    "ChunkSummary",
    "ClaimLostError",
    "Counts",
    "Entry",
    "Games",
    "GradedDeal",
    "Grading",
    "ImportedBatch",
    "ImportedWin",
    "Owner",
    "PassedDeal",
    "Planned",
    "PolicyChunk",
    "PolicyGames",
    "Run",
    "RunSpec",
    "SolverRow",
    "Store",
    "StoreError",
    "Strategy",
    "StudyInfo",
    "Summary",
    "default_path",
]
