-- The events and answers of a commit with many of them as one compressed row, in a third of the room: see packs.py.

CREATE TABLE packs (
  writer   TEXT    NOT NULL,
  number   INTEGER NOT NULL,
  events   INTEGER NOT NULL CHECK (events >= 0),
  answers  INTEGER NOT NULL CHECK (answers >= 0),
  said     BLOB    NOT NULL,
  digests  BLOB    NOT NULL,
  requests BLOB    NOT NULL,
  PRIMARY KEY (writer, number)
) STRICT;

-- Where the answer to a command is, whether in a row or in a pack. A command has one answer: the key is unique.
CREATE TABLE commands (
  key    BLOB    NOT NULL PRIMARY KEY CHECK (length(key) = 16),
  writer TEXT    NOT NULL,
  number INTEGER NOT NULL,
  n      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO commands SELECT command_key(sender, id), writer, number, n FROM answers;
DROP INDEX answers_by_command;

-- A stream goes on from where it stands, once: the key of its events is not there to say so when they are packed.
CREATE UNIQUE INDEX spans_by_first ON spans (stream, first_version);

CREATE TRIGGER packs_keep    BEFORE DELETE ON packs    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER commands_stay BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER commands_keep BEFORE DELETE ON commands BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- Bodies may leave for an archive, as from rows; digests, requests and counts stay.
CREATE TRIGGER packs_stay BEFORE UPDATE ON packs
WHEN NOT (
  new.writer = old.writer AND new.number = old.number AND new.events = old.events AND new.answers = old.answers
  AND new.digests = old.digests AND new.requests = old.requests AND length(new.said) <= length(old.said)
  AND (
    EXISTS (SELECT 1 FROM cut_commits c WHERE c.writer = old.writer AND c.number = old.number)
    OR EXISTS (
      SELECT 1 FROM spans s JOIN cuts c ON c.stream = s.stream AND c.version >= s.first_version
      WHERE s.writer = old.writer AND s.number = old.number)
  )
) BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
