-- A record of Salvo 1.0, as `.dump` writes it; see test_format.py.
PRAGMA application_id = 1396788310;
PRAGMA user_version = 6;
BEGIN TRANSACTION;
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournaments,
    entrants TEXT NOT NULL,
    number INTEGER NOT NULL,
    games INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    voids TEXT NOT NULL DEFAULT '[]',
    games_checksum BLOB NOT NULL,
    checksum BLOB NOT NULL,
    UNIQUE (tournament, entrants, number)
);
INSERT INTO "blocks" VALUES(1,1,'["ada","böb"]',0,2,'sandbox','[{"game":"00112233aabbccdd","attempt":0,"entrant":"ada","reason":"was killed"}]',X'52B7217BA56FDC34',X'AC1BB0F89802BDD0');
INSERT INTO "blocks" VALUES(2,1,'["ada"]',0,1,'{"level":"none"}','[]',X'D91F3F6AC18F8380',X'9B9486F488E73509');
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    program TEXT NOT NULL,
    PRIMARY KEY (tournament, name)
);
INSERT INTO "entrants" VALUES(1,'ada','abababababababababababababababababababababababababababababababab','{"argv":["/usr/bin/python3","ada.py"],"folder":"/bots","files":["/bots/ada.py"],"import_folder":null,"memory_mb":1024,"processes":false,"temporary_mb":0,"proc":true,"software":[],"grants":[],"network":[],"secrets":[],"packages":[],"original":null}');
INSERT INTO "entrants" VALUES(1,'böb','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','{"argv":["böb"],"folder":"/","files":[],"import_folder":null,"memory_mb":1024,"processes":false,"temporary_mb":0,"proc":true,"software":[],"grants":[],"network":[],"secrets":[],"packages":[],"original":null}');
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    block INTEGER NOT NULL REFERENCES blocks,
    position INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT,
    pair INTEGER NOT NULL,
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
    layouts BLOB NOT NULL,
    steps BLOB NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    stderr TEXT NOT NULL DEFAULT '',
    checksum BLOB NOT NULL
);
INSERT INTO "games" VALUES('00112233aabbccdd',1,0,'ada','böb',0,9007199254740991,5,'first','sunk','every ship of the other side is sunk',NULL,3,12,3,2,8,1,X'78F9CA706F2BAB4684BF133CE041E19E0F629BA2FA13AAC250C704AEC220B6B61600D3D114C2',X'78F9CA706F2B8BC6E20223536C2E304CD535C3663F30647580F6830C3484E8840701DC6243902C580E352C945C4046459BC043032A0DD3080B2B43882C8687C0DE35378D8D0500F6BF3AB7',1,'',X'27316402956789E1');
INSERT INTO "games" VALUES('ffeeddccbbaa9988',1,1,'böb','ada',0,7,8,'second','timeout','did not answer in time','first',0,0,0,1,0,0,X'78F9CA706F2BABAE0500017500F9',X'78F9CA706F2B8B8E0500011500B9',0,'line
  café',X'4E67268936C4D8EA');
INSERT INTO "games" VALUES('0123456789abcdef',2,0,'ada',NULL,0,1,2,'second','capped','the fleet was not sunk',NULL,60,60,2,0,0,0,X'78F9CA706F2BAB46F286132CE48D41019F0F621BC5D6D60200C9520AF1',X'78F9CA706F2B8BC634D000E2B658007AC60848',0,'',X'35FEA1A56ACEF81A');
CREATE TABLE looks (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    pairs INTEGER NOT NULL,
    rule TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (tournament, pairs, rule)
);
INSERT INTO "looks" VALUES(1,7,'a rule',X'81872743EE1CE840');
CREATE TABLE origins (
    block INTEGER PRIMARY KEY REFERENCES blocks ON DELETE CASCADE,
    origin TEXT NOT NULL
);
INSERT INTO "origins" VALUES(1,'{"at":"2026-01-02T03:04:05Z","salvo":"1.0","machine":"Linux","introduced":{"ada":["Ada","A. L.","3"]},"load":null}');
CREATE TABLE reported (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    seat TEXT NOT NULL,
    numbers TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (game, seat)
);
INSERT INTO "reported" VALUES('00112233aabbccdd','first','{"tokens":812.5}',X'5A39399B2A50F4B6');
INSERT INTO "reported" VALUES('00112233aabbccdd','second','{"n":-1.0}',X'2D620853BBD19873');
CREATE TABLE shards (
    tournament INTEGER PRIMARY KEY REFERENCES tournaments,
    number INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    games INTEGER NOT NULL,
    layouts INTEGER NOT NULL,
    checksum BLOB NOT NULL
);
INSERT INTO "shards" VALUES(1,2,3,14,1,X'BB07BDF422402EE9');
CREATE TABLE solo_luck (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    version INTEGER NOT NULL,
    turns REAL NOT NULL,
    log_e_values TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (game, version)
);
INSERT INTO "solo_luck" VALUES('0123456789abcdef',4,-1.5,'[0.25,-2.0]',X'3F7B54CEC73D75E2');
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    rules TEXT NOT NULL,
    seed TEXT NOT NULL,
    settings TEXT NOT NULL,
    gauntlet TEXT,
    derivation INTEGER NOT NULL DEFAULT 1,
    block_pairs INTEGER NOT NULL DEFAULT 10,
    common_layouts INTEGER NOT NULL DEFAULT 0,
    checksum BLOB NOT NULL
);
INSERT INTO "tournaments" VALUES(1,'cup','tournament','{"rows":2,"columns":3,"shots":"by-ship","sinkings":"unnamed","moves":true,"reshoot":true,"lies":2,"name":"mine","fleet":[{"name":"Boat","length":2},{"name":"Dot","length":1,"shots":3}]}','31415926535897932384626433832795','{"load_s":9.5,"move_s":1.25,"game_s":30.0}','ada',2,7,1,X'31058EDC6EAFF405');
CREATE INDEX games_of_block ON games (block);
COMMIT;
