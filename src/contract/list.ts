import { type TSchema, Type } from 'typebox';
import { closed, described } from './literals.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;

/** A page of a list, newest first. `nextCursor` is opaque; `null` on the last page. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      nextCursor: described(Type.Union([Type.String(), Type.Null()]), '`cursor` of the next page; null on the last'),
      notices: Type.Optional(
        Type.Array(Type.String(), { description: 'unknown parts of the query, which were ignored' }),
      ),
    },
    closed,
  );
}
