import { type Static, Type } from 'typebox';
import { Action, Risk, RiskLevel } from './action.ts';
import { Bounds } from './device.ts';
import { FolderAccess } from './files.ts';
import { ConfirmationId, DeviceId, Sha256, TaskId, Timestamp, UserId } from './ids.ts';
import { closed, oneOf } from './literals.ts';
import { CallingProgram } from './program.ts';
import { ContentsView, ScriptView } from './scripts.ts';
import { ACCESS_MINUTES, MOST_NOTE } from './times.ts';

/** Requests and answers of the console, which only the person at the dashboard may use. */

export const ConfirmationStatus = oneOf(['pending', 'allowed', 'denied', 'expired']);
export type ConfirmationStatus = Static<typeof ConfirmationStatus>;

export const GrantScope = oneOf(['once', 'task', 'minutes15', 'untilQuit', 'always']);
export type GrantScope = Static<typeof GrantScope>;

/**
 * How a step is covered by the person's approval of its plan. `asked`: the approval allows the step. `later`: the step asks
 * when its arguments are known. `none`: the step needs no approval. `blocked`: the rules block the step. `denied`: the step
 * repeats a recent denial, and will be denied as well.
 */
export const PlanConsent = oneOf(['asked', 'later', 'none', 'blocked', 'denied']);
export type PlanConsent = Static<typeof PlanConsent>;

const Point = Type.Object({ x: Type.Number(), y: Type.Number() }, closed);

const WINDOW = 'the window that the arguments name, as it is now: title, app, process, size and place';

const CONTROL =
  'the controls that it acts on, as they are now, one a line: role, name, app, process, window, page and place, in the words of the app';

const CROP = Type.Object(
  {
    region: Bounds,
    outlines: Type.Array(Bounds),
    points: Type.Array(Point),
    whole: Type.Optional(
      Type.Object(Bounds.properties, {
        ...closed,
        description: 'the window around it, if the picture shows less: `?whole=true` has the picture of that',
      }),
    ),
  },
  {
    ...closed,
    description:
      'the part of the screen in the picture, with the places of the controls and the points that the action names, in units of the displays',
  },
);

const TARGET = oneOf(['window', 'region'], {
  description:
    'that it is about; `GET /api/console/confirmations/:id/picture` has a picture of it, for a step of a plan with `?step=`',
});

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
    control: Type.Optional(Type.String({ description: CONTROL })),
    target: Type.Optional(TARGET),
    crop: Type.Optional(CROP),
    script: Type.Optional(ScriptView),
    contents: Type.Optional(ContentsView),
    changes: Type.Optional(Type.String({ description: 'possible changes, and whether they can be undone' })),
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

const IS_STRANGER = Type.Literal(true, {
  description: 'the person has never allowed this requester anything, nor given it a key or a profile',
});

