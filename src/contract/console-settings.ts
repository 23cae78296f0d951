import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';
import { PROMPT_EXPIRY_MS } from './prompt-expiry.ts';

/** The person's settings. */
export const ConsoleSettings = Type.Object(
  {
    promptExpiryMs: Type.Integer({
      minimum: PROMPT_EXPIRY_MS.least,
      maximum: PROMPT_EXPIRY_MS.most,
      description: 'how long a prompt waits; 90 s by default',
    }),
    keepsEvidence: Type.Optional(
      Type.Boolean({
        description:
          'whether two pictures of the target of each click and key are kept for the person; on by default; left out: as before',
      }),
    ),
    acceptsOtherDaemons: Type.Optional(
      Type.Boolean({
        description:
          'whether a Handrail on another computer of yours may act here over `ssh` while this one runs; off by default; left out: as before',
      }),
    ),
  },
  closed,
);
export type ConsoleSettings = Static<typeof ConsoleSettings>;
