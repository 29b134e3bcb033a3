"""The tables of a store, and how an older store becomes a present one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

APPLICATION_ID = 0x756E7368
"""Bytes 68 to 71 of every store: 'unsh'."""

VERSION = 2
"""Bytes 60 to 63 (`PRAGMA user_version`). It rises with every change of the tables below."""

TABLES: Sequence[str] = (
    """CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL              -- all times: UTC, ISO 8601
)""",
    """CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study(id) ON DELETE CASCADE,
  game TEXT NOT NULL,
  variant TEXT NOT NULL,
  rules TEXT NOT NULL,               -- a JSON object: every field of the rules
  method TEXT NOT NULL,              -- 'solver', or 'policy:' and its name
  information TEXT NOT NULL CHECK (information IN ('open', 'hidden')),
  generator TEXT NOT NULL,
  first_seed INTEGER NOT NULL,       -- planned, both included
  last_seed INTEGER NOT NULL,
  nodes_limit INTEGER,               -- limits of one deal; NULL: none
  seconds_limit REAL,
  memory_limit INTEGER,
  maximize INTEGER NOT NULL DEFAULT 0,
  replay TEXT NOT NULL CHECK (replay IN ('all', 'sample')),
  keeps_moves INTEGER NOT NULL DEFAULT 0,
  engine TEXT NOT NULL,
  package_version TEXT NOT NULL,
  created TEXT NOT NULL,
  infers INTEGER NOT NULL DEFAULT 0, -- verdicts may be taken from other runs of the study
  UNIQUE (study_id, game, variant, method)
)""",
    """CREATE TABLE chunk (                -- a piece of work: the seeds first..last
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  owner TEXT,                        -- the process that claimed it: host:pid:start:number
  claimed TEXT,
  finished TEXT,                     -- not NULL: all its results are stored
  engine TEXT,
  package_version TEXT,
  replayed INTEGER NOT NULL DEFAULT 0,   -- lines that the Python rules replayed before they were stored
  won INTEGER,
  lost INTEGER,
  undecided INTEGER,
  inferred INTEGER NOT NULL DEFAULT 0,   -- of won and lost: taken from other runs
  completed INTEGER,                 -- decided by a search; the counts of nodes are over these
  nodes_sum TEXT,                    -- exact, and too large for an INTEGER one day
  nodes_squares TEXT,
  nodes_max INTEGER,
  seconds REAL,
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID""",
    """CREATE INDEX chunk_claimed ON chunk (run_id, first) WHERE finished IS NULL""",
    """CREATE TABLE score_count (          -- not of inferred losses, whose best scores are not known
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  score INTEGER NOT NULL,
  deals INTEGER NOT NULL,
  PRIMARY KEY (run_id, score)
) WITHOUT ROWID""",
    """CREATE TABLE result (               -- solver runs: a row per deal
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL,
  score INTEGER NOT NULL,
  score_proved INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  seconds REAL NOT NULL,
  moves TEXT,                        -- tokens, if the run keeps them
  inferred_from INTEGER,             -- the run whose search decided the deal; NULL: this one
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID""",
    """CREATE INDEX result_by_status ON result (run_id, status)""",
    """CREATE TABLE block (                -- policy runs: the packed results of one chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  scores BLOB NOT NULL,              -- one unsigned byte a game
  won BLOB NOT NULL,                 -- one bit a game; the first game is the lowest bit of the first byte
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID""",
    """CREATE TABLE win (                  -- policy runs: every win in plain
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,
  score INTEGER NOT NULL,
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID""",
)

MIGRATIONS: Mapping[int, Sequence[str]] = {
    # Nothing was inferred before there were games with implications.
    1: (
        "ALTER TABLE run ADD COLUMN infers INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE result ADD COLUMN inferred_from INTEGER",
    ),
}
"""For each earlier version the statements that lead to the next one."""
