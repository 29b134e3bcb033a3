-- A store of version 4: a solver run and a policy run over ten deals, and ten games with scores of two bytes each.
PRAGMA application_id = 1970172776;
PRAGMA user_version = 4;
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
CREATE TABLE batch_entry (          -- which lists were entered, and what is left of each after reduction
  batch_id INTEGER NOT NULL REFERENCES batch(id) ON DELETE CASCADE,
  entered TEXT NOT NULL,             -- as it was given
  strategy_id INTEGER NOT NULL REFERENCES strategy(id),
  lists INTEGER NOT NULL,            -- how many of its orders and prefixes come to this strategy
  PRIMARY KEY (batch_id, entered, strategy_id)
) WITHOUT ROWID;
CREATE TABLE block (                -- policy runs: the packed results of one chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  scores BLOB NOT NULL,              -- one unsigned byte a game; or two, signed, the lower first: as its length says
  won BLOB NOT NULL,                 -- one bit a game; the first game is the lowest bit of the first byte
  tableau_moves BLOB,                -- one unsigned byte a game; NULL: the game does not tell them
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID;
INSERT INTO "block" VALUES(2,0,1,X'03',X'00',NULL);
INSERT INTO "block" VALUES(2,1,4,X'2B0F0818',X'00',NULL);
INSERT INTO "block" VALUES(2,5,5,X'0615110301',X'00',NULL);
INSERT INTO "block" VALUES(3,0,1,X'F4FB',X'00',NULL);
INSERT INTO "block" VALUES(3,1,4,X'78FCBFFB39FC92FD',X'00',NULL);
INSERT INTO "block" VALUES(3,5,5,X'F0FB69FCECFCA0FCA6FC',X'00',NULL);
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
INSERT INTO "chunk" VALUES(1,0,0,'host:1:1:1','2026-11-18T07:02:20.882+00:00','2026-11-18T07:02:20.906+00:00','python','0.1.0',1,1,0,0,0,1,'0','0',0,1.68936699992627836763e-03);
INSERT INTO "chunk" VALUES(1,1,4,'host:1:1:1','2026-11-18T07:02:20.906+00:00','2026-11-18T07:02:21.019+00:00','python','0.1.0',4,1,3,0,0,4,'15','197',14,1.06370258999959332868e-01);
INSERT INTO "chunk" VALUES(1,5,9,'host:1:1:1','2026-11-18T07:02:21.019+00:00','2026-11-18T07:02:21.205+00:00','python','0.1.0',5,1,3,1,0,4,'2','4',2,1.52589094999711960554e-01);
INSERT INTO "chunk" VALUES(2,0,0,'host:1:1:2','2026-11-18T07:02:21.255+00:00','2026-11-18T07:02:21.494+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,8.28248100151540711522e-03);
INSERT INTO "chunk" VALUES(2,1,4,'host:1:1:2','2026-11-18T07:02:21.494+00:00','2026-11-18T07:02:21.534+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,2.31090079978457652032e-02);
INSERT INTO "chunk" VALUES(2,5,9,'host:1:1:2','2026-11-18T07:02:21.534+00:00','2026-11-18T07:02:21.562+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,2.77871739999682176858e-02);
INSERT INTO "chunk" VALUES(3,0,0,'host:1:1:3','2026-11-18T07:02:21.719+00:00','2026-11-18T07:02:21.795+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,7.62739979982143267989e-02);
INSERT INTO "chunk" VALUES(3,1,4,'host:1:1:3','2026-11-18T07:02:21.796+00:00','2026-11-18T07:02:22.061+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,2.64602080002077855169e-01);
INSERT INTO "chunk" VALUES(3,5,9,'host:1:1:3','2026-11-18T07:02:22.061+00:00','2026-11-18T07:02:22.456+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,3.94215420001273741945e-01);
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
INSERT INTO "result" VALUES(1,0,'solved',52,1,0,1.68936699992627836763e-03,'AC^ 2C^ AD^ QD>KD 2D^ 3D^ 4D^ 2S>3S 8C>9C 7C>8C TC>JC 6C>7C AH^ 5C>6C 8H>9H 5D^ JD>QD TD>JD 9D>TD 2H^ 3H^ 4H^ 5H^ 6H^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 3C^ 4C^ 5C^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ TS>JS JH>QH 8S>9S 7S>8S AS^ 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ QS^ KS^ KC^',NULL);
INSERT INTO "result" VALUES(1,1,'unsolvable',43,1,0,1.68211300115217454731e-03,'AD^ 2D^ 3D^ AC^ 2C^ 3C^ QS>KS 5H>6H 4H>5H TH>JH JS>QS TS>JS QD>KD QH>KH 2S>3S 2H>3H 4C^ 5C^ AS^ 2S^ 3S^ 4S^ 5S^ 8D>9D JC>QC 9S>TS 8S>9S TC>JC 9C>TC 7D>8D 6D>7D JD>QD TD>JD 7C>8C 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ AH^ 2H^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 4D^ 9H^ TH^ JH^ QH^ KH^',NULL);
INSERT INTO "result" VALUES(1,2,'unsolvable',38,1,14,8.94424350008193869143e-02,'AH^ 2H^ QD>KD AD^ 2D^ 7H>8H 4H>5H 2S>3S 4S>5S 6C>7C AC^ 2C^ 3C^ 3D^ 5C>6C AS^ 2S^ 3S^ 4S^ 5S^ 4D^ JH>QH 6H>7H TH>JH 8C>9C TD>JD 9D>TD 3H^ 4H^ 5H^ 4C^ 6H^ 7H^ 8H^ 6S^ 7S^ 5C^ 6C^ 7C^ 8C^ 9C^ 9H^ TH^ JH^ QH^ KH^ 7D>8D QC>KC JC>QC TS>JS 5D^ 9S>TS TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,3,'solved',52,1,0,1.46540299829212017357e-03,'AH^ 2H^ QC>KC JC>QC 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ AC^ 2C^ 9H^ AS^ 3C^ 4C^ 5C^ TH^ 4S>5S 8S>9S 3S>4S 8C>9C 6D>7D 8D>9D 5D>6D TD>JD TS>JS 2S^ 3S^ 4S^ 5S^ 6S^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ JH^ QH^ 3D>4D AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ KH^ QS>KS 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^',NULL);
INSERT INTO "result" VALUES(1,4,'unsolvable',50,1,1,1.37803079996956512331e-02,'AC^ AS^ AH^ 2H^ 2S^ JC>QC 2D>3D TD>JD 7C>8C 9D>TD 8D>9D TH>JH 9H>TH 8H>9H 7H>8H 6H>7H 2C^ 3C^ 4C^ 5C^ 3S^ 4S^ QH>KH 6D>7D 5D>6D AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ 5H>6H TS>JS 4H>5H 9C>TC 9S>TS 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,5,'unsolvable',46,1,0,1.60308900012751109898e-03,'AS^ 2S^ AD^ 2D^ 9H>TH 9C>TC 2C>3C QS>KS AC^ 2C^ 3C^ 4C^ AH^ 2H^ 3H^ 5C^ 4H^ 5H^ 8C>9C 8H>9H 7H>8H JH>QH QD>KD 9D>TD 6S>7S 3S^ 4S^ 8D>9D QC>KC 7D>8D 6D>7D 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ TS>JS 6H^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ 9S>TS 5D>6D 4D>5D JD>QD 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 5S^ 6S^ 7S^',NULL);
INSERT INTO "result" VALUES(1,6,'unsolvable',28,1,2,1.56176699965726584196e-03,'AD^ 2D^ AH^ AS^ 2S^ QH>KH QS>KS AC^ 2C^ 3C^ JS>QS JC>QC JH>QH 9D>TD TH>JH 5H>6H 3H>4H 6C>7C 7H>8H 9S>TS 8S>9S 7D>8D 7S>8S 5C>6C 2H^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 3D^ 6S>7S 5S>6S 4C^ 5C^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ 4D^ 5D^',NULL);
INSERT INTO "result" VALUES(1,7,'unsolvable',39,1,0,5.55405599880032241344e-03,'AC^ 2C^ AS^ 2S^ 3S^ AD^ 5C>6C TH>JH JS>QS 4C>5C QH>KH 3C^ 4C^ 5C^ 6C^ 7C^ 8D>9D 2D^ 3D^ 4D^ 6S>7S 5H>6H 4H>5H 6D>7D 5S>6S 8H>9H 7H>8H 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ 2H>3H 9C>TC QC>KC QD^ KD^ JC>QC 8C^ 9C^ TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,8,'solved',52,1,0,1.74195900035556405782e-03,'QS>KS JS>QS AC^ 2C^ 7D>8D 6D>7D TS>JS AD^ 5D>6D 9S>TS 9D>TD JC>QC 9C>TC 7H>8H AH^ 2H^ 6H>7H AS^ 5H>6H 4H>5H 3S>4S QD>KD 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 9H^ TH^ JH^ 4D>5D 3D>4D 3C^ 4C^ 5C^ 6C^ 7C^ 8C^ 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 8S^ 9S^ TS^ JS^ QS^ KS^ 9C^ TC^ JC^ QC^ KC^ QH^ KH^',NULL);
INSERT INTO "result" VALUES(1,9,'node-limit',26,0,20,1.42128224000771297141e-01,'AH^ QH>KH 3D>4D QC>KC 8H>9H 2D>3D 8S>9S 7S>8S 9C>TC 5H>6H 7H>8H 4H>5H 3H>4H 4S>5S 3S>4S TD>JD TH>JH 9D>TD 7D>8D 2C>3C 6S>7S 6D>7D 5D>6D QD>KD AS^ 5C>6C 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ 7C>8C AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 4C>5C TS^ JS^ QS^',NULL);
CREATE TABLE rule_count (           -- how often each rule of a list moved a card in the games of a chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  rule TEXT NOT NULL,
  moves INTEGER NOT NULL,            -- in all games
  won_moves INTEGER NOT NULL,        -- in the won ones
  PRIMARY KEY (run_id, first, rule)
) WITHOUT ROWID;
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
INSERT INTO "run" VALUES(1,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','solver','open','unshuffle',0,9,20,NULL,1073741824,0,'all',1,'python','0.1.0','2026-11-18T07:02:20.873+00:00',1,NULL);
INSERT INTO "run" VALUES(2,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','policy:random','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T07:02:21.242+00:00',0,1);
INSERT INTO "run" VALUES(3,1,'spider','4-suits','{"suits": "4", "deal_on_empty": "yes", "piles": "10", "ranks": "13", "runs": "8", "table": "54"}','policy:random:200','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-18T07:02:21.709+00:00',0,2);
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
INSERT INTO "score_count" VALUES(2,1,1);
INSERT INTO "score_count" VALUES(2,3,2);
INSERT INTO "score_count" VALUES(2,6,1);
INSERT INTO "score_count" VALUES(2,8,1);
INSERT INTO "score_count" VALUES(2,15,1);
INSERT INTO "score_count" VALUES(2,17,1);
INSERT INTO "score_count" VALUES(2,21,1);
INSERT INTO "score_count" VALUES(2,24,1);
INSERT INTO "score_count" VALUES(2,43,1);
INSERT INTO "score_count" VALUES(3,-1089,1);
INSERT INTO "score_count" VALUES(3,-1040,1);
INSERT INTO "score_count" VALUES(3,-1036,1);
INSERT INTO "score_count" VALUES(3,-967,1);
INSERT INTO "score_count" VALUES(3,-919,1);
INSERT INTO "score_count" VALUES(3,-904,1);
INSERT INTO "score_count" VALUES(3,-864,1);
INSERT INTO "score_count" VALUES(3,-858,1);
INSERT INTO "score_count" VALUES(3,-788,1);
INSERT INTO "score_count" VALUES(3,-622,1);
CREATE TABLE strategy (             -- a policy, by its text
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  policy TEXT NOT NULL,              -- 'rules:2,1,100,10', 'greedy'; a foreign list: 'peer-v2:200,1'
  reduced TEXT,                      -- of a rule list: without the rules that never move, '2,1,100'
  dialect TEXT,
  UNIQUE (game, policy)
);
INSERT INTO "strategy" VALUES(1,'belle-lucie','random',NULL,NULL);
INSERT INTO "strategy" VALUES(2,'spider','random:200',NULL,NULL);
CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL              -- all times: UTC, ISO 8601
);
INSERT INTO "study" VALUES(1,'old','2026-11-18T07:02:20.873+00:00');
CREATE TABLE win (                  -- policy runs: every win in plain
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,             -- where the generator is 'deck': the deck's id
  score INTEGER NOT NULL,
  tableau_moves INTEGER,
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID;
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
