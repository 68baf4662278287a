-- Bodies of events and answers may leave for an archive: the row stays, and here is noted what has left.

CREATE TABLE cuts (
  stream  text COLLATE "C" NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  PRIMARY KEY (stream, version)
);

-- The digest of a commit's answers, without which its own could not be computed any more.
CREATE TABLE cut_commits (
  writer  text COLLATE "C" NOT NULL,
  number  bigint NOT NULL,
  answers bytea  NOT NULL CHECK (length(answers) = 32),
  PRIMARY KEY (writer, number)
);

CREATE TRIGGER cuts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON cuts
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER cut_commits_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON cut_commits
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();

-- Nothing but a body that was noted above may change, and only to nothing.

CREATE FUNCTION event_body_may_leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.stream, NEW.version, NEW.at, NEW.type, NEW.digest)
     IS NOT DISTINCT FROM (OLD.stream, OLD.version, OLD.at, OLD.type, OLD.digest)
     AND length(NEW.body) = 0
     AND EXISTS (SELECT 1 FROM cuts WHERE cuts.stream = OLD.stream AND cuts.version >= OLD.version)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;

CREATE FUNCTION answer_may_leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.writer, NEW.number, NEW.n, NEW.sender, NEW.id, NEW.request)
     IS NOT DISTINCT FROM (OLD.writer, OLD.number, OLD.n, OLD.sender, OLD.id, OLD.request)
     AND length(NEW.answer) = 0
     AND EXISTS (SELECT 1 FROM cut_commits c WHERE c.writer = OLD.writer AND c.number = OLD.number)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;

DROP TRIGGER events_stay ON events;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
  FOR EACH ROW EXECUTE FUNCTION event_body_may_leave();
CREATE TRIGGER events_keep BEFORE DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();

DROP TRIGGER answers_stay ON answers;
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers
  FOR EACH ROW EXECUTE FUNCTION answer_may_leave();
CREATE TRIGGER answers_keep BEFORE DELETE OR TRUNCATE ON answers
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
