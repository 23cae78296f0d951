import { type Static, Type } from 'typebox';
import { Verdict } from './action.ts';
import { Timestamp, UserId } from './ids.ts';
import { closed, described } from './literals.ts';
import { Hour, Profile, ProfileName } from './profile.ts';

/** An action, and the verdict that the person expects. */
export const PolicyExample = Type.Object(
  {
    profile: Type.Optional(described(ProfileName, 'every profile of the file, without this')),
    actionType: Type.String({ maxLength: 64 }),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    target: Type.Optional(
      Type.Object(
        {
          app: Type.String({ minLength: 1, maxLength: 200 }),
          role: Type.Optional(Type.String({ maxLength: 64 })),
          name: Type.Optional(Type.String({ maxLength: 500 })),
        },
        { ...closed, description: 'the app that it acts in, and the control there' },
      ),
    ),
    at: Type.Optional(described(Hour, 'local time, HH:MM; 12:00 without this')),
    isStep: Type.Optional(Type.Boolean({ description: 'it is a step of a task' })),
    verdict: Verdict,
  },
  closed,
);
export type PolicyExample = Static<typeof PolicyExample>;

/** Profiles as a file that a person writes, with examples to test them by. */
export const PolicyFile = Type.Object(
  {
    profiles: Type.Array(Profile, { minItems: 1, maxItems: 50 }),
    examples: Type.Optional(Type.Array(PolicyExample, { maxItems: 1_000 })),
  },
  closed,
);
export type PolicyFile = Static<typeof PolicyFile>;

export const MOST_POLICY_DAYS = 30;

/** One profile is compared for everybody. Of several, each requester gets the one that has the name of theirs. */
export const PolicyQuestion = Type.Object(
  {
    profiles: PolicyFile.properties.profiles,
    days: Type.Integer({ minimum: 1, maximum: MOST_POLICY_DAYS }),
  },
  closed,
);
export type PolicyQuestion = Static<typeof PolicyQuestion>;

const Count = Type.Integer();

/** Actions of one requester and type that get another verdict by the same rule. `sentence` and `at` are of the latest one. */
const PolicyChangeExample = Type.Object(
  {
    count: Count,
    userId: UserId,
    actionType: Type.String(),
    from: Verdict,
    rule: Type.String(),
    sentence: Type.Optional(Type.String({ description: 'absent where it is no longer kept' })),
    at: Timestamp,
  },
  closed,
);

const PolicyChange = Type.Object(
  {
    count: Count,
    examples: Type.Array(PolicyChangeExample, { description: 'at most three, the most frequent first' }),
  },
  closed,
);

/** The past days under other profiles. `now` and `would` count verdicts, without grants and without the answers of the person. */
export const PolicyDiff = Type.Object(
  {
    days: Count,
    judged: Count,
    withoutContents: described(
      Count,
      'judged by type, risk and time alone, because parameters and targets are no longer kept',
    ),
    now: Type.Object({ allow: Count, ask: Count, block: Count }, closed),
    would: Type.Object({ allow: Count, ask: Count, block: Count }, closed),
    newlyAllowed: PolicyChange,
    newlyAsked: PolicyChange,
    newlyBlocked: PolicyChange,
  },
  closed,
);
export type PolicyDiff = Static<typeof PolicyDiff>;
