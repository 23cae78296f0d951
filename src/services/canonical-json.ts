import canonicalize from 'canonicalize';

/** A value as JSON in its canonical form (RFC 8785). */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? '';
}

/**
 * The canonical form of an object whose members are in canonical form already, so that a large member is brought into that form
 * once and used in several objects. A member without a value is left out.
 */
export function canonicalObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${members[name]}`);
  return `{${parts.join(',')}}`;
}
