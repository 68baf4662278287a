-- Bodies of events and answers may leave for an archive: the row stays, and here is noted what has left.

CREATE TABLE cuts (
  stream  TEXT    NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

-- The digest of a commit's answers, without which its own could not be computed any more.
CREATE TABLE cut_commits (
  writer  TEXT    NOT NULL,
  number  INTEGER NOT NULL,
  answers BLOB    NOT NULL CHECK (length(answers) = 32),
  PRIMARY KEY (writer, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER cuts_stay        BEFORE UPDATE ON cuts        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER cuts_keep        BEFORE DELETE ON cuts        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER cut_commits_stay BEFORE UPDATE ON cut_commits BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER cut_commits_keep BEFORE DELETE ON cut_commits BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- Nothing but a body that was noted above may change, and only to nothing.

DROP TRIGGER events_stay;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
WHEN NOT (
  new.stream = old.stream AND new.version = old.version AND new.at = old.at AND new.type = old.type
  AND new.digest = old.digest AND length(new.body) = 0
  AND EXISTS (SELECT 1 FROM cuts WHERE cuts.stream = old.stream AND cuts.version >= old.version)
) BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

DROP TRIGGER answers_stay;
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers
WHEN NOT (
  new.writer = old.writer AND new.number = old.number AND new.n = old.n AND new.sender = old.sender
  AND new.id = old.id AND new.request = old.request AND length(new.answer) = 0
  AND EXISTS (SELECT 1 FROM cut_commits c WHERE c.writer = old.writer AND c.number = old.number)
) BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
