"""Results on disk: one SQLite file that survives anything and that any SQLite browser reads. See docs/studies.md."""

from unshuffle.errors import StoreError
from unshuffle.store.database import LAST_STORED_SEED, Store
from unshuffle.store.files import default_path
from unshuffle.store.owner import Owner
from unshuffle.store.records import (
    ChunkSummary,
    ClaimLostError,
    PairedCounts,
    Run,
    RunSpec,
    SolverRow,
    StudyInfo,
    Summary,
)

__all__ = [
    "LAST_STORED_SEED",
    "ChunkSummary",
    "ClaimLostError",
    "Owner",
    "PairedCounts",
    "Run",
    "RunSpec",
    "SolverRow",
    "Store",
    "StoreError",
    "StudyInfo",
    "Summary",
    "default_path",
]
