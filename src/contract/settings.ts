import { type Static, Type } from 'typebox';
import { closed, oneOf } from './literals.ts';
import { PROMPT_EXPIRY_MS } from './times.ts';

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

/** The version and settings of the daemon, and how long it keeps data. */
export const DaemonFacts = Type.Object(
  {
    version: Type.String(),
    variables: Type.Array(
      Type.Object({ variable: Type.String(), value: Type.String(), meaning: Type.String() }, closed),
      { description: 'settings of the environment; they change with the next start only' },
    ),
    connectCommand: Type.Optional(
      Type.String({
        description:
          'the shell command that connects an MCP client, without the name of the client; absent where Handrail runs without its command line',
      }),
    ),
    retention: Type.Array(Type.Object({ contents: Type.String(), kept: Type.String() }, closed)),
  },
  closed,
);
export type DaemonFacts = Static<typeof DaemonFacts>;

/** Whether the journal is as it was written. `brokenAt` is the first sequence number that does not follow. */
export const AuditResult = Type.Object(
  {
    valid: Type.Boolean(),
    rows: Type.Integer(),
    brokenAt: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String()),
  },
  closed,
);
export type AuditResult = Static<typeof AuditResult>;

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
