import { type Static, Type } from 'typebox';
import { Timestamp, UserId } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import { ProfileName } from './profile.ts';

/** Who has asked for something, as the person sees it. */
export const Requester = Type.Object(
  {
    userId: UserId,
    knownSince: Timestamp,
    profile: ProfileName,
    hasKey: Type.Boolean(),
    pausedBecause: Type.Union([Type.String(), Type.Null()]),
    waiting: Type.Integer({ description: 'prompts that wait for an answer' }),
  },
  closed,
);
export type Requester = Static<typeof Requester>;

/** An action or a task that has not ended. */
export const UnderWay = Type.Object(
  {
    kind: oneOf(['action', 'task']),
    id: Type.String(),
    userId: UserId,
    title: Type.String({ description: 'the name of the task, or verb and object of the action' }),
    status: Type.String({ description: 'its status, such as running' }),
    createdAt: Timestamp,
  },
  closed,
);
export type UnderWay = Static<typeof UnderWay>;

/** The changes of a session whose sign-in code was entered twice, until the person takes them back or keeps them. */
export const StolenSession = Type.Object(
  { since: Timestamp, changes: Type.Array(Type.String(), { description: 'a sentence for each' }) },
  closed,
);
export type StolenSession = Static<typeof StolenSession>;

/** `take_back`: all of its changes; where the state of before is not known, the strictest one stands in for it. */
export const StolenSessionAnswer = Type.Object({ answer: oneOf(['take_back', 'keep']) }, closed);
export type StolenSessionAnswer = Static<typeof StolenSessionAnswer>;

/** How the rail stands as a whole. */
export const ConsoleStatus = Type.Object(
  {
    paused: Type.Boolean(),
    pausedAt: Type.Optional(Timestamp),
    locked: Type.Boolean({
      description: 'whether the screen is locked or the computer suspended, as far as the daemon is told',
    }),
    agent: Type.String({ description: 'online, starting or offline' }),
    home: Type.Optional(Type.String({ description: 'the home folder of the person, which the page writes as `~`' })),
    waiting: Type.Integer(),
    running: Type.Integer(),
    troubles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'faults of the database, in sentences for the person: it was moved, is damaged, or was built anew; absent where there is none',
      }),
    ),
    stolenSession: Type.Optional(StolenSession),
    endedAccess: Type.Optional(
      Type.Array(Type.String(), {
        description: 'the access that ended within ten minutes because the dashboard was opened in that app',
      }),
    ),
    hasUntoldApps: Type.Optional(
      Type.Boolean({
        description:
          'a look within ten minutes found apps that describe nothing, because accessibility is switched off on the desktop',
      }),
    ),
    underWay: Type.Array(UnderWay, {
      description:
        'the latest 20 unfinished tasks, and actions of no task that run or wait for their turn, newest first; tasks that need an answer are kept before others',
    }),
    requesters: Type.Array(Requester),
    /** Where the event stream stood when this was read. */
    lastEventId: Type.String(),
  },
  closed,
);
export type ConsoleStatus = Static<typeof ConsoleStatus>;
