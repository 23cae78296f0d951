import { type Static, Type } from 'typebox';
import { closed, oneOf } from './literals.ts';

const Kept = Type.Object(
  {
    usedBytes: Type.Integer(),
    limitBytes: Type.Integer({ description: 'of all users together; beyond it the oldest are forgotten' }),
    limitBytesPerUser: Type.Integer(),
  },
  closed,
);

const KeptFormerVersions = Type.Object(
  {
    usedBytes: Type.Integer({ description: 'at the last look, which follows each action on files' }),
    limitBytes: Type.Integer({ description: 'of all users together; beyond it the oldest are removed' }),
    files: Type.Integer(),
    limitFiles: Type.Integer(),
  },
  closed,
);

export const Health = Type.Object(
  {
    status: oneOf(['ok', 'degraded']),
    service: Type.Literal('handrail'),
    version: Type.String(),
    uptimeMs: Type.Integer(),
    instanceId: Type.String({ description: 'new at every start: tells this daemon from another on the port' }),
    acceptsOtherDaemons: Type.Optional(
      Type.Boolean({ description: 'the person lets a Handrail of another machine act here too, over `ssh`' }),
    ),
    checks: Type.Object(
      {
        overall: oneOf(['ok', 'degraded'], {
          description:
            'degraded while the store is not ok, the agent is offline or cannot be started, or no desktop is there; `status` speaks of the store only',
        }),
        store: oneOf(['ok', 'renewed', 'failing', 'corrupt', 'moved'], {
          description:
            'renewed after it was built anew from a damaged one, or was found to be an older one, until the person resumes; failing while it takes no changes; corrupt when a part of it cannot be read, which the next start mends as far as it can; moved when its files are not where they were, and nothing is done until the next start',
        }),
        agent: oneOf(['online', 'starting', 'offline']),
        desktop: oneOf(['ok', 'unavailable'], {
          description: 'unavailable where this machine shows no desktop and a private one could not be started',
        }),
        desktopReason: Type.Optional(Type.String({ description: 'why there is no desktop' })),
        processes: oneOf(['ok', 'short'], {
          description:
            'short while the system has no process, open file or memory left to start the agent; it is tried again every two seconds',
        }),
        scripts: oneOf(['available', 'unavailable'], {
          description:
            'unavailable while the sandbox for RunScript is missing or does not work; the log names the reason, and the command that installs it',
        }),
        scriptsReason: Type.Optional(
          Type.String({ description: 'why scripts do not work, where the agent tried them and found out' }),
        ),
      },
      closed,
    ),
    storage: Type.Object(
      { results: Kept, artifacts: Kept, formerVersions: KeptFormerVersions },
      {
        ...closed,
        description:
          'results and answers in the database, artifacts and former versions of overwritten files as files; records and the journal are not counted',
      },
    ),
  },
  closed,
);
export type Health = Static<typeof Health>;
