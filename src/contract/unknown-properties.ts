import type { TSchema } from 'typebox';
import { pointerToken } from './pointer-token.ts';

/** A property that its place does not know, and the names that the place knows. */
type UnknownProperty = { pointer: string; siblings: string[] };

/** A value without the properties that a closed schema does not know, and the first `most` of those properties. */
export function withoutUnknown(
  schema: TSchema,
  value: unknown,
  most: number,
): { known: unknown; unknown: UnknownProperty[] } {
  const unknown: UnknownProperty[] = [];

  function kept(part: unknown, of: unknown, pointer: string): unknown {
    if (Array.isArray(part)) return part.map((item, index) => kept(item, member(of, 'items'), `${pointer}/${index}`));
    const properties = member(of, 'properties');
    if (typeof part !== 'object' || part === null || typeof properties !== 'object' || properties === null) return part;
    const isClosed = member(of, 'additionalProperties') === false;
    const siblings = Object.keys(properties);
    const members: [string, unknown][] = [];
    for (const [name, content] of Object.entries(part)) {
      const isKnown = Object.hasOwn(properties, name);
      if (isKnown || !isClosed)
        members.push([name, kept(content, member(properties, name), `${pointer}/${pointerToken(name)}`)]);
      else if (unknown.length < most) unknown.push({ pointer: `${pointer}/${pointerToken(name)}`, siblings });
    }
    return Object.fromEntries(members);
  }

  return { known: kept(value, schema, ''), unknown };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
