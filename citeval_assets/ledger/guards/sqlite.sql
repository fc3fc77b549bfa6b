CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN
    SELECT RAISE(ABORT, '{table} is append-only: UPDATE refused');
END

CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN
    SELECT RAISE(ABORT, '{table} is append-only: DELETE refused');
END

-- REPLACE deletes the row in its way, and asks no delete trigger on a connection that did not set
-- recursive_triggers: so a row that would have another in its way is not let in at all.
CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
WHEN NEW.nr <> (SELECT coalesce(max(nr), 0) + 1 FROM {table})
    OR NEW.seq <= (SELECT coalesce(max(seq), 0) FROM {table})
    OR EXISTS (SELECT 1 FROM {table} WHERE {same_key})
BEGIN
    SELECT RAISE(ABORT, '{table} is append-only: new rows go to its end');
END
