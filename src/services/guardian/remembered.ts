/**
 * Remembers at most so many values by their key. If one more would not fit, it forgets all of them first. `isFinal` tells whether a value
 * will stay the same. Other values are computed each time.
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
