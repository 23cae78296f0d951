/**
 * Remembers at most so many values by their key, and begins anew where there would be more. `isFinal`: whether a value stays as it is;
 * another one is worked out each time.
 */
export function createRemembered<Key, Value>(most: number) {
  const known = new Map<Key, { value: Value }>();
  return (key: Key, work: () => Value, isFinal = true): Value => {
    const found = known.get(key) ?? { value: work() };
    if (!isFinal || known.has(key)) return found.value;
    if (known.size >= most) known.clear();
    known.set(key, found);
    return found.value;
  };
}
