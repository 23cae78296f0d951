import { type Static, Type } from 'typebox';
import { Action, EffectClass, PROFILE_NAME, Risk, RiskLevel, Verdict } from './action.ts';
import { ConfirmationId, DeviceId, SessionId, Sha256, TaskId, Timestamp, UserId } from './ids.ts';
import { closed, oneOf } from './literals.ts';

/** What only the person at the dashboard may do. */

export const SessionRequest = Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }, closed);
/** A fresh one-use code, for another window of the same person. */
export const SignInCode = Type.Object({ code: Type.String() }, closed);

export const Session = Type.Object({ key: Type.String(), expiresAt: Timestamp }, closed);
export type Session = Static<typeof Session>;

/** Why a session is over. A call with its key is told this as `reason`. */
export const SessionEnd = oneOf(['code_reused', 'ended_by_person', 'signed_out', 'idle', 'too_many']);
export type SessionEnd = Static<typeof SessionEnd>;

/** A live session, as the person sees it. The id opens nothing. */
export const ConsoleSession = Type.Object(
  {
    id: SessionId,
    openedAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    isCurrent: Type.Boolean({ description: 'whether it is the session that asks' }),
    program: Type.Optional(Type.String({ description: 'that opened it, where the daemon can find out' })),
  },
  closed,
);
export type ConsoleSession = Static<typeof ConsoleSession>;

export const ConfirmationStatus = oneOf(['pending', 'allowed', 'denied', 'expired']);
export type ConfirmationStatus = Static<typeof ConfirmationStatus>;

export const GrantScope = oneOf(['once', 'task', 'minutes15', 'untilQuit', 'always']);
export type GrantScope = Static<typeof GrantScope>;

/**
 * What the person's yes to a plan means for a step. `asked`: it lets the step through. `later`: the step asks when its arguments
 * are known. `none`: it needs no yes. `blocked`: the rules do not let it run. `denied`: it repeats what was denied a moment ago,
 * and will be denied as well.
 */
export const PlanConsent = oneOf(['asked', 'later', 'none', 'blocked', 'denied']);
export type PlanConsent = Static<typeof PlanConsent>;

const WINDOW = 'the window that the arguments name, as it is now: title, app, process, size and place';

export const PlanStep = Type.Object(
  {
    id: Type.String(),
    consent: PlanConsent,
    actionType: Type.String(),
    targetDeviceId: DeviceId,
    device: Type.String({ description: 'its name' }),
    dependsOn: Type.Array(Type.String()),
    sentence: Type.String({ description: 'verb and object' }),
    arguments: Type.String({
      description:
        'canonical JSON, complete, invisible characters as escapes; with `$from` where they are not known yet',
    }),
    window: Type.Optional(Type.String({ description: WINDOW })),
    changes: Type.Optional(Type.String({ description: 'what it can change, and whether that can be undone' })),
    risk: Risk,
    history: Type.Optional(Type.String({ description: '"First time" or how often it was allowed before' })),
    maxAttempts: Type.Integer({ description: 'how often it may be tried on this one answer' }),
  },
  closed,
);
export type PlanStep = Static<typeof PlanStep>;

/** Every step of a task, in its order. One answer is for all that say `asked`, and for nothing else. */
export const Plan = Type.Object({ taskId: TaskId, steps: Type.Array(PlanStep) }, closed);
export type Plan = Static<typeof Plan>;

/** The facts of a prompt, in the order in which they are shown. */
export const Prompt = Type.Object(
  {
    requester: Type.Object({ userId: Type.String(), via: oneOf(['http', 'task']), knownSince: Timestamp }, closed),
    sentence: Type.String({ description: 'verb and object' }),
    arguments: Type.String({ description: 'canonical JSON, complete, invisible characters as escapes' }),
    window: Type.Optional(Type.String({ description: WINDOW })),
    changes: Type.String({ description: 'what it can change, and whether that can be undone' }),
    risk: Risk,
    task: Type.Optional(
      Type.Object(
        { name: Type.String(), step: Type.Integer(), of: Type.Integer(), alsoAsks: Type.Array(Type.String()) },
        closed,
      ),
    ),
    history: Type.String({ description: '"First time" or how often it was allowed before' }),
    reason: Type.Optional(Type.String({ description: "the caller's claim" })),
    place: Type.Integer({ description: 'in the queue; 1 is next' }),
    waiting: Type.Integer({ description: 'prompts in the queue' }),
  },
  closed,
);
export type Prompt = Static<typeof Prompt>;

export const Confirmation = Type.Object(
  {
    id: ConfirmationId,
    nonce: Type.String(),
    /** Of the action, or of the plan: what the answer is for. */
    actionDigest: Sha256,
    status: ConfirmationStatus,
    createdAt: Timestamp,
    calledAt: Type.Optional(Timestamp),
    shownAt: Type.Optional(Timestamp),
    answerableAt: Type.Optional(Timestamp),
    expiresAt: Timestamp,
    presenceRequired: Type.Boolean(),
    scopes: Type.Array(
      Type.Object(
        { scope: GrantScope, grant: Type.String({ description: 'what would be allowed, as a sentence' }) },
        closed,
      ),
    ),
    action: Type.Optional(
      Type.Object(Action.properties, { ...closed, description: 'what is asked for, unless it is a plan' }),
    ),
    plan: Type.Optional(
      Type.Object(Plan.properties, {
        ...closed,
        description: 'what is asked for, where it is the plan of a task; then there is no action',
      }),
    ),
    prompt: Prompt,
  },
  closed,
);
export type Confirmation = Static<typeof Confirmation>;

