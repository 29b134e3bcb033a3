-- A store of version 3: a solver run and two policy runs over ten deals, and a tournament of two rule lists.
PRAGMA application_id = 1970172776;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE batch (                -- a tournament, or what was imported from a file of another program
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
);
INSERT INTO "batch" VALUES(1,2,'aces-up','standard','{"generator": "unshuffle", "seeds": "0..9"}','python','0.1.0','2026-11-18T03:51:23.778+00:00','2026-11-18T03:51:23.802+00:00','finished',20,0,2.38403619987366255372e-02,0,NULL,NULL);
CREATE TABLE batch_entry (          -- which lists were entered, and what is left of each after reduction
  batch_id INTEGER NOT NULL REFERENCES batch(id) ON DELETE CASCADE,
  entered TEXT NOT NULL,             -- as it was given
  strategy_id INTEGER NOT NULL REFERENCES strategy(id),
  lists INTEGER NOT NULL,            -- how many of its orders and prefixes come to this strategy
  PRIMARY KEY (batch_id, entered, strategy_id)
) WITHOUT ROWID;
INSERT INTO "batch_entry" VALUES(1,'rules:1',3,1);
INSERT INTO "batch_entry" VALUES(1,'rules:2,1,10',4,1);
CREATE TABLE block (                -- policy runs: the packed results of one chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  scores BLOB NOT NULL,              -- one unsigned byte a game
  won BLOB NOT NULL,                 -- one bit a game; the first game is the lowest bit of the first byte
  tableau_moves BLOB,                -- one unsigned byte a game; NULL: the game does not tell them
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID;
INSERT INTO "block" VALUES(2,0,1,X'34',X'01',NULL);
INSERT INTO "block" VALUES(2,1,4,X'2B263432',X'04',NULL);
INSERT INTO "block" VALUES(2,5,5,X'2E1C27341A',X'08',NULL);
INSERT INTO "block" VALUES(3,0,1,X'03',X'00',NULL);
INSERT INTO "block" VALUES(3,1,4,X'2B0F0818',X'00',NULL);
INSERT INTO "block" VALUES(3,5,5,X'0615110301',X'00',NULL);
INSERT INTO "block" VALUES(4,0,1,X'23',X'00',X'01');
INSERT INTO "block" VALUES(4,1,4,X'281F2420',X'00',X'02010101');
INSERT INTO "block" VALUES(4,5,5,X'241827211D',X'00',X'0200010201');
INSERT INTO "block" VALUES(5,0,1,X'23',X'00',X'01');
INSERT INTO "block" VALUES(5,1,4,X'2C1F2426',X'00',X'05010102');
INSERT INTO "block" VALUES(5,5,5,X'241827211D',X'00',X'0200010202');
CREATE TABLE chunk (                -- a piece of work: the seeds first..last
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
) WITHOUT ROWID;
INSERT INTO "chunk" VALUES(1,0,0,'host:1:1:1','2026-11-18T03:51:22.615+00:00','2026-11-18T03:51:22.632+00:00','python','0.1.0',1,1,0,0,0,1,'0','0',0,7.02963500043551903218e-03);
INSERT INTO "chunk" VALUES(1,1,4,'host:1:1:1','2026-11-18T03:51:22.632+00:00','2026-11-18T03:51:22.722+00:00','python','0.1.0',4,1,3,0,0,4,'15','197',14,7.83087720010371413081e-02);
INSERT INTO "chunk" VALUES(1,5,9,'host:1:1:1','2026-11-18T03:51:22.723+00:00','2026-11-18T03:51:22.884+00:00','python','0.1.0',5,1,3,1,0,4,'2','4',2,1.54035445002591586671e-01);
INSERT INTO "chunk" VALUES(2,0,0,'host:1:1:1','2026-11-18T03:51:22.935+00:00','2026-11-18T03:51:23.180+00:00','python','0.1.0',1,1,0,0,0,1,NULL,NULL,NULL,2.4306293000336154364e-02);
INSERT INTO "chunk" VALUES(2,1,4,'host:1:1:1','2026-11-18T03:51:23.181+00:00','2026-11-18T03:51:23.309+00:00','python','0.1.0',4,1,3,0,0,4,NULL,NULL,NULL,1.27588948000266100279e-01);
INSERT INTO "chunk" VALUES(2,5,9,'host:1:1:1','2026-11-18T03:51:23.309+00:00','2026-11-18T03:51:23.600+00:00','python','0.1.0',5,1,4,0,0,5,NULL,NULL,NULL,2.90223527999842190183e-01);
INSERT INTO "chunk" VALUES(3,0,0,'host:1:1:1','2026-11-18T03:51:23.635+00:00','2026-11-18T03:51:23.636+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,1.50226400000974535942e-03);
INSERT INTO "chunk" VALUES(3,1,4,'host:1:1:1','2026-11-18T03:51:23.637+00:00','2026-11-18T03:51:23.659+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,2.16633449999790173023e-02);
INSERT INTO "chunk" VALUES(3,5,9,'host:1:1:1','2026-11-18T03:51:23.659+00:00','2026-11-18T03:51:23.682+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,1.84875629984162515029e-02);
INSERT INTO "chunk" VALUES(4,0,0,'host:1:1:1','2026-11-18T03:51:23.779+00:00','2026-11-18T03:51:23.781+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,5.95151999732479453086e-04);
INSERT INTO "chunk" VALUES(4,1,4,'host:1:1:1','2026-11-18T03:51:23.781+00:00','2026-11-18T03:51:23.789+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,3.8290829998004483059e-03);
INSERT INTO "chunk" VALUES(4,5,9,'host:1:1:1','2026-11-18T03:51:23.789+00:00','2026-11-18T03:51:23.797+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,3.93944250026834197342e-03);
INSERT INTO "chunk" VALUES(5,0,0,'host:1:1:1','2026-11-18T03:51:23.779+00:00','2026-11-18T03:51:23.781+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,5.95151999732479453086e-04);
INSERT INTO "chunk" VALUES(5,1,4,'host:1:1:1','2026-11-18T03:51:23.781+00:00','2026-11-18T03:51:23.789+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,3.8290829998004483059e-03);
INSERT INTO "chunk" VALUES(5,5,9,'host:1:1:1','2026-11-18T03:51:23.789+00:00','2026-11-18T03:51:23.797+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,3.93944250026834197342e-03);
CREATE TABLE deck (                 -- decks that were typed or imported; those of a run's seeds need no row
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  generator TEXT,                    -- who shuffled it, and with which seed
  seed INTEGER,
  cards TEXT,                        -- where nobody knows that: the cards, the first one is dealt first
  created TEXT NOT NULL,
  CHECK ((generator IS NULL) = (seed IS NULL) AND (seed IS NULL) <> (cards IS NULL)),
  UNIQUE (game, generator, seed),
  UNIQUE (game, cards)
);
CREATE TABLE imported_win (         -- a win of another program; replayed by our rules before it was stored
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
) WITHOUT ROWID;
CREATE TABLE result (               -- solver runs: a row per deal
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
) WITHOUT ROWID;
INSERT INTO "result" VALUES(1,0,'solved',52,1,0,7.02963500043551903218e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,1,'unsolvable',43,1,0,0.00693616100033978,NULL,NULL);
INSERT INTO "result" VALUES(1,2,'unsolvable',38,1,14,6.13805980010511120781e-02,NULL,NULL);
INSERT INTO "result" VALUES(1,3,'solved',52,1,0,6.37615599953278433531e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,4,'unsolvable',50,1,1,3.61585700011346489191e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,5,'unsolvable',46,1,0,6.72581400067429058253e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,6,'unsolvable',28,1,2,0.00669924700014235,NULL,NULL);
INSERT INTO "result" VALUES(1,7,'unsolvable',39,1,0,7.86452300053497310727e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,8,'solved',52,1,0,7.00288100051693618297e-03,NULL,NULL);
INSERT INTO "result" VALUES(1,9,'node-limit',26,0,20,1.25742980000723036937e-01,NULL,NULL);
CREATE TABLE rule_count (           -- how often each rule of a list moved a card in the games of a chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  rule TEXT NOT NULL,
  moves INTEGER NOT NULL,            -- in all games
  won_moves INTEGER NOT NULL,        -- in the won ones
  PRIMARY KEY (run_id, first, rule)
) WITHOUT ROWID;
INSERT INTO "rule_count" VALUES(4,0,'1',1,0);
INSERT INTO "rule_count" VALUES(4,1,'1',5,0);
INSERT INTO "rule_count" VALUES(4,5,'1',6,0);
INSERT INTO "rule_count" VALUES(5,0,'1',1,0);
INSERT INTO "rule_count" VALUES(5,1,'1',5,0);
INSERT INTO "rule_count" VALUES(5,1,'10',1,0);
INSERT INTO "rule_count" VALUES(5,1,'2',3,0);
INSERT INTO "rule_count" VALUES(5,5,'1',6,0);
INSERT INTO "rule_count" VALUES(5,5,'10',1,0);
CREATE TABLE run (
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
);
INSERT INTO "run" VALUES(1,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','solver','open','unshuffle',0,9,20,NULL,1073741824,0,'sample',0,'python','0.1.0','2026-11-18T03:51:22.609+00:00',0,NULL);
INSERT INTO "run" VALUES(2,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','policy:greedy','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T03:51:22.925+00:00',0,1);
INSERT INTO "run" VALUES(3,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','policy:random','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T03:51:23.621+00:00',0,2);
INSERT INTO "run" VALUES(4,2,'aces-up','standard','{"fill": "optional", "destination": "first", "singletons": "no", "discards": "forced", "piles": "4", "deal": "row", "reserve": "0"}','policy:rules:1','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T03:51:23.764+00:00',0,3);
INSERT INTO "run" VALUES(5,2,'aces-up','standard','{"fill": "optional", "destination": "first", "singletons": "no", "discards": "forced", "piles": "4", "deal": "row", "reserve": "0"}','policy:rules:2,1,10','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T03:51:23.765+00:00',0,4);
CREATE TABLE score_count (          -- not of inferred losses, whose best scores are not known
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  score INTEGER NOT NULL,
  deals INTEGER NOT NULL,
  PRIMARY KEY (run_id, score)
) WITHOUT ROWID;
INSERT INTO "score_count" VALUES(1,26,1);
INSERT INTO "score_count" VALUES(1,28,1);
INSERT INTO "score_count" VALUES(1,38,1);
INSERT INTO "score_count" VALUES(1,39,1);
INSERT INTO "score_count" VALUES(1,43,1);
INSERT INTO "score_count" VALUES(1,46,1);
INSERT INTO "score_count" VALUES(1,50,1);
INSERT INTO "score_count" VALUES(1,52,3);
INSERT INTO "score_count" VALUES(2,26,1);
INSERT INTO "score_count" VALUES(2,28,1);
INSERT INTO "score_count" VALUES(2,38,1);
INSERT INTO "score_count" VALUES(2,39,1);
INSERT INTO "score_count" VALUES(2,43,1);
INSERT INTO "score_count" VALUES(2,46,1);
INSERT INTO "score_count" VALUES(2,50,1);
INSERT INTO "score_count" VALUES(2,52,3);
INSERT INTO "score_count" VALUES(3,1,1);
INSERT INTO "score_count" VALUES(3,3,2);
INSERT INTO "score_count" VALUES(3,6,1);
INSERT INTO "score_count" VALUES(3,8,1);
INSERT INTO "score_count" VALUES(3,15,1);
INSERT INTO "score_count" VALUES(3,17,1);
INSERT INTO "score_count" VALUES(3,21,1);
INSERT INTO "score_count" VALUES(3,24,1);
INSERT INTO "score_count" VALUES(3,43,1);
INSERT INTO "score_count" VALUES(4,24,1);
INSERT INTO "score_count" VALUES(4,29,1);
INSERT INTO "score_count" VALUES(4,31,1);
INSERT INTO "score_count" VALUES(4,32,1);
INSERT INTO "score_count" VALUES(4,33,1);
INSERT INTO "score_count" VALUES(4,35,1);
INSERT INTO "score_count" VALUES(4,36,2);
INSERT INTO "score_count" VALUES(4,39,1);
INSERT INTO "score_count" VALUES(4,40,1);
INSERT INTO "score_count" VALUES(5,24,1);
INSERT INTO "score_count" VALUES(5,29,1);
INSERT INTO "score_count" VALUES(5,31,1);
INSERT INTO "score_count" VALUES(5,33,1);
INSERT INTO "score_count" VALUES(5,35,1);
INSERT INTO "score_count" VALUES(5,36,2);
INSERT INTO "score_count" VALUES(5,38,1);
INSERT INTO "score_count" VALUES(5,39,1);
INSERT INTO "score_count" VALUES(5,44,1);
CREATE TABLE strategy (             -- a policy, by its text
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  policy TEXT NOT NULL,              -- 'rules:2,1,100,10', 'greedy'; a foreign list: 'peer-v2:200,1'
  reduced TEXT,                      -- of a rule list: without the rules that never move, '2,1,100'
  dialect TEXT,
  UNIQUE (game, policy)
);
INSERT INTO "strategy" VALUES(1,'belle-lucie','greedy',NULL,NULL);
INSERT INTO "strategy" VALUES(2,'belle-lucie','random',NULL,NULL);
INSERT INTO "strategy" VALUES(3,'aces-up','rules:1','1','classic');
INSERT INTO "strategy" VALUES(4,'aces-up','rules:2,1,10','2,1,10','classic');
CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL              -- all times: UTC, ISO 8601
);
INSERT INTO "study" VALUES(1,'old','2026-11-18T03:51:22.609+00:00');
INSERT INTO "study" VALUES(2,'lists','2026-11-18T03:51:23.749+00:00');
CREATE TABLE win (                  -- policy runs: every win in plain
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,             -- where the generator is 'deck': the deck's id
  score INTEGER NOT NULL,
  tableau_moves INTEGER,
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID;
INSERT INTO "win" VALUES(2,0,52,NULL);
INSERT INTO "win" VALUES(2,3,52,NULL);
INSERT INTO "win" VALUES(2,8,52,NULL);
CREATE INDEX chunk_claimed ON chunk (run_id, first) WHERE finished IS NULL;
CREATE INDEX result_by_status ON result (run_id, status);
CREATE INDEX batch_by_study ON batch (study_id);
CREATE INDEX batch_entry_by_strategy ON batch_entry (strategy_id);
CREATE INDEX imported_win_by_deck ON imported_win (deck_id);
CREATE INDEX imported_win_by_strategy ON imported_win (strategy_id);
CREATE INDEX run_by_strategy ON run (strategy_id);
CREATE INDEX win_by_deck ON win (seed);
CREATE VIEW run_summary AS          -- what came of each run
SELECT run.id AS run_id, study.name AS study, run.game, run.variant, run.method, strategy.reduced, strategy.dialect,
  run.information, run.generator, n, won, lost, undecided, CAST(won AS REAL) / n AS rate,
  (SELECT CAST(sum(score * deals) AS REAL) / sum(deals) FROM score_count WHERE run_id = run.id) AS mean_score,
  seconds
FROM run JOIN study ON study.id = run.study_id LEFT JOIN strategy ON strategy.id = run.strategy_id
LEFT JOIN (SELECT run_id, sum(won + lost + undecided) AS n, sum(won) AS won, sum(lost) AS lost,
    sum(undecided) AS undecided, sum(seconds) AS seconds
  FROM chunk WHERE finished IS NOT NULL GROUP BY run_id) AS sums ON sums.run_id = run.id;
CREATE VIEW rule_summary AS         -- how often each rule of a list moved, over all games of a run
SELECT run.id AS run_id, study.name AS study, run.game, run.variant, run.method, rule, sum(moves) AS moves,
  sum(won_moves) AS won_moves
FROM rule_count JOIN run ON run.id = rule_count.run_id JOIN study ON study.id = run.study_id GROUP BY run.id, rule;
CREATE VIEW batch_summary AS        -- what each batch was, and of how many lists
SELECT batch.id AS batch_id, study.name AS study, batch.game, batch.variant, state, wins_only,
  (SELECT sum(lists) FROM batch_entry WHERE batch_id = batch.id) AS entered,
  (SELECT count(DISTINCT strategy_id) FROM batch_entry WHERE batch_id = batch.id) AS strategies,
  games, wins, seconds, batch.created, ended, source, settings
FROM batch JOIN study ON study.id = batch.study_id;
CREATE VIEW win_list AS             -- every win: played here by a policy, or imported
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
JOIN strategy ON strategy.id = imported_win.strategy_id JOIN deck ON deck.id = imported_win.deck_id;
COMMIT;
