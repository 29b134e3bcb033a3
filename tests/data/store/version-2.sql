-- A store of version 2: a solver run and two policy runs over ten deals.
PRAGMA application_id = 1970172776;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE block (                -- policy runs: the packed results of one chunk
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  scores BLOB NOT NULL,              -- one unsigned byte a game
  won BLOB NOT NULL,                 -- one bit a game; the first game is the lowest bit of the first byte
  PRIMARY KEY (run_id, first)
) WITHOUT ROWID;
INSERT INTO "block" VALUES(2,0,1,X'34',X'01');
INSERT INTO "block" VALUES(2,1,4,X'2B263432',X'04');
INSERT INTO "block" VALUES(2,5,5,X'2E1C27341A',X'08');
INSERT INTO "block" VALUES(3,0,1,X'03',X'00');
INSERT INTO "block" VALUES(3,1,4,X'2B0F0818',X'00');
INSERT INTO "block" VALUES(3,5,5,X'0615110301',X'00');
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
INSERT INTO "chunk" VALUES(1,0,0,'host:1:1:1','2026-11-16T16:22:17.676+00:00','2026-11-16T16:22:17.684+00:00','python','0.1.0',1,1,0,0,0,1,'0','0',0,2.25187400064896792173e-03);
INSERT INTO "chunk" VALUES(1,1,4,'host:1:1:1','2026-11-16T16:22:17.684+00:00','2026-11-16T16:22:17.717+00:00','python','0.1.0',4,1,3,0,0,4,'15','197',14,2.79524470006435876712e-02);
INSERT INTO "chunk" VALUES(1,5,9,'host:1:1:1','2026-11-16T16:22:17.717+00:00','2026-11-16T16:22:17.787+00:00','python','0.1.0',5,1,3,1,0,4,'2','4',2,0.0641852819990163);
INSERT INTO "chunk" VALUES(2,0,0,'host:1:1:1','2026-11-16T16:22:17.832+00:00','2026-11-16T16:22:17.841+00:00','python','0.1.0',1,1,0,0,0,1,NULL,NULL,NULL,9.50288200147042516618e-03);
INSERT INTO "chunk" VALUES(2,1,4,'host:1:1:1','2026-11-16T16:22:17.842+00:00','2026-11-16T16:22:17.885+00:00','python','0.1.0',4,1,3,0,0,4,NULL,NULL,NULL,4.34035840007709339261e-02);
INSERT INTO "chunk" VALUES(2,5,9,'host:1:1:1','2026-11-16T16:22:17.886+00:00','2026-11-16T16:22:17.976+00:00','python','0.1.0',5,1,4,0,0,5,NULL,NULL,NULL,9.01758170002722181379e-02);
INSERT INTO "chunk" VALUES(3,0,0,'host:1:1:1','2026-11-16T16:22:17.977+00:00','2026-11-16T16:22:17.978+00:00','python','0.1.0',1,0,1,0,0,1,NULL,NULL,NULL,1.37822299984691198915e-03);
INSERT INTO "chunk" VALUES(3,1,4,'host:1:1:1','2026-11-16T16:22:17.979+00:00','2026-11-16T16:22:17.988+00:00','python','0.1.0',4,0,4,0,0,4,NULL,NULL,NULL,9.67464300083520356565e-03);
INSERT INTO "chunk" VALUES(3,5,9,'host:1:1:1','2026-11-16T16:22:17.989+00:00','2026-11-16T16:22:17.998+00:00','python','0.1.0',5,0,5,0,0,5,NULL,NULL,NULL,9.34736199997132644057e-03);
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
INSERT INTO "result" VALUES(1,0,'solved',52,1,0,2.25187400064896792173e-03,'AC^ 2C^ AD^ QD>KD 2D^ 3D^ 4D^ 2S>3S 8C>9C 7C>8C TC>JC 6C>7C AH^ 5C>6C 8H>9H 5D^ JD>QD TD>JD 9D>TD 2H^ 3H^ 4H^ 5H^ 6H^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 3C^ 4C^ 5C^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ TS>JS JH>QH 8S>9S 7S>8S AS^ 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ QS^ KS^ KC^',NULL);
INSERT INTO "result" VALUES(1,1,'unsolvable',43,1,0,1.93688600120367482304e-03,'AD^ 2D^ 3D^ AC^ 2C^ 3C^ QS>KS 5H>6H 4H>5H TH>JH JS>QS TS>JS QD>KD QH>KH 2S>3S 2H>3H 4C^ 5C^ AS^ 2S^ 3S^ 4S^ 5S^ 8D>9D JC>QC 9S>TS 8S>9S TC>JC 9C>TC 7D>8D 6D>7D JD>QD TD>JD 7C>8C 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ AH^ 2H^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 4D^ 9H^ TH^ JH^ QH^ KH^',NULL);
INSERT INTO "result" VALUES(1,2,'unsolvable',38,1,14,2.22797559999889926984e-02,'AH^ 2H^ QD>KD AD^ 2D^ 7H>8H 4H>5H 2S>3S 4S>5S 6C>7C AC^ 2C^ 3C^ 3D^ 5C>6C AS^ 2S^ 3S^ 4S^ 5S^ 4D^ JH>QH 6H>7H TH>JH 8C>9C TD>JD 9D>TD 3H^ 4H^ 5H^ 4C^ 6H^ 7H^ 8H^ 6S^ 7S^ 5C^ 6C^ 7C^ 8C^ 9C^ 9H^ TH^ JH^ QH^ KH^ 7D>8D QC>KC JC>QC TS>JS 5D^ 9S>TS TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,3,'solved',52,1,0,1.72954899971955455839e-03,'AH^ 2H^ QC>KC JC>QC 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ AC^ 2C^ 9H^ AS^ 3C^ 4C^ 5C^ TH^ 4S>5S 8S>9S 3S>4S 8C>9C 6D>7D 8D>9D 5D>6D TD>JD TS>JS 2S^ 3S^ 4S^ 5S^ 6S^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ JH^ QH^ 3D>4D AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ KH^ QS>KS 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^',NULL);
INSERT INTO "result" VALUES(1,4,'unsolvable',50,1,1,2.00625599973136559128e-03,'AC^ AS^ AH^ 2H^ 2S^ JC>QC 2D>3D TD>JD 7C>8C 9D>TD 8D>9D TH>JH 9H>TH 8H>9H 7H>8H 6H>7H 2C^ 3C^ 4C^ 5C^ 3S^ 4S^ QH>KH 6D>7D 5D>6D AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ 5H>6H TS>JS 4H>5H 9C>TC 9S>TS 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,5,'unsolvable',46,1,0,2.41457800075295381247e-03,'AS^ 2S^ AD^ 2D^ 9H>TH 9C>TC 2C>3C QS>KS AC^ 2C^ 3C^ 4C^ AH^ 2H^ 3H^ 5C^ 4H^ 5H^ 8C>9C 8H>9H 7H>8H JH>QH QD>KD 9D>TD 6S>7S 3S^ 4S^ 8D>9D QC>KC 7D>8D 6D>7D 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ TS>JS 6H^ 7H^ 8H^ 9H^ TH^ JH^ QH^ KH^ 9S>TS 5D>6D 4D>5D JD>QD 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 5S^ 6S^ 7S^',NULL);
INSERT INTO "result" VALUES(1,6,'unsolvable',28,1,2,1.93233699974371120333e-03,'AD^ 2D^ AH^ AS^ 2S^ QH>KH QS>KS AC^ 2C^ 3C^ JS>QS JC>QC JH>QH 9D>TD TH>JH 5H>6H 3H>4H 6C>7C 7H>8H 9S>TS 8S>9S 7D>8D 7S>8S 5C>6C 2H^ 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 3D^ 6S>7S 5S>6S 4C^ 5C^ 6C^ 7C^ 8C^ 9C^ TC^ JC^ QC^ KC^ 4D^ 5D^',NULL);
INSERT INTO "result" VALUES(1,7,'unsolvable',39,1,0,3.18054700073844287544e-03,'AC^ 2C^ AS^ 2S^ 3S^ AD^ 5C>6C TH>JH JS>QS 4C>5C QH>KH 3C^ 4C^ 5C^ 6C^ 7C^ 8D>9D 2D^ 3D^ 4D^ 6S>7S 5H>6H 4H>5H 6D>7D 5S>6S 8H>9H 7H>8H 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ TS^ JS^ QS^ KS^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ 2H>3H 9C>TC QC>KC QD^ KD^ JC>QC 8C^ 9C^ TC^ JC^ QC^ KC^',NULL);
INSERT INTO "result" VALUES(1,8,'solved',52,1,0,2.09684499895956832915e-03,'QS>KS JS>QS AC^ 2C^ 7D>8D 6D>7D TS>JS AD^ 5D>6D 9S>TS 9D>TD JC>QC 9C>TC 7H>8H AH^ 2H^ 6H>7H AS^ 5H>6H 4H>5H 3S>4S QD>KD 3H^ 4H^ 5H^ 6H^ 7H^ 8H^ 9H^ TH^ JH^ 4D>5D 3D>4D 3C^ 4C^ 5C^ 6C^ 7C^ 8C^ 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 8S^ 9S^ TS^ JS^ QS^ KS^ 9C^ TC^ JC^ QC^ KC^ QH^ KH^',NULL);
INSERT INTO "result" VALUES(1,9,'node-limit',26,0,20,5.45609749988216208294e-02,'AH^ QH>KH 3D>4D QC>KC 8H>9H 2D>3D 8S>9S 7S>8S 9C>TC 5H>6H 7H>8H 4H>5H 3H>4H 4S>5S 3S>4S TD>JD TH>JH 9D>TD 7D>8D 2C>3C 6S>7S 6D>7D 5D>6D QD>KD AS^ 5C>6C 2S^ 3S^ 4S^ 5S^ 6S^ 7S^ 8S^ 9S^ 7C>8C AD^ 2D^ 3D^ 4D^ 5D^ 6D^ 7D^ 8D^ 9D^ TD^ JD^ QD^ KD^ 4C>5C TS^ JS^ QS^',NULL);
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
  UNIQUE (study_id, game, variant, method)
);
INSERT INTO "run" VALUES(1,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','solver','open','unshuffle',0,9,20,NULL,1073741824,0,'all',1,'python','0.1.0','2026-11-16T16:22:17.668+00:00',0);
INSERT INTO "run" VALUES(2,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','policy:greedy','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-16T16:22:17.821+00:00',0);
INSERT INTO "run" VALUES(3,1,'belle-lucie','one-deal+fan_size=2','{"redeals": "0", "merci": "none", "merci_count": "1", "merci_deals": "last", "build": "suit", "build_up": "no", "kings_to_spaces": "no", "aces_out": "no", "fan_size": "2", "max_cards": "0", "fans": "0", "may_hold_back": "yes"}','policy:random','hidden','unshuffle',0,9,NULL,NULL,NULL,0,'sample',0,'python','0.1.0','2026-11-16T16:22:17.821+00:00',0);
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
CREATE TABLE study (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL              -- all times: UTC, ISO 8601
);
INSERT INTO "study" VALUES(1,'old','2026-11-16T16:22:17.668+00:00');
CREATE TABLE win (                  -- policy runs: every win in plain
  run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  seed INTEGER NOT NULL,
  score INTEGER NOT NULL,
  PRIMARY KEY (run_id, seed)
) WITHOUT ROWID;
INSERT INTO "win" VALUES(2,0,52);
INSERT INTO "win" VALUES(2,3,52);
INSERT INTO "win" VALUES(2,8,52);
CREATE INDEX chunk_claimed ON chunk (run_id, first) WHERE finished IS NULL;
CREATE INDEX result_by_status ON result (run_id, status);
COMMIT;
