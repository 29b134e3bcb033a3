"""The tables of a store, and the migrations from older versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

APPLICATION_ID = 0x756E7368
"""Bytes 68 to 71 of every store: 'unsh'."""

VERSION = 6
"""Bytes 60 to 63 (`PRAGMA user_version`). Every change of the tables below or of their contents raises it."""

_RUN_SUMMARY = """CREATE VIEW run_summary AS -- what came of each run
SELECT run.id AS run_id, study.name AS study, run.game, run.variant, run.method, strategy.reduced, strategy.dialect,
  run.information, run.generator, n, won, lost, undecided, CAST(won AS REAL) / n AS rate,
  CASE WHEN scored >= won + lost THEN mean_score END AS mean_score,   -- NULL where decided deals have no known score
  scored,                                                             -- how many deals mean_score is over
  seconds
FROM run JOIN study ON study.id = run.study_id LEFT JOIN strategy ON strategy.id = run.strategy_id
LEFT JOIN (SELECT run_id, sum(won + lost + undecided) AS n, sum(won) AS won, sum(lost) AS lost,
    sum(undecided) AS undecided, sum(seconds) AS seconds
  FROM chunk WHERE finished IS NOT NULL GROUP BY run_id) AS sums ON sums.run_id = run.id
LEFT JOIN (SELECT run_id, sum(deals) AS scored, CAST(sum(score * deals) AS REAL) / sum(deals) AS mean_score
  FROM score_count GROUP BY run_id) AS scores ON scores.run_id = run.id"""

_VERSION_3: Sequence[str] = (
    """CREATE TABLE deck (                 -- decks that were typed or imported; those of a run's seeds need no row
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  generator TEXT,                    -- who shuffled it, and with which seed
  seed INTEGER,
  cards TEXT,                        -- where nobody knows that: the cards, the first one is dealt first
  created TEXT NOT NULL,
  CHECK ((generator IS NULL) = (seed IS NULL) AND (seed IS NULL) <> (cards IS NULL)),
  UNIQUE (game, generator, seed),
  UNIQUE (game, cards)
)""",
    """CREATE TABLE strategy (             -- a policy, by its text
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  policy TEXT NOT NULL,              -- 'rules:2,1,100,10', 'greedy'; a foreign list: 'peer-v2:200,1'
  reduced TEXT,                      -- of a rule list: without the rules that never move, '2,1,100'
  dialect TEXT,
  UNIQUE (game, policy)
)""",
    """CREATE TABLE batch (                -- a tournament, or what was imported from a file of another program
  id INTEGER PRIMARY KEY,
  study_id INTEGER NOT NULL REFERENCES study(id) ON DELETE CASCADE,
  game TEXT NOT NULL,
  variant TEXT NOT NULL,
  settings TEXT NOT NULL,            -- a JSON object: all that was asked for
  engine TEXT NOT NULL,
  package_version TEXT NOT NULL,
  created TEXT NOT NULL,
  ended TEXT,                        -- NULL: it goes on, or was killed
  state TEXT NOT NULL CHECK (state IN ('begun', 'finished', 'interrupted')),
  games INTEGER,                     -- of all lists; NULL: not known
  wins INTEGER,
  seconds REAL,
  wins_only INTEGER NOT NULL DEFAULT 0,  -- imported: lost games are not known, so no rate can be had from it
  source TEXT,                       -- imported: the name of the file
  digest TEXT UNIQUE                 -- imported: its contents, so that none is imported twice
)""",
    """CREATE INDEX batch_by_study ON batch (study_id)""",
    """CREATE TABLE batch_entry (          -- which lists were entered, and what is left of each after reduction
  batch_id INTEGER NOT NULL REFERENCES batch(id) ON DELETE CASCADE,
  entered TEXT NOT NULL,             -- as it was given
  strategy_id INTEGER NOT NULL REFERENCES strategy(id),
  lists INTEGER NOT NULL,            -- how many of its orders and prefixes come to this strategy
  PRIMARY KEY (batch_id, entered, strategy_id)
) WITHOUT ROWID""",
    """CREATE INDEX batch_entry_by_strategy ON batch_entry (strategy_id)""",
    """CREATE TABLE imported_win (         -- a win of another program; replayed by our rules before it was stored
  batch_id INTEGER NOT NULL REFERENCES batch(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,           -- as it was numbered there
  deck_id INTEGER NOT NULL REFERENCES deck(id),
  strategy_id INTEGER NOT NULL REFERENCES strategy(id),
  score INTEGER NOT NULL,
  tableau_moves INTEGER NOT NULL,
  agrees INTEGER,                    -- our player makes the same game of it; NULL: the list is foreign
  moves TEXT,                        -- tokens, unless our player makes them again
  rule_counts TEXT,                  -- as they stood there, unless our player makes them again
  PRIMARY KEY (batch_id, number)
) WITHOUT ROWID""",
    """CREATE INDEX imported_win_by_deck ON imported_win (deck_id)""",
    """CREATE INDEX imported_win_by_strategy ON imported_win (strategy_id)""",
    """CREATE TABLE rule_count (           -- how often each rule of a list moved a card in the games of a chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  rule TEXT NOT NULL,
  moves INTEGER NOT NULL,            -- in all games
  won_moves INTEGER NOT NULL,        -- in the won ones
  PRIMARY KEY (run_id, first, rule)
) WITHOUT ROWID""",
    """CREATE INDEX run_by_strategy ON run (strategy_id)""",
    """CREATE INDEX win_by_deck ON win (seed)""",
    _RUN_SUMMARY,
    """CREATE VIEW rule_summary AS         -- how often each rule of a list moved, over all games of a run
SELECT run.id AS run_id, study.name AS study, run.game, run.variant, run.method, rule, sum(moves) AS moves,
  sum(won_moves) AS won_moves
FROM rule_count JOIN run ON run.id = rule_count.run_id JOIN study ON study.id = run.study_id GROUP BY run.id, rule""",
    """CREATE VIEW batch_summary AS        -- what each batch was, and of how many lists
SELECT batch.id AS batch_id, study.name AS study, batch.game, batch.variant, state, wins_only,
  (SELECT sum(lists) FROM batch_entry WHERE batch_id = batch.id) AS entered,
  (SELECT count(DISTINCT strategy_id) FROM batch_entry WHERE batch_id = batch.id) AS strategies,
  games, wins, seconds, batch.created, ended, source, settings
FROM batch JOIN study ON study.id = batch.study_id""",
    """CREATE VIEW win_list AS             -- every win: played here by a policy, or imported
SELECT study.name AS study, run.game, run.variant, strategy.policy, strategy.reduced, strategy.dialect,
  CASE run.generator WHEN 'deck' THEN win.seed END AS deck_id,
  coalesce(deck.cards, CASE run.generator WHEN 'deck' THEN deck.generator ELSE run.generator END || ':' ||
    CASE run.generator WHEN 'deck' THEN deck.seed ELSE win.seed END) AS deck,
  win.score, win.tableau_moves, 0 AS imported
FROM win JOIN run ON run.id = win.run_id JOIN study ON study.id = run.study_id
JOIN strategy ON strategy.id = run.strategy_id
LEFT JOIN deck ON run.generator = 'deck' AND deck.id = win.seed
UNION ALL
SELECT study.name, batch.game, batch.variant, strategy.policy, strategy.reduced, strategy.dialect, deck.id,
  coalesce(deck.cards, deck.generator || ':' || deck.seed), imported_win.score, imported_win.tableau_moves, 1
FROM imported_win JOIN batch ON batch.id = imported_win.batch_id JOIN study ON study.id = batch.study_id
JOIN strategy ON strategy.id = imported_win.strategy_id JOIN deck ON deck.id = imported_win.deck_id""",
)
"""Tables and views that version 2 did not have."""

_VERSION_5: Sequence[str] = (
    """CREATE TABLE looked_through (       -- which deals were looked through for winnable ones
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  variant TEXT NOT NULL,
  rules TEXT NOT NULL,               -- a JSON object: every field of the rules
  generator TEXT NOT NULL,
  number INTEGER NOT NULL,           -- which deck of the generator's stream; mostly 1
  UNIQUE (game, variant, rules, generator, number)
)""",
    """CREATE TABLE graded_deal (          -- a deal that is proved to be winnable, and how hard it is
  looked_id INTEGER NOT NULL REFERENCES looked_through(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,
  proof TEXT NOT NULL,               -- who found the line: 'solver', or 'policy:' and its name
  score INTEGER NOT NULL,
  moves TEXT NOT NULL,               -- the tokens of the line, which the Python rules have replayed
  measure TEXT NOT NULL,             -- how it was graded, with the version of that
  wins INTEGER NOT NULL,             -- of the games of the panel; their share is the measure
  games INTEGER NOT NULL,
  difficulty TEXT NOT NULL CHECK (difficulty IN ('easy', 'medium', 'hard')),
  engine TEXT NOT NULL,
  package_version TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (looked_id, seed)
) WITHOUT ROWID""",
    """CREATE INDEX graded_deal_by_difficulty ON graded_deal (looked_id, difficulty)""",
    """CREATE TABLE passed_deal (          -- a deal that was looked at and is not graded, so that it is not again
  looked_id INTEGER NOT NULL REFERENCES looked_through(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('lost', 'undecided')),
  limits TEXT NOT NULL,              -- under which it is undecided
  PRIMARY KEY (looked_id, seed)
) WITHOUT ROWID""",
    """CREATE VIEW winnable AS             -- every winnable deal with its game
SELECT game, variant, generator, number, seed, difficulty, CAST(wins AS REAL) / games AS value, measure, proof, score,
  moves, engine, package_version, created
FROM graded_deal JOIN looked_through ON looked_through.id = looked_id""",
)
"""Tables and the view that version 4 did not have."""

SEALED: Mapping[str, str] = {
    "study": "id, name, created",
    "run": "id, study_id, game, variant, rules, method, information, generator, first_seed, last_seed, nodes_limit,"
    " seconds_limit, memory_limit, maximize, replay, keeps_moves, engine, package_version, created, infers,"
    " strategy_id",
    "planned": "run_id, number, first_seed, last_seed, finished, whole_first, whole_last, created",
    "chunk": "run_id, first, last, owner, claimed, finished, engine, package_version, replayed, won, lost, undecided,"
    " inferred, completed, nodes_sum, nodes_squares, nodes_max, seconds, digest",
    "score_count": "run_id, score, deals",
    "deck": "id, game, generator, seed, cards, created",
    "strategy": "id, game, policy, reduced, dialect",
    "batch": "id, study_id, game, variant, settings, engine, package_version, created, ended, state, games, wins,"
    " seconds, wins_only, source, digest",
    "batch_entry": "batch_id, entered, strategy_id, lists",
    "imported_win": "batch_id, number, deck_id, strategy_id, score, tableau_moves, agrees, moves, rule_counts",
    "looked_through": "id, game, variant, rules, generator, number",
    "graded_deal": "looked_id, seed, proof, score, moves, measure, wins, games, difficulty, engine, package_version,"
    " created",
    "passed_deal": "looked_id, seed, status, limits",
}
"""The sealed tables with the columns that go into the checksum: all columns except `seal` itself."""

_VERSION_6: Sequence[str] = (
    """CREATE TABLE planned (              -- over which deals a run was planned: at first, and at each extension
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,           -- 1, 2, 3, ...
  first_seed INTEGER NOT NULL,       -- both included
  last_seed INTEGER NOT NULL,
  finished INTEGER NOT NULL,         -- deals that had results by then
  whole_first INTEGER,               -- the whole plan, of which this was asked for as a share; NULL: it is the whole
  whole_last INTEGER,
  created TEXT,                      -- NULL: planned by a version that kept the last plan only
  PRIMARY KEY (run_id, number)
) WITHOUT ROWID""",
    # Checksums of the results of a finished chunk, and of each row: see `seals`.
    "ALTER TABLE chunk ADD COLUMN digest INTEGER",
    *(f"ALTER TABLE {table} ADD COLUMN seal INTEGER" for table in SEALED),
)
"""The table and the columns that version 5 did not have."""

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
  strategy_id INTEGER REFERENCES strategy(id),   -- of a policy; NULL: the solver
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
    """CREATE TABLE score_count (          -- scores that are known: proved to be the best, or of a policy's whole game
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
    """CREATE TABLE block (                -- policy runs: the packed results of one chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  scores BLOB NOT NULL,              -- one unsigned byte a game; or two, signed, the lower first: as its length says
  won BLOB NOT NULL,                 -- one bit a game; the first game is the lowest bit of the first byte
  tableau_moves BLOB,                -- one unsigned byte a game; NULL: the game does not tell them
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID""",
    """CREATE TABLE win (                  -- policy runs: every win in plain
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,             -- where the generator is 'deck': the deck's id
  score INTEGER NOT NULL,
  tableau_moves INTEGER,
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID""",
    *_VERSION_3,
    *_VERSION_5,
    *_VERSION_6,
)

MIGRATIONS: Mapping[int, Sequence[str]] = {
    # Version 1 had no implications between games, so nothing was inferred.
    1: (
        "ALTER TABLE run ADD COLUMN infers INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE result ADD COLUMN inferred_from INTEGER",
    ),
    # In version 2 only the method of a run named its policy.
    2: (
        "ALTER TABLE run ADD COLUMN strategy_id INTEGER REFERENCES strategy(id)",
        "ALTER TABLE block ADD COLUMN tableau_moves BLOB",
        "ALTER TABLE win ADD COLUMN tableau_moves INTEGER",
        *_VERSION_3,
        "INSERT INTO strategy (game, policy) SELECT DISTINCT game, substr(method, 8) FROM run"
        " WHERE method LIKE 'policy:%' ORDER BY run.id",
        "UPDATE run SET strategy_id = (SELECT strategy.id FROM strategy"
        " WHERE strategy.game = run.game AND strategy.policy = substr(method, 8)) WHERE method LIKE 'policy:%'",
    ),
    # The stored blocks stay as they are. Version 3 cannot read scores of two bytes, hence the new number.
    3: (),
    # Version 4 had no graded deals.
    4: _VERSION_5,
    # Version 5 counted scores that were not proved, kept only the last plan of a run, and had no seals. Its index
    # `result_by_status` is no longer useful: all results are read now to check their seals.
    5: (
        *_VERSION_6,
        "DROP INDEX result_by_status",
        "INSERT INTO planned (run_id, number, first_seed, last_seed, finished) SELECT id, 1, first_seed, last_seed,"
        " (SELECT coalesce(sum(won + lost + undecided), 0) FROM chunk WHERE run_id = run.id AND finished IS NOT NULL)"
        " FROM run",
        "DELETE FROM score_count WHERE run_id IN (SELECT id FROM run WHERE method = 'solver')",
        "INSERT INTO score_count (run_id, score, deals) SELECT run_id, score, count(*) FROM result"
        " WHERE score_proved AND status IN ('solved', 'unsolvable') GROUP BY run_id, score",
        "DROP VIEW run_summary",
        _RUN_SUMMARY,
    ),
}
"""For each earlier version, the statements that migrate a store to the next one."""
