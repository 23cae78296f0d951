import { type Static, Type } from 'typebox';
import { closed, oneOf } from './literals.ts';

/** How the ways to call the person did when they were tried. */
export const ReachTrials = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          channel: oneOf(['desktop', 'hook'], { description: 'a notification of the desktop, or HANDRAIL_NOTIFY' }),
          problem: Type.Optional(Type.String({ description: 'why it did not work; absent where it did' })),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type ReachTrials = Static<typeof ReachTrials>;
