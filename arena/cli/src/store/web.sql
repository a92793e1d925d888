-- Who may submit over the network.
CREATE TABLE authors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    token BLOB UNIQUE,              -- SHA-256 of the token, which is kept nowhere; NULL when it was revoked
    created TEXT NOT NULL           -- when the token was made, UTC
) STRICT;

-- What they submitted, in the order in which it came.
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    author INTEGER NOT NULL REFERENCES authors (id),
    name TEXT NOT NULL,             -- what the agent is to be called
    sha256 BLOB NOT NULL,           -- of the component
    size INTEGER NOT NULL,          -- of the component, in bytes
    bytes BLOB,                     -- the component, until it is checked
    received TEXT NOT NULL,         -- UTC
    state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'refused', 'failed')),
    message TEXT,                   -- what the author was told
    report TEXT                     -- what was found out, as `arena check --format json` prints it
) STRICT;

CREATE INDEX waiting_submissions ON submissions (id) WHERE state = 'waiting';
CREATE INDEX submissions_of_authors ON submissions (author, id);
CREATE INDEX faulty_matches ON matches (number) WHERE faults IS NOT NULL;
