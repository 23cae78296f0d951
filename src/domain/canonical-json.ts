import canonicalize from 'canonicalize';

/** A value as JSON in its canonical form (RFC 8785). Throws for a lone surrogate and for a number that is not finite. */
export function canonicalJson(value: unknown): string {
  // JSON.stringify keeps the order of the members, and takes a third of the time.
  return isInOrder(value, MOST_LEVELS) ? JSON.stringify(value) : (canonicalize(value) ?? '');
}

/**
 * The canonical form of an object whose members are in canonical form already, so that a large member is brought into that form
 * once and used in several objects. A member without a value is left out.
 */
export function canonicalObject(members: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  for (const name of Object.keys(members).toSorted()) {
    const member = members[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `{${text}}`;
}

/** Levels of arrays and objects that are looked through; more are left to the library, which cannot run out of stack. */
const MOST_LEVELS = 8;

/** Whether a value is plain JSON with the members of each object in the canonical order: by the UTF-16 units of their names. */
function isInOrder(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      if (levels === 0) return false;
      if (Array.isArray(value)) return value.every((each) => isInOrder(each, levels - 1));
      return hasOrderedMembers(value, levels);
    default:
      return false;
  }
}

function hasOrderedMembers(value: object, levels: number): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let before = '';
  for (const [name, member] of Object.entries(value)) {
    if (name < before || !name.isWellFormed()) return false;
    if (member !== undefined && !isInOrder(member, levels - 1)) return false;
    before = name;
  }
  return true;
}
