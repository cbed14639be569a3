CREATE TABLE IF NOT EXISTS systems (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, spec TEXT NOT NULL, declared INTEGER NOT NULL,
    note TEXT NOT NULL, UNIQUE (name, version)
);
CREATE TABLE IF NOT EXISTS answers (
    system INTEGER NOT NULL REFERENCES systems (id), text TEXT NOT NULL, repeat INTEGER NOT NULL,
    score REAL, state TEXT NOT NULL, said TEXT NOT NULL, model TEXT NOT NULL,
    calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (system, text, repeat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (
    system INTEGER NOT NULL REFERENCES systems (id), text TEXT NOT NULL, repeat INTEGER NOT NULL,
    PRIMARY KEY (system, text, repeat)
) WITHOUT ROWID;
