-- The journal. Rows are only ever added; all of them are covered by the signed commits.

CREATE TABLE commits (
  writer    TEXT    NOT NULL,
  number    INTEGER NOT NULL CHECK (number > 0),
  at        INTEGER NOT NULL,
  follows   TEXT    NOT NULL,
  key_id    TEXT    NOT NULL,
  digest    BLOB    NOT NULL CHECK (length(digest) = 32),
  signature BLOB    NOT NULL,
  PRIMARY KEY (writer, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE spans (
  writer        TEXT    NOT NULL,
  number        INTEGER NOT NULL,
  stream        TEXT    NOT NULL,
  first_version INTEGER NOT NULL CHECK (first_version > 0),
  last_version  INTEGER NOT NULL CHECK (last_version >= first_version),
  digest        BLOB    NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (writer, number, stream)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX spans_by_stream ON spans (stream, last_version);

CREATE TABLE events (
  stream  TEXT    NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  at      INTEGER NOT NULL,
  type    TEXT    NOT NULL,
  body    BLOB    NOT NULL,
  digest  BLOB    NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
  writer       TEXT    NOT NULL,
  number       INTEGER NOT NULL,
  n            INTEGER NOT NULL,
  id           TEXT    NOT NULL,
  debit        TEXT    NOT NULL,
  credit       TEXT    NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  reason       TEXT    NOT NULL,
  at           INTEGER NOT NULL,
  ref          TEXT    NOT NULL,
  reverses     TEXT,
  PRIMARY KEY (writer, number, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX transfers_by_id ON transfers (id);
CREATE INDEX transfers_by_debit ON transfers (debit, at);
CREATE INDEX transfers_by_credit ON transfers (credit, at);

CREATE TABLE answers (
  writer  TEXT    NOT NULL,
  number  INTEGER NOT NULL,
  n       INTEGER NOT NULL,
  sender  TEXT    NOT NULL,
  id      TEXT    NOT NULL,
  request BLOB    NOT NULL CHECK (length(request) = 32),
  answer  BLOB    NOT NULL,
  PRIMARY KEY (writer, number, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX answers_by_command ON answers (sender, id);

-- Views hold nothing that cannot be made again from the journal.

CREATE TABLE view_rows (
  view  TEXT NOT NULL,
  key   TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (view, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE view_positions (
  view   TEXT    NOT NULL,
  writer TEXT    NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (view, writer)
) STRICT, WITHOUT ROWID;

-- Somebody with a SQL prompt is told at once; somebody who drops these is found by the signatures.

CREATE TRIGGER commits_stay   BEFORE UPDATE ON commits   BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER commits_keep   BEFORE DELETE ON commits   BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER spans_stay     BEFORE UPDATE ON spans     BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER spans_keep     BEFORE DELETE ON spans     BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_stay    BEFORE UPDATE ON events    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_keep    BEFORE DELETE ON events    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER transfers_stay BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER transfers_keep BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER answers_stay   BEFORE UPDATE ON answers   BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER answers_keep   BEFORE DELETE ON answers   BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
