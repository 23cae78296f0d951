import { type TEnum, Type } from 'typebox';

/** A string that is one of the given words. */
export function oneOf<const Words extends string[]>(
  words: readonly [...Words],
  options: { description?: string } = {},
): TEnum<Words> {
  return Type.Enum<Words>(words, options);
}

/** For objects that refuse properties they do not name. */
export const closed = { additionalProperties: false } as const;
