-- A tournament in one file. docs/database.md explains every table.

CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ruleset TEXT NOT NULL,          -- the complete ruleset, JSON
    play TEXT NOT NULL,             -- the format and its settings, JSON
    seats INTEGER NOT NULL,         -- at a table
    pairs INTEGER NOT NULL,         -- seeds of a pairing
    start_fuel INTEGER NOT NULL,
    decide_fuel INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL,
    turn_limit INTEGER NOT NULL,
    shown_pairs INTEGER NOT NULL,   -- pairs below this one have been shown to somebody
    created TEXT NOT NULL,          -- UTC
    wasi INTEGER NOT NULL DEFAULT 0 -- 1 when agents may import WASI
) STRICT;

-- Every match seed is a hash of a secret and of the pair's index. A secret is for the pairs from
-- first_pair on, up to the next secret's.
CREATE TABLE secrets (
    first_pair INTEGER PRIMARY KEY,
    secret BLOB NOT NULL,           -- 32 bytes
    commitment TEXT NOT NULL,       -- its SHA-256, hexadecimal, public from the start
    seed TEXT,                      -- the hand-chosen seed that it comes from, decimal
    revealed INTEGER NOT NULL       -- whether it has been published
) STRICT;

CREATE TABLE components (
    sha256 BLOB PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
    id INTEGER PRIMARY KEY,         -- from 1, in the order of submission
    name TEXT NOT NULL,
    version INTEGER NOT NULL,       -- from 1, by name
    author TEXT,
    claim TEXT NOT NULL,            -- who the component says it is
    component BLOB NOT NULL REFERENCES components (sha256),
    fresh_from INTEGER NOT NULL,    -- the first pair it may play
    submitted TEXT NOT NULL,        -- UTC
    withdrawn INTEGER NOT NULL,     -- 1 when it plays no further matches
    suspended TEXT,                 -- why the arena withdrew it, if it did
    UNIQUE (name, version)
) STRICT;

CREATE TABLE engines (
    id INTEGER PRIMARY KEY,
    arena TEXT NOT NULL,
    wasmtime TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    UNIQUE (arena, wasmtime, fingerprint)
) STRICT;

-- What is to be played: some agents at one table, on some seeds, in every rotation of the seats.
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,         -- from 1, in schedule order
    first_match INTEGER NOT NULL,
    first_pair INTEGER NOT NULL,
    pairs INTEGER NOT NULL,         -- 0 for a bye
    agents TEXT NOT NULL            -- ids in the seat order of the first match, JSON
) STRICT;

CREATE TABLE endings (
    code INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

-- Outcomes. Everything else about a match follows from its seed, and is played again on demand.
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,     -- from 1, in schedule order
    block INTEGER NOT NULL REFERENCES blocks (id),
    engine INTEGER NOT NULL REFERENCES engines (id),
    ending INTEGER NOT NULL REFERENCES endings (code),
    scores TEXT NOT NULL,           -- by seat, JSON
    ranks TEXT NOT NULL,            -- by seat, JSON
    faults TEXT,                    -- [[seat, kind], …], JSON; NULL for none
    turns TEXT,                     -- of a match of one seat: [turns, farkles, best, worst], JSON
    hash BLOB NOT NULL              -- 32 bytes, docs/record.md
) STRICT;

-- For people: a row for every seat of every match.
CREATE VIEW results AS
SELECT
    m.number AS match,
    b.first_pair + (m.number - b.first_match) / json_array_length(b.agents) AS pair,
    seat.key AS seat,
    a.name AS agent,
    a.version AS version,
    seat.value AS score,
    json_extract(m.ranks, '$[' || seat.key || ']') AS rank,
    e.name AS ending,
    lower(hex(m.hash)) AS hash
FROM matches m
JOIN blocks b ON b.id = m.block
JOIN endings e ON e.code = m.ending
JOIN json_each(m.scores) seat
JOIN agents a ON a.id = json_extract(
    b.agents,
    '$[' || ((seat.key + m.number - b.first_match) % json_array_length(b.agents)) || ']'
);