/** The facts of a prompt, in the order in which they are shown. */
export const Prompt = Type.Object(
  {
    requester: Type.Object(
      {
        userId: Type.String(),
        isStranger: Type.Optional(IS_STRANGER),
        via: oneOf(['http', 'task']),
        knownSince: Timestamp,
        hasKey: Type.Boolean({ description: 'whether calls under this id must show a key' }),
        before: Type.Optional(Type.String({ description: 'how much it did at most on its days before today' })),
        unusual: Type.Optional(
          Type.String({ description: 'its unusual actions of today, in words; absent where there are none' }),
        ),
        program: CallingProgram,
      },
      closed,
    ),
    device: Type.String({ description: 'the name of the device; of a plan the names of all its devices' }),
    sentence: Type.String({ description: 'verb and object' }),
    arguments: Type.String({ description: 'canonical JSON, complete, invisible characters as escapes' }),
    window: Type.Optional(Type.String({ description: WINDOW })),
    control: Type.Optional(Type.String({ description: CONTROL })),
    crop: Type.Optional(CROP),
    script: Type.Optional(ScriptView),
    contents: Type.Optional(ContentsView),
    target: Type.Optional(TARGET),
    folder: Type.Optional(
      Type.Object(
        { path: Type.String(), access: FolderAccess },
        {
          ...closed,
          description:
            'the folder that the request needs and that the person has not allowed; the answer may allow it, too',
        },
      ),
    ),
    access: Type.Optional(
      Type.Object(
        { apps: Type.Array(Type.String()), minutes: Type.Integer() },
        { ...closed, description: 'the access that is asked for; the answer may give less' },
      ),
    ),
    changes: Type.String({ description: 'possible changes, and whether they can be undone' }),
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

const QUESTION = Type.Optional(
  Type.Unsafe<string>(
    Type.With(Sha256, {
      description: 'of an action: equal in the prompts that ask exactly the same, which one answer may be for',
    }),
  ),
);

const confirmation = {
  id: ConfirmationId,
  nonce: Type.String(),
  /** The digest of the action or plan that the answer is for. */
  actionDigest: Sha256,
  question: QUESTION,
  status: ConfirmationStatus,
  createdAt: Timestamp,
  calledAt: Type.Optional(Timestamp),
  shownAt: Type.Optional(Timestamp),
  answerableAt: Type.Optional(Timestamp),
  expiresAt: Timestamp,
  presenceRequired: Type.Boolean(),
  presenceBy: Type.Optional(
    oneOf(['touchId'], {
      description: 'where only Touch ID, in the window of the Mac app, proves presence; otherwise a held press does',
    }),
  ),
  scopes: Type.Array(
    Type.Object({ scope: GrantScope, grant: Type.String({ description: 'the grant as a sentence' }) }, closed),
  ),
  prompt: Prompt,
};

/** The prompt for one action. */
export const ActionConfirmation = Type.Object(
  { kind: Type.Literal('action'), ...confirmation, action: Action },
  closed,
);
export type ActionConfirmation = Static<typeof ActionConfirmation>;

/** The prompt for the plan of a task. */
export const PlanConfirmation = Type.Object({ kind: Type.Literal('plan'), ...confirmation, plan: Plan }, closed);
export type PlanConfirmation = Static<typeof PlanConfirmation>;

export const Confirmation = Type.Union([ActionConfirmation, PlanConfirmation]);
export type Confirmation = Static<typeof Confirmation>;

/** A row of the queue for a prompt that is not first: enough to name the prompt, and not enough to answer it. */
export const QueuedConfirmation = Type.Object(
  {
    id: ConfirmationId,
    actionDigest: Sha256,
    question: QUESTION,
    status: ConfirmationStatus,
    createdAt: Timestamp,
    calledAt: Type.Optional(Timestamp),
    shownAt: Type.Optional(Timestamp),
    answerableAt: Type.Optional(Timestamp),
    expiresAt: Timestamp,
    prompt: Type.Object(
      {
        requester: Type.Object({ userId: Type.String(), isStranger: Type.Optional(IS_STRANGER) }, closed),
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

/** A requester may have so many prompts at once, the answered one among them. */
const MOST_EQUAL = 24;

export const Decision = Type.Object(
  {
    decision: oneOf(['allow', 'deny']),
    /** How long an approval lasts; `once` by default. */
    scope: Type.Optional(GrantScope),
    nonce: Type.String({ maxLength: 128 }),
    actionDigest: Type.String({ maxLength: 128 }),
    presence: Type.Optional(oneOf(['hold', 'touchId'])),
    access: Type.Optional(
      Type.Object(
        {
          minutes: Type.Integer({ minimum: ACCESS_MINUTES.least, maximum: ACCESS_MINUTES.most }),
          apps: Type.Array(Type.String({ maxLength: 2_000 }), { minItems: 1, maxItems: 10, uniqueItems: true }),
        },
        { ...closed, description: 'of the access that is asked for, the part that is given; all of it by default' },
      ),
    ),
    equal: Type.Optional(
      Type.Array(ConfirmationId, {
        maxItems: MOST_EQUAL,
        uniqueItems: true,
        description: 'other prompts with the same `question`, which this answers as well',
      }),
    ),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: MOST_NOTE, description: 'of a denial: one line to the requester' }),
    ),
    undoable: Type.Optional(
      Type.Boolean({
        description: 'of a denial: it can be undone for 10 s, and is final after that',
      }),
    ),
  },
  closed,
);
export type Decision = Static<typeof Decision>;

/** The page reports this once a prompt is fully on screen. Every member may be left out. */
export const PromptSeen = Type.Object(
  {
    openedToEnd: Type.Optional(
      Type.Boolean({ description: 'whether all of it was on screen, scrolled to its end; for a plan every step' }),
    ),
    onScreenMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'how long it was on screen, with the person at the page, until this report',
      }),
    ),
  },
  closed,
);
export type PromptSeen = Static<typeof PromptSeen>;

export const Hold = Type.Object({ phase: oneOf(['press', 'release']) }, closed);

/** A grant. It covers exactly the values of its key; the person was shown the literal. */
export const Grant = Type.Object(
  {
    id: Type.String(),
    userId: UserId,
    actionType: Type.String(),
    deviceId: DeviceId,
    constraint: Type.String({
      description: 'the arguments it is good for, or the interpreter and folder of scripts, as canonical JSON',
    }),
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
