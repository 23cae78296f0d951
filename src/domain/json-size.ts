/**
 * Whether a value has more than `mostBytes` as JSON. It stops as soon as that is certain, so that a value of megabytes costs no
 * more than one at the limit.
 */
export function isLargerThan(value: unknown, mostBytes: number): boolean {
  return roomLeft(value, mostBytes) < 0;
}

function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string' && value.length > room) return -1;
  if (Array.isArray(value)) return roomBesideElements(value, room);
  if (typeof value === 'object' && value !== null) return roomBesideMembers(value, room);
  return room - Buffer.byteLength(JSON.stringify(value) ?? 'null');
}

/** Takes one element at a time: a list of all entries of a large array would cost more than all else here. */
function roomBesideElements(array: readonly unknown[], room: number): number {
  if (array.length === 0) return room - 2;
  // Each element but the first has a comma before it.
  let left = room - 1;
  for (const element of array) {
    left = roomLeft(element, left - 1);
    if (left < 0) return left;
  }
  return left;
}

function roomBesideMembers(object: object, room: number): number {
  const names = Object.keys(object);
  if (names.length === 0) return room - 2;
  let left = room - 1;
  for (const name of names) {
    left = roomLeft(Reflect.get(object, name), left - 2 - Buffer.byteLength(JSON.stringify(name)));
    if (left < 0) return left;
  }
  return left;
}
