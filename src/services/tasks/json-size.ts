/**
 * Whether a value has more than `mostBytes` as JSON. It stops as soon as that is certain, so that a value of megabytes costs no
 * more than one at the limit.
 */
export function isLargerThan(value: unknown, mostBytes: number): boolean {
  return roomLeft(value, mostBytes) < 0;
}

function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string' && value.length > room) return -1;
  if (typeof value !== 'object' || value === null) return room - Buffer.byteLength(JSON.stringify(value) ?? 'null');
  const isArray = Array.isArray(value);
  // Each member but the first has a comma before it.
  let left = room - 1;
  for (const [name, member] of Object.entries(value)) {
    left = roomLeft(member, left - 1 - (isArray ? 0 : Buffer.byteLength(JSON.stringify(name)) + 1));
    if (left < 0) return left;
  }
  return Object.keys(value).length === 0 ? left - 1 : left;
}
