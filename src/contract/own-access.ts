import { type Static, Type } from 'typebox';
import { AllowedFolder } from './files.ts';
import { Timestamp } from './ids.ts';
import { closed } from './literals.ts';

const term = {
  allows: Type.String({ description: 'the whole approval as a sentence, as the person read it' }),
  expiresAt: Timestamp,
  secondsLeft: Type.Integer({ description: 'sooner where it lies unused, or Handrail quits' }),
};

/** The things that a requester may do now without asking for each, because the person allowed them for a time. */
export const OwnAccess = Type.Object(
  {
    access: Type.Array(Type.Object(term, closed), {
      description: 'given by RequestAccess: apps to look at or to act in',
    }),
    grants: Type.Array(
      Type.Object(
        {
          actionType: Type.String(),
          ...term,
          taskId: Type.Optional(Type.String({ description: 'good for the steps of this task only' })),
        },
        closed,
      ),
    ),
    folders: Type.Array(AllowedFolder, {
      description: '`write` includes reading; good until the person takes it back',
    }),
  },
  closed,
);
export type OwnAccess = Static<typeof OwnAccess>;
