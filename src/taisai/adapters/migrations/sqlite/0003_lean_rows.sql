-- Nobody asks for the statement of a round's stakes, and every bet goes through one: they are not indexed.

DROP INDEX transfers_by_debit;
DROP INDEX transfers_by_credit;
CREATE INDEX transfers_by_debit ON transfers (debit, at) WHERE substr(debit, 1, 7) <> 'stakes:';
CREATE INDEX transfers_by_credit ON transfers (credit, at) WHERE substr(credit, 1, 7) <> 'stakes:';
