PRAGMA application_id = 1396788310;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournaments,
    entrants TEXT NOT NULL,
    number INTEGER NOT NULL,
    games INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    voids TEXT NOT NULL DEFAULT '[]',
    UNIQUE (tournament, entrants, number)
);
INSERT INTO "blocks" VALUES(1,1,'["alpha"]',0,2,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}','[]');
INSERT INTO "blocks" VALUES(2,1,'["beta"]',0,2,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}','[]');
INSERT INTO "blocks" VALUES(3,1,'["alpha","beta"]',0,4,'{"level": "none", "promises": {"environment": true, "descriptors": true, "death": true}}','[]');
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    program TEXT NOT NULL,
    PRIMARY KEY (tournament, name)
);
INSERT INTO "entrants" VALUES(1,'alpha','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','{"argv":["/venv/bin/python","-P","/salvo/bots/uniform_random.py"],"folder":"/salvo/bots","files":["/salvo/bots/uniform_random.py"],"import_folder":null,"memory_mb":1024,"processes":false,"software":[],"grants":[],"packages":["/salvo/bots"]}');
INSERT INTO "entrants" VALUES(1,'beta','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','{"argv":["/venv/bin/python","-P","/salvo/bots/uniform_random.py"],"folder":"/salvo/bots","files":["/salvo/bots/uniform_random.py"],"import_folder":null,"memory_mb":1024,"processes":false,"software":[],"grants":[],"packages":["/salvo/bots"]}');
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
    steps TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "games" VALUES('d19ad9c5ecd1c2ac',1,0,'alpha',NULL,0,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',NULL,3604215177184760,2490000544971424,'first','sunk','every ship of the other side is sunk',NULL,8,16,2,0,0,0,'{"second":{"Ship of 2":[8,9]}}','[["shoot","first",[4,1],0.000166],["shoot","first",[0,10],0.000076],["shoot","first",[5,11],0.00005],["shoot","first",[13,3],0.000055],["shoot","first",[12,14],0.000042],["shoot","first",[15,6],0.000045],["shoot","first",[9,7],0.000038],["shoot","first",[8,2],0.000047]]',0);
INSERT INTO "games" VALUES('bf848aad64ffab72',1,1,'alpha',NULL,1,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',NULL,8449349490491718,2186627881977214,'first','sunk','every ship of the other side is sunk',NULL,7,14,2,0,0,0,'{"second":{"Ship of 2":[3,7]}}','[["shoot","first",[3,1],0.001],["shoot","first",[5,12],0.000051],["shoot","first",[15,13],0.000036],["shoot","first",[9,8],0.000054],["shoot","first",[14,4],0.000034],["shoot","first",[0,11],0.000038],["shoot","first",[7,6],0.000034]]',0);
INSERT INTO "games" VALUES('fe154f6738f1d6a3',2,0,'beta',NULL,0,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',NULL,2350986849429653,2490000544971424,'first','sunk','every ship of the other side is sunk',NULL,7,14,2,0,0,0,'{"second":{"Ship of 2":[8,9]}}','[["shoot","first",[2,3],0.000195],["shoot","first",[11,13],0.000062],["shoot","first",[10,15],0.000056],["shoot","first",[12,4],0.000051],["shoot","first",[8,14],0.000041],["shoot","first",[0,5],0.000041],["shoot","first",[9,7],0.000034]]',0);
INSERT INTO "games" VALUES('a32b43ef076166af',2,1,'beta',NULL,1,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',NULL,4343442506649625,2186627881977214,'first','sunk','every ship of the other side is sunk',NULL,4,8,2,0,0,0,'{"second":{"Ship of 2":[3,7]}}','[["shoot","first",[7,13],0.00015],["shoot","first",[9,0],0.000043],["shoot","first",[2,8],0.000035],["shoot","first",[12,3],0.000029]]',0);
INSERT INTO "games" VALUES('b3187f2887a49c14',3,0,'alpha','beta',0,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',6599540746607197,6152145047402014,'second','sunk','every ship of the other side is sunk',NULL,3,6,0,3,6,2,'{"first":{"Ship of 2":[10,11]},"second":{"Ship of 2":[12,13]}}','[["place","first",0.001],["place","second",0.000326],["shoot","first",[14,4],0.000241],["shoot","second",[5,0],0.000134],["shoot","first",[0,8],0.000075],["shoot","second",[11,2],0.000055],["shoot","first",[5,10],0.000057],["shoot","second",[3,10],0.000055]]',0);
INSERT INTO "games" VALUES('5a8b6010290da180',3,1,'beta','alpha',0,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',937373789323166,6733455732358022,'first','sunk','every ship of the other side is sunk',NULL,7,14,2,6,12,1,'{"first":{"Ship of 2":[6,7]},"second":{"Ship of 2":[8,9]}}','[["place","first",0.000173],["place","second",0.000204],["shoot","first",[4,15],0.000084],["shoot","second",[3,8],0.00007],["shoot","first",[3,7],0.000056],["shoot","second",[0,7],0.000052],["shoot","first",[8,12],0.000049],["shoot","second",[12,4],0.000047],["shoot","first",[10,0],0.000043],["shoot","second",[5,10],0.000044],["shoot","first",[11,2],0.000042],["shoot","second",[13,2],0.000041],["shoot","first",[13,1],0.000071],["shoot","second",[1,14],0.000044],["shoot","first",[14,9],0.000041]]',0);
INSERT INTO "games" VALUES('9170e78d34dd37c1',3,2,'alpha','beta',1,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',384017900890143,3889585169912639,'second','sunk','every ship of the other side is sunk',NULL,4,8,1,4,8,2,'{"first":{"Ship of 2":[10,11]},"second":{"Ship of 2":[6,10]}}','[["place","first",0.000309],["place","second",0.000242],["shoot","first",[1,13],0.000096],["shoot","second",[5,2],0.000076],["shoot","first",[14,7],0.000058],["shoot","second",[11,6],0.000054],["shoot","first",[10,11],0.000056],["shoot","second",[12,7],0.000051],["shoot","first",[4,9],0.000052],["shoot","second",[3,10],0.00005]]',0);
INSERT INTO "games" VALUES('f2716ee9bb11ec75',3,3,'beta','alpha',1,'e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac','e708d760fbd8671edf939435a1c0b381aba2bff4448353fecb7809c3f00a18ac',5373255224823216,3110900086885233,'first','sunk','every ship of the other side is sunk',NULL,8,16,2,7,14,1,'{"first":{"Ship of 2":[10,14]},"second":{"Ship of 2":[10,11]}}','[["place","first",0.000118],["place","second",0.000142],["shoot","first",[14,15],0.00006],["shoot","second",[9,2],0.000071],["shoot","first",[4,1],0.000053],["shoot","second",[7,11],0.000051],["shoot","first",[7,13],0.00005],["shoot","second",[0,3],0.00005],["shoot","first",[5,8],0.00005],["shoot","second",[8,6],0.00005],["shoot","first",[6,9],0.000048],["shoot","second",[15,14],0.000042],["shoot","first",[10,2],0.000043],["shoot","second",[13,4],0.00004],["shoot","first",[0,12],0.00004],["shoot","second",[1,12],0.000037],["shoot","first",[3,11],0.000044]]',0);
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    rules TEXT NOT NULL,
    seed TEXT NOT NULL,
    settings TEXT NOT NULL,
    gauntlet TEXT,
    derivation INTEGER NOT NULL DEFAULT 1
);
INSERT INTO "tournaments" VALUES(1,'cup','tournament','{"rows":4,"columns":4,"shots":2,"sinkings":"silent","name":"ramesh-3","fleet":[{"name":"Ship of 2","length":2}]}','20091','{"load_s":10.0,"move_s":2.0,"game_s":60.0}',NULL,2);
CREATE INDEX games_of_block ON games (block);
COMMIT;
