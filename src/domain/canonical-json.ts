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
