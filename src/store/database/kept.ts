/**
 * A cache by time that holds at least the `most` values used last, and at most twice as many. A value is dropped when `most`
 * others were used since its last use.
 */
export function createKept<Value>(most: number): (atMs: number, read: () => Value) => Value {
  let young = new Map<number, Value>();
  let old = new Map<number, Value>();
  return (atMs, read) => {
    const known = young.get(atMs);
    if (known !== undefined) return known;
    const value = old.get(atMs) ?? read();
    if (young.size >= most) [old, young] = [young, new Map()];
    young.set(atMs, value);
    return value;
  };
}
