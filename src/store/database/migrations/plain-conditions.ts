/** Actions that have not ended. */
export const IS_LIVE = isLive('');

export const ENDED_BADLY_STATUSES = ['failed', 'denied', 'expired', 'cancelled', 'blocked', 'unknown'];

/** Actions that ended otherwise than in success. SQLite uses the index only where a query has the words of the index. */
export const HAS_ENDED_BADLY = isOneOf('status', ENDED_BADLY_STATUSES);

/**
 * SQLite fills a temporary table for each `IN` with more than two values, every time that a row is stored: it did so fifteen times for
 * one action. Comparisons joined by `OR` say the same and need none.
 *
 * The checks of a table cannot be altered, and copying all actions takes long. SQLite lets a text in its schema be replaced where the
 * change does not affect what is stored (https://www.sqlite.org/lang_altertable.html, section 7); that needs the unsafe mode of
 * better-sqlite3, which `openDatabase` sets for the migrations only.
 */
export const PLAIN_CONDITIONS = `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = ${withoutLists('sql', [
    {
      column: 'status',
      values: ['awaiting_confirmation', 'queued', 'running', 'success', 'failed', 'denied'],
      onTheNextLine: ['expired', 'cancelled', 'blocked', 'unknown'],
    },
    { column: 'risk_level', values: ['low', 'medium', 'high', 'critical'] },
    { column: 'effect_class', values: ['pure', 'idempotent', 'once'] },
    { column: 'effect', values: ['none', 'confirmed', 'unverified'] },
  ])} WHERE type = 'table' AND name = 'actions';
  UPDATE sqlite_schema SET sql = ${withoutLists('sql', [
    { column: 'place', values: ['action', 'task', 'action_answer', 'task_answer', 'artifact'] },
  ])} WHERE type = 'table' AND name = 'kept_contents';
  PRAGMA writable_schema = RESET;

  DROP INDEX actions_live;
  CREATE INDEX actions_live ON actions (id) WHERE ${IS_LIVE};
  DROP INDEX actions_ended_badly;
  CREATE INDEX actions_ended_badly ON actions (id) WHERE ${HAS_ENDED_BADLY};
  DROP TRIGGER actions_end_is_final;
  CREATE TRIGGER actions_end_is_final BEFORE UPDATE OF status ON actions
    WHEN new.status <> old.status AND NOT ${isLive('old.')}
    BEGIN SELECT RAISE(ABORT, 'an action that has ended cannot change its status'); END;
`;

/** `row`: nothing, or the name of a row and a dot. */
export function isLive(row: string): string {
  return isOneOf(`${row}status`, ['awaiting_confirmation', 'queued', 'running']);
}

type List = { column: string; values: readonly string[]; onTheNextLine?: readonly string[] };

/** An SQL expression: the text with each of these lists of values, as the first step has them, replaced by comparisons. */
function withoutLists(text: string, lists: readonly List[]): string {
  return lists.reduce((replaced, { column, values, onTheNextLine = [] }) => {
    const next = onTheNextLine.length === 0 ? '' : `,\n      ${quoted(onTheNextLine)}`;
    const list = `${column} IN (${quoted(values)}${next})`;
    return `replace(${replaced}, ${sqlText(list)}, ${sqlText(isOneOf(column, [...values, ...onTheNextLine]))})`;
  }, text);
}

function isOneOf(column: string, values: readonly string[]): string {
  return `(${values.map((value) => `${column} = ${sqlText(value)}`).join(' OR ')})`;
}

function quoted(values: readonly string[]): string {
  return values.map(sqlText).join(', ');
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
