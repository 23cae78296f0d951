import { Type } from 'typebox';

/** A string that is one of the given words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: { description?: string } = {},
) {
  return Type.Enum([...words] as Mutable<Words>, options);
}

type Mutable<Words extends readonly string[]> = { -readonly [Index in keyof Words]: Words[Index] };

/** For objects that refuse properties they do not name. */
export const closed = { additionalProperties: false } as const;
