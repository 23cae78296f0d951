/** Contents up to this size count as part of their record, so that most actions need no entry. */
const COUNTED_ABOVE_BYTES = 512;

const ACTION_BYTES = 'coalesce(octet_length(new.parameters), 0) + coalesce(octet_length(new.data), 0)';

/**
 * Lists all contents that may be forgotten: results and parameters of ended actions and tasks, stored answers, and pictures. The oldest
 * have the lowest ids. Totals are kept beside them, per user and, under the empty user id, in all. Triggers keep both in step
 * with every way in which contents come and go.
 */
export const KEPT_CONTENTS = `
  CREATE TABLE kept_contents (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('results', 'artifacts')),
    place TEXT NOT NULL CHECK (place = 'action' OR place = 'task' OR place = 'action_answer' OR place = 'task_answer'
      OR place = 'artifact'),
    user_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    bytes INTEGER NOT NULL CHECK (bytes > 0),
    UNIQUE (place, user_id, subject)
  ) STRICT;
  CREATE INDEX kept_contents_by_age ON kept_contents (kind, id);
  CREATE INDEX kept_contents_by_user ON kept_contents (kind, user_id, id);

  CREATE TABLE kept_bytes (
    kind TEXT NOT NULL CHECK (kind IN ('results', 'artifacts')),
    user_id TEXT NOT NULL,
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (kind, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_bytes_by_size ON kept_bytes (kind, bytes);
  INSERT INTO kept_bytes VALUES ('results', '', 0), ('artifacts', '', 0);

  CREATE TRIGGER kept_contents_added AFTER INSERT ON kept_contents BEGIN
    UPDATE kept_bytes SET bytes = bytes + new.bytes WHERE kind = new.kind AND user_id = '';
    INSERT INTO kept_bytes VALUES (new.kind, new.user_id, new.bytes)
      ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER kept_contents_removed AFTER DELETE ON kept_contents BEGIN
    UPDATE kept_bytes SET bytes = bytes - old.bytes WHERE kind = old.kind AND user_id IN ('', old.user_id);
    DELETE FROM kept_bytes WHERE kind = old.kind AND user_id = old.user_id AND bytes = 0;
  END;

  CREATE TRIGGER actions_contents_kept AFTER UPDATE OF finished_at_ms ON actions
    WHEN old.finished_at_ms IS NULL AND new.finished_at_ms IS NOT NULL AND ${ACTION_BYTES} > ${COUNTED_ABOVE_BYTES}
    BEGIN
      INSERT INTO kept_contents (kind, place, user_id, subject, bytes)
        VALUES ('results', 'action', new.user_id, new.id, ${ACTION_BYTES});
    END;
  CREATE TRIGGER actions_contents_kept_at_once AFTER INSERT ON actions
    WHEN new.finished_at_ms IS NOT NULL AND ${ACTION_BYTES} > ${COUNTED_ABOVE_BYTES}
    BEGIN
      INSERT INTO kept_contents (kind, place, user_id, subject, bytes)
        VALUES ('results', 'action', new.user_id, new.id, ${ACTION_BYTES});
    END;
  CREATE TRIGGER actions_contents_forgotten AFTER UPDATE OF parameters ON actions
    WHEN new.parameters IS NULL AND new.data IS NULL
    BEGIN
      DELETE FROM kept_contents WHERE place = 'action' AND user_id = old.user_id AND subject = old.id;
    END;
  CREATE TRIGGER actions_contents_removed AFTER DELETE ON actions
    BEGIN
      DELETE FROM kept_contents WHERE place = 'action' AND user_id = old.user_id AND subject = old.id;
    END;

  CREATE TRIGGER tasks_contents_kept AFTER UPDATE OF finished_at_ms ON tasks
    WHEN old.finished_at_ms IS NULL AND new.finished_at_ms IS NOT NULL
    BEGIN
      INSERT INTO kept_contents (kind, place, user_id, subject, bytes)
        SELECT 'results', 'task', new.user_id, new.id, sum(octet_length(parameters)) AS parameter_bytes
        FROM task_steps WHERE task_id = new.id HAVING parameter_bytes > ${COUNTED_ABOVE_BYTES};
    END;
  CREATE TRIGGER task_steps_contents_forgotten AFTER UPDATE OF parameters ON task_steps
    WHEN old.parameters IS NOT NULL AND new.parameters IS NULL
    BEGIN
      DELETE FROM kept_contents WHERE place = 'task' AND subject = old.task_id
        AND user_id = (SELECT user_id FROM tasks WHERE id = old.task_id);
    END;
  CREATE TRIGGER tasks_contents_removed AFTER DELETE ON tasks
    BEGIN
      DELETE FROM kept_contents WHERE place = 'task' AND user_id = old.user_id AND subject = old.id;
    END;

  ${answersOf({ table: 'idempotency_keys', place: 'action_answer' })}
  ${answersOf({ table: 'task_idempotency_keys', place: 'task_answer' })}

  CREATE TRIGGER artifacts_kept_contents AFTER INSERT ON artifacts
    BEGIN
      INSERT INTO kept_contents (kind, place, user_id, subject, bytes)
        VALUES ('artifacts', 'artifact', new.user_id, new.id, new.size_bytes);
    END;
  CREATE TRIGGER artifacts_forgotten AFTER UPDATE OF removed_at_ms ON artifacts WHEN new.removed_at_ms IS NOT NULL
    BEGIN
      DELETE FROM kept_contents WHERE place = 'artifact' AND user_id = old.user_id AND subject = old.id;
    END;
  CREATE TRIGGER artifacts_removed AFTER DELETE ON artifacts
    BEGIN
      DELETE FROM kept_contents WHERE place = 'artifact' AND user_id = old.user_id AND subject = old.id;
    END;
`;

/** The answers that are kept for a repeated `Idempotency-Key`. */
function answersOf({ table, place }: { table: string; place: string }): string {
  return `
  CREATE TRIGGER ${table}_answer_kept AFTER UPDATE OF answer ON ${table} BEGIN
    DELETE FROM kept_contents WHERE place = '${place}' AND user_id = new.user_id AND subject = new.key;
    INSERT INTO kept_contents (kind, place, user_id, subject, bytes)
      SELECT 'results', '${place}', new.user_id, new.key, octet_length(new.answer)
      WHERE octet_length(new.answer) > ${COUNTED_ABOVE_BYTES};
  END;
  CREATE TRIGGER ${table}_answer_removed AFTER DELETE ON ${table} BEGIN
    DELETE FROM kept_contents WHERE place = '${place}' AND user_id = old.user_id AND subject = old.key;
  END;`;
}
