import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';

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
