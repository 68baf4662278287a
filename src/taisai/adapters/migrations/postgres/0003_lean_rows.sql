-- Fewer bytes a slip. Answers of a commit are written together and read together: a range index finds them, at
-- hardly any cost for a row. Transfers are also looked for commit by commit, which its number is enough for, since
-- writers are few. That a commit is there once, its own key says; a part that is there twice is found when it is
-- read, and by its digest.

ALTER TABLE transfers DROP CONSTRAINT transfers_pkey;
ALTER TABLE answers DROP CONSTRAINT answers_pkey;
CREATE INDEX transfers_by_commit ON transfers (number);
CREATE INDEX answers_by_commit ON answers USING brin (writer, number)
  WITH (pages_per_range = 16, autosummarize = on);

-- Nobody asks for the statement of a round's stakes, and every bet goes through one: they are not indexed.

DROP INDEX transfers_by_debit;
DROP INDEX transfers_by_credit;
CREATE INDEX transfers_by_debit ON transfers (debit, at) WHERE substr(debit, 1, 7) <> 'stakes:';
CREATE INDEX transfers_by_credit ON transfers (credit, at) WHERE substr(credit, 1, 7) <> 'stakes:';
