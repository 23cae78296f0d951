import { encodeTime, TIME_MAX } from 'ulid';

/** The row of a statement that always has one, such as a count. */
export function onlyRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('a statement that always has one row had none');
  return row;
}

/** A value that the store wrote as JSON. Its type is that of the value which was written: only the store writes the database. */
export function storedJson<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

/** The same for a column that may be NULL. */
export function optionalJson<Value>(text: string | null): Value | undefined {
  return text === null ? undefined : storedJson<Value>(text);
}

/**
 * A stored row in the words of the code: the column `user_id` is the member `userId`, and NULL is no member. Columns of `json` are read
 * as JSON. The type is that of the row which was written, as for `storedJson`.
 */
export function rowOf<Row>(stored: object, json: readonly string[] = []): Row {
  const row: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(stored))
    if (value !== null) row[memberOf(column)] = json.includes(column) ? storedJson<unknown>(String(value)) : value;
  return row as Row;
}

/** The same for several rows. */
export function rowsOf<Row>(stored: readonly object[], json?: readonly string[]): Row[] {
  return stored.map((row) => rowOf<Row>(row, json));
}

/** The same for a row that may not be there. */
export function foundRow<Row>(stored: object | undefined, json?: readonly string[]): Row | undefined {
  return stored === undefined ? undefined : rowOf<Row>(stored, json);
}

const MEMBERS = new Map<string, string>();

function memberOf(column: string): string {
  const known = MEMBERS.get(column);
  if (known !== undefined) return known;
  const member = column.replace(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
  MEMBERS.set(column, member);
  return member;
}

/** An id is made within this of the time that is noted as its row's. */
const SLACK_MS = 60_000;

/**
 * Not greater than any id of a row that is as young as this, or younger: ids begin with the time. They are made in ascending order
 * even where the clock is set back, so a row may be older than its id says, never younger.
 */
export function idNotAfter(prefix: string, atMs: number): string {
  return `${prefix}_${encodeTime(Math.min(TIME_MAX, Math.max(0, Math.floor(atMs) - SLACK_MS)), 10)}`;
}
