/**
 * Keeps what was read for times that were used lately: at least the `most` used last, at most twice as many. What was not used while
 * `most` others were is forgotten.
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
