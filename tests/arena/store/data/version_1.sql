PRAGMA application_id = 1396788310;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournaments,
    entrants TEXT NOT NULL,
    number INTEGER NOT NULL,
    games INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    UNIQUE (tournament, entrants, number)
);
INSERT INTO "blocks" VALUES(1,1,'["alpha"]',0,2,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}');
INSERT INTO "blocks" VALUES(2,1,'["beta"]',0,2,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}');
INSERT INTO "blocks" VALUES(3,1,'["alpha","beta"]',0,4,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}');
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    program TEXT NOT NULL,
    PRIMARY KEY (tournament, name)
);
INSERT INTO "entrants" VALUES(1,'alpha','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','{"argv":["/venv/bin/python","-P","/salvo/bots/uniform_random.py"],"folder":"/salvo/bots","files":["/salvo/bots/uniform_random.py"],"import_folder":null,"memory_mb":1024,"processes":false}');
INSERT INTO "entrants" VALUES(1,'beta','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','{"argv":["/venv/bin/python","-P","/salvo/bots/uniform_random.py"],"folder":"/salvo/bots","files":["/salvo/bots/uniform_random.py"],"import_folder":null,"memory_mb":1024,"processes":false}');
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    block INTEGER NOT NULL REFERENCES blocks,
    position INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT,
    pair INTEGER NOT NULL,
    first_digest TEXT NOT NULL,
    second_digest TEXT,
    first_seed INTEGER NOT NULL,
    second_seed INTEGER NOT NULL,
    result TEXT NOT NULL,
    termination TEXT NOT NULL,
    reason TEXT NOT NULL,
    forfeit TEXT,
    first_turns INTEGER NOT NULL,
    first_shots INTEGER NOT NULL,
    first_hits INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    second_shots INTEGER NOT NULL,
    second_hits INTEGER NOT NULL,
    layouts TEXT NOT NULL,
    steps TEXT NOT NULL
);
INSERT INTO "games" VALUES('d19ad9c5ecd1c2ac',1,0,'alpha',NULL,0,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',NULL,1343545689802651,8294927773624266,'first','sunk','every ship of the other side is sunk',NULL,5,10,2,0,0,0,'{"second":{"Ship of 2":[8,12]}}','[["shoot","first",[14,2],0.000313],["shoot","first",[10,12],0.000246],["shoot","first",[6,9],0.000115],["shoot","first",[7,1],0.000066],["shoot","first",[13,8],0.000088]]');
INSERT INTO "games" VALUES('bf848aad64ffab72',1,1,'alpha',NULL,1,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',NULL,5619166617953800,4506404775104637,'first','sunk','every ship of the other side is sunk',NULL,7,14,2,0,0,0,'{"second":{"Ship of 2":[4,8]}}','[["shoot","first",[5,11],0.000162],["shoot","first",[0,14],0.000065],["shoot","first",[6,1],0.000064],["shoot","first",[12,15],0.000052],["shoot","first",[4,10],0.000063],["shoot","first",[7,9],0.000047],["shoot","first",[8,3],0.000046]]');
INSERT INTO "games" VALUES('fe154f6738f1d6a3',2,0,'beta',NULL,0,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',NULL,1343545689802651,8294927773624266,'first','sunk','every ship of the other side is sunk',NULL,5,10,2,0,0,0,'{"second":{"Ship of 2":[8,12]}}','[["shoot","first",[14,2],0.004486],["shoot","first",[10,12],0.001],["shoot","first",[6,9],0.001],["shoot","first",[7,1],0.000179],["shoot","first",[13,8],0.001]]');
INSERT INTO "games" VALUES('a32b43ef076166af',2,1,'beta',NULL,1,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',NULL,5619166617953800,4506404775104637,'first','sunk','every ship of the other side is sunk',NULL,7,14,2,0,0,0,'{"second":{"Ship of 2":[4,8]}}','[["shoot","first",[5,11],0.001],["shoot","first",[0,14],0.000249],["shoot","first",[6,1],0.000182],["shoot","first",[12,15],0.00008],["shoot","first",[4,10],0.000053],["shoot","first",[7,9],0.000044],["shoot","first",[8,3],0.000057]]');
INSERT INTO "games" VALUES('b3187f2887a49c14',3,0,'alpha','beta',0,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',6810022810759346,5667459478922390,'second','sunk','every ship of the other side is sunk',NULL,5,10,0,5,10,2,'{"first":{"Ship of 2":[8,12]},"second":{"Ship of 2":[10,14]}}','[["place","first",0.000303],["place","second",0.000279],["shoot","first",[7,6],0.000222],["shoot","second",[14,6],0.000124],["shoot","first",[2,8],0.000073],["shoot","second",[10,7],0.000053],["shoot","first",[3,12],0.000053],["shoot","second",[13,9],0.000046],["shoot","first",[5,13],0.000043],["shoot","second",[8,5],0.000041],["shoot","first",[4,1],0.000052],["shoot","second",[2,12],0.000045]]');
INSERT INTO "games" VALUES('9170e78d34dd37c1',3,1,'alpha','beta',1,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',6957134030208890,1300791340115308,'second','sunk','every ship of the other side is sunk',NULL,1,2,0,1,2,2,'{"first":{"Ship of 2":[8,9]},"second":{"Ship of 2":[12,13]}}','[["place","first",0.001],["place","second",0.000292],["shoot","first",[11,7],0.00017],["shoot","second",[8,9],0.000686]]');
INSERT INTO "games" VALUES('5a8b6010290da180',3,2,'beta','alpha',0,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',6810022810759346,5667459478922390,'second','sunk','every ship of the other side is sunk',NULL,5,10,0,5,10,2,'{"first":{"Ship of 2":[8,12]},"second":{"Ship of 2":[10,14]}}','[["place","first",0.000253],["place","second",0.001],["shoot","first",[7,6],0.000239],["shoot","second",[14,6],0.00013],["shoot","first",[2,8],0.000068],["shoot","second",[10,7],0.00006],["shoot","first",[3,12],0.000066],["shoot","second",[13,9],0.000062],["shoot","first",[5,13],0.000055],["shoot","second",[8,5],0.000053],["shoot","first",[4,1],0.000061],["shoot","second",[2,12],0.000055]]');
INSERT INTO "games" VALUES('f2716ee9bb11ec75',3,3,'beta','alpha',1,'7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab','7de834b1f8a903eb0a3e7bdcb264ff222fb93a40525c6522b366f8d0fce84dab',6957134030208890,1300791340115308,'second','sunk','every ship of the other side is sunk',NULL,1,2,0,1,2,2,'{"first":{"Ship of 2":[8,9]},"second":{"Ship of 2":[12,13]}}','[["place","first",0.000194],["place","second",0.000145],["shoot","first",[11,7],0.000068],["shoot","second",[8,9],0.000056]]');
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    rules TEXT NOT NULL,
    seed INTEGER NOT NULL,
    settings TEXT NOT NULL,
    gauntlet TEXT
);
INSERT INTO "tournaments" VALUES(1,'cup','tournament','{"rows":4,"columns":4,"shots":2,"sinkings":"silent","name":"ramesh-3","fleet":[{"name":"Ship of 2","length":2}]}',20091,'{"load_s":10.0,"move_s":2.0,"game_s":60.0}',NULL);
CREATE INDEX games_of_block ON games (block);
COMMIT;
