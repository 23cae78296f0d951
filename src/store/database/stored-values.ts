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
