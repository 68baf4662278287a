-- The journal. Rows are only ever added; all of them are covered by the signed commits.
-- Names are plain ASCII and compared as bytes, so that every store has one order.

CREATE TABLE commits (
  writer    text COLLATE "C" NOT NULL,
  number    bigint NOT NULL CHECK (number > 0),
  at        bigint NOT NULL,
  follows   text   NOT NULL,
  key_id    text   NOT NULL,
  digest    bytea  NOT NULL CHECK (length(digest) = 32),
  signature bytea  NOT NULL,
  PRIMARY KEY (writer, number)
);

CREATE TABLE spans (
  writer        text COLLATE "C" NOT NULL,
  number        bigint NOT NULL,
  stream        text COLLATE "C" NOT NULL,
  first_version bigint NOT NULL CHECK (first_version > 0),
  last_version  bigint NOT NULL CHECK (last_version >= first_version),
  digest        bytea  NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (writer, number, stream)
);
CREATE UNIQUE INDEX spans_by_stream ON spans (stream, last_version);

CREATE TABLE events (
  stream  text COLLATE "C" NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  at      bigint NOT NULL,
  type    text   NOT NULL,
  body    bytea  NOT NULL,
  digest  bytea  NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (stream, version)
);

CREATE TABLE transfers (
  writer       text COLLATE "C" NOT NULL,
  number       bigint NOT NULL,
  n            bigint NOT NULL,
  id           text COLLATE "C" NOT NULL,
  debit        text COLLATE "C" NOT NULL,
  credit       text COLLATE "C" NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  reason       text   NOT NULL,
  at           bigint NOT NULL,
  ref          text   NOT NULL,
  reverses     text,
  PRIMARY KEY (writer, number, n)
);
CREATE UNIQUE INDEX transfers_by_id ON transfers (id);
CREATE INDEX transfers_by_debit ON transfers (debit, at, writer, number, n);
CREATE INDEX transfers_by_credit ON transfers (credit, at, writer, number, n);

CREATE TABLE answers (
  writer  text COLLATE "C" NOT NULL,
  number  bigint NOT NULL,
  n       bigint NOT NULL,
  sender  text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  request bytea NOT NULL CHECK (length(request) = 32),
  answer  bytea NOT NULL,
  PRIMARY KEY (writer, number, n)
);
CREATE UNIQUE INDEX answers_by_command ON answers (sender, id);

-- Views hold nothing that cannot be made again from the journal.

CREATE TABLE view_rows (
  view  text COLLATE "C" NOT NULL,
  key   text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (view, key)
);

CREATE TABLE view_positions (
  view   text COLLATE "C" NOT NULL,
  writer text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (view, writer)
);

-- Somebody with a SQL prompt is told at once; somebody who drops these is found by the signatures.

CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the journal is append-only'; END $$;

CREATE TRIGGER commits_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON commits
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER spans_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON spans
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER transfers_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER answers_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON answers
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
