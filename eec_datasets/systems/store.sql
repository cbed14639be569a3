-- tables
CREATE TABLE IF NOT EXISTS systems (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, origin TEXT NOT NULL,
    UNIQUE (name, version, origin)
);
CREATE TABLE IF NOT EXISTS answers (
    system INTEGER NOT NULL REFERENCES systems (id), text TEXT NOT NULL, repeat INTEGER NOT NULL,
    score REAL, state TEXT NOT NULL, said TEXT NOT NULL, model TEXT NOT NULL,
    calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, reply TEXT NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (system, text, repeat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS replies ON answers (system, reply) WHERE reply <> '';
CREATE TABLE IF NOT EXISTS set_aside (
    system INTEGER NOT NULL, text TEXT NOT NULL, repeat INTEGER NOT NULL, score REAL, state TEXT, said TEXT, model TEXT,
    calls INTEGER, tokens_in INTEGER, tokens_out INTEGER, reply TEXT, at TEXT
);
CREATE TABLE IF NOT EXISTS failures (
    system INTEGER NOT NULL REFERENCES systems (id), text TEXT NOT NULL, repeat INTEGER NOT NULL,
    PRIMARY KEY (system, text, repeat)
) WITHOUT ROWID;

-- read
SELECT text, repeat, score, state, said, model, calls, tokens_in, tokens_out, reply FROM answers
WHERE system = ? AND text IN (SELECT value FROM json_each(?))

-- with_reply
SELECT text, repeat FROM answers
WHERE reply <> '' AND system = ? AND reply = ? AND (text, repeat) <> (?, ?) LIMIT 1

-- write
INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- replace
REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- set_aside
INSERT INTO set_aside SELECT * FROM answers WHERE (system, text, repeat) = (?, ?, ?)

-- remove
DELETE FROM answers WHERE (system, text, repeat) = (?, ?, ?)

-- write_failure
INSERT OR IGNORE INTO failures VALUES (?, ?, ?)

-- failed
SELECT text, repeat FROM failures WHERE system = ? AND NOT EXISTS
(SELECT * FROM answers WHERE (system, text, repeat) = (failures.system, failures.text, failures.repeat))

-- earlier
SELECT version FROM systems WHERE NOT EXISTS (SELECT * FROM answers WHERE system = ?) AND (name, origin) = (?, ?)
AND EXISTS (SELECT * FROM answers WHERE system = systems.id) ORDER BY id

-- enter
INSERT INTO systems (name, version, origin) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id
