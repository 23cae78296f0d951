import canonicalize from 'canonicalize';

/** A value as JSON in its canonical form (RFC 8785). Throws for a lone surrogate and for a number that is not finite. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? '';
}

/**
 * The canonical form of an object whose members are in canonical form already, so that a large member is brought into that form
 * once and used in several objects. A member without a value is left out.
 */
export function canonicalObject(members: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  for (const name of Object.keys(members).toSorted()) {
    const member = members[name];
    if (member) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `{${text}}`;
}

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
