import { type TEnum, type TSchema, Type } from 'typebox';

/** A string that is one of the given words. */
export function oneOf<const Words extends string[]>(
  words: readonly [...Words],
  options: { description?: string } = {},
): TEnum<Words> {
  return Type.Enum<Words>(words, options);
}

/** The same schema, said in words of its own. */
export function described<const Schema extends TSchema>(schema: Schema, description: string) {
  return Type.With(schema, { description });
}

/** For objects that refuse properties they do not name. */
export const closed = { additionalProperties: false } as const;