/** What a row of the queue says of a prompt that is not first: enough to name it, and not enough to answer it. */
export const QueuedConfirmation = Type.Object(
  {
    id: ConfirmationId,
    actionDigest: Sha256,
    status: ConfirmationStatus,
    createdAt: Timestamp,
    calledAt: Type.Optional(Timestamp),
    shownAt: Type.Optional(Timestamp),
    answerableAt: Type.Optional(Timestamp),
    expiresAt: Timestamp,
    prompt: Type.Object(
      {
        requester: Type.Object({ userId: Type.String() }, closed),
        sentence: Type.String({ description: 'verb and object' }),
        risk: Type.Object({ level: RiskLevel }, closed),
        place: Type.Integer({ description: 'in the queue; 1 is next' }),
        waiting: Type.Integer({ description: 'prompts in the queue' }),
      },
      closed,
    ),
  },
  { ...closed, description: 'a prompt behind the first one; `GET /api/console/confirmations/:id` has the whole of it' },
);
export type QueuedConfirmation = Static<typeof QueuedConfirmation>;

/** Everything that waits, in the order in which the person meets it. A plan may be large, so only the first one is whole. */
export type ConfirmationQueue = [] | [Confirmation, ...QueuedConfirmation[]];

export const ConfirmationList = Type.Object(
  {
    items: Type.Array(Type.Union([Confirmation, QueuedConfirmation]), {
      description: 'the first one whole, and a row for each of the others',
    }),
    nextCursor: Type.Null(),
  },
  closed,
);

export const Decision = Type.Object(
  {
    decision: oneOf(['allow', 'deny']),
    /** How long a yes lasts: once, where it does not say. */
    scope: Type.Optional(GrantScope),
    nonce: Type.String({ maxLength: 128 }),
    actionDigest: Type.String({ maxLength: 128 }),
    presence: Type.Optional(oneOf(['hold', 'touchId'])),
  },
  closed,
);
export type Decision = Static<typeof Decision>;

export const Hold = Type.Object({ phase: oneOf(['press', 'release']) }, closed);

/** A standing answer. It lets through exactly what its key names; the literal is what the person was shown. */
export const Grant = Type.Object(
  {
    id: Type.String(),
    userId: UserId,
    actionType: Type.String(),
    deviceId: DeviceId,
    constraint: Type.String({ description: 'the arguments it is good for, as canonical JSON' }),
    literal: Type.String({ description: 'the whole grant as a sentence' }),
    scope: GrantScope,
    useCount: Type.Integer(),
    createdAt: Timestamp,
    lastUsedAt: Type.Optional(Timestamp),
    expiresAt: Timestamp,
  },
  closed,
);
export type Grant = Static<typeof Grant>;

const Hour = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'local time, HH:MM' });

/** A rule decides when everything it names applies. */
export const ProfileRule = Type.Object(
  {
    verdict: Verdict,
    levels: Type.Optional(Type.Array(RiskLevel, { minItems: 1, maxItems: 4 })),
    effectClasses: Type.Optional(Type.Array(EffectClass, { minItems: 1, maxItems: 3 })),
    actionTypes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 50 })),
    apps: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 })),
    paths: Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 1, maxItems: 100 })),
    hours: Type.Optional(Type.Object({ from: Hour, to: Hour }, closed)),
    morePerMinuteThan: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    morePerHourThan: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  closed,
);
export type ProfileRule = Static<typeof ProfileRule>;

export const ProfileName = Type.String({ pattern: PROFILE_NAME });

/** What is allowed, asked about or blocked: a verdict for each level of risk, and rules that come before it. */
export const Profile = Type.Object(
  {
    name: ProfileName,
    byLevel: Type.Object({ low: Verdict, medium: Verdict, high: Verdict, critical: Verdict }, closed),
    rules: Type.Array(ProfileRule, { maxItems: 100 }),
  },
  closed,
);
export type Profile = Static<typeof Profile>;

export const ProfileList = Type.Object(
  {
    items: Type.Array(Type.Object({ ...Profile.properties, builtIn: Type.Boolean() }, closed)),
    assignments: Type.Array(
      Type.Object({ userId: Type.String({ description: '`*` for everybody else' }), profile: ProfileName }, closed),
    ),
  },
  closed,
);
export type ProfileList = Static<typeof ProfileList>;

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

/** What the person can set. */
export const ConsoleSettings = Type.Object(
  {
    promptExpiryMs: Type.Integer({
      minimum: 30_000,
      maximum: 600_000,
      description: 'how long a prompt waits; 90 s by default',
    }),
  },
  closed,
);
export type ConsoleSettings = Static<typeof ConsoleSettings>;

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

/** How the rail stands as a whole. */
export const ConsoleStatus = Type.Object(
  {
    paused: Type.Boolean(),
    pausedAt: Type.Optional(Timestamp),
    agent: Type.String({ description: 'online, starting or offline' }),
    waiting: Type.Integer(),
    running: Type.Integer(),
    requesters: Type.Array(Requester),
    /** Where the event stream stood when this was read. */
    lastEventId: Type.String(),
  },
  closed,
);
export type ConsoleStatus = Static<typeof ConsoleStatus>;
