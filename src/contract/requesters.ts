import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';

/** The day so far of one requester, beside its days before. */
export const RequesterToday = Type.Object(
  {
    requester: Type.String({ description: 'the user id for the person, else a pseudonym' }),
    words: Type.String({ description: 'what it did today, for a person' }),
    did: Type.String({ description: 'the same without its name' }),
    hours: Type.Array(Type.Integer(), {
      description: 'its requests in each hour of the day so far, in local time',
    }),
    before: Type.String({ description: 'how much it did at most on its days before, for a person' }),
    isUnusual: Type.Boolean({ description: 'it is far beyond what is usual for it' }),
  },
  closed,
);
export type RequesterToday = Static<typeof RequesterToday>;

export const RequesterTodayList = Type.Object(
  { items: Type.Array(RequesterToday, { description: 'unusual ones first, at most 50' }) },
  closed,
);
export type RequesterTodayList = Static<typeof RequesterTodayList>;
