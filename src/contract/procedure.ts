import { type Static, Type } from 'typebox';
import { Evidence } from './action.ts';
import { ControlName } from './control-name.ts';
import { Bounds } from './device.ts';
import { DeviceId, Timestamp, UserId } from './ids.ts';
import { closed } from './literals.ts';
import { RiskLevel } from './risk-level.ts';
import { STEP_ID, TaskStatus } from './task.ts';

/** Procedures: named lists of actions with bounded parameters, made from what was done before. */

export const MOST_PROCEDURE_STEPS = 50;
export const MOST_PARAMETERS = 20;
export const MAX_PATTERN = 200;
/** The longest value of a parameter, in characters. */
export const MAX_ARGUMENT = 2_000;
const NAME = '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,59}$';
const PARAMETER_NAME = '^[a-z][A-Za-z0-9_]{0,31}$';

/** The values that a parameter may have. */
export const Bound = Type.Union([
  Type.Object(
    {
      type: Type.Literal('choice'),
      values: Type.Array(Type.String({ maxLength: MAX_ARGUMENT }), { minItems: 1, maxItems: 50, uniqueItems: true }),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('number'),
      minimum: Type.Number(),
      maximum: Type.Number(),
      isWhole: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('text'),
      maxLength: Type.Integer({ minimum: 1, maximum: MAX_ARGUMENT }),
      pattern: Type.Optional(
        Type.String({ minLength: 1, maxLength: MAX_PATTERN, description: 'RE2, of the whole text' }),
      ),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('path'),
      under: Type.String({ minLength: 1, maxLength: 1_000, description: 'a folder; it may begin with ~/' }),
    },
    closed,
  ),
]);
export type Bound = Static<typeof Bound>;

/** What must be true after a step. */
export const Expectation = Type.Object(
  {
    window: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'a part of the title of a window' }),
    ),
    element: Type.Optional(
      Type.Object(
        {
          role: Type.Optional(Type.String({ maxLength: 64 })),
          name: Type.String({ minLength: 1, maxLength: 200 }),
        },
        closed,
      ),
    ),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'a part of a text on the screen' })),
    file: Type.Optional(
      Type.Union(
        [Type.String({ minLength: 1, maxLength: 1_000 }), Type.Object({ $parameter: Type.String() }, closed)],
        {
          description: 'the path of a file or folder that is there',
        },
      ),
    ),
    exitCode: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: 'of the script that the step runs' }),
    ),
    withinMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000, description: '5 s' })),
  },
  closed,
);
export type Expectation = Static<typeof Expectation>;

export const ProcedureStep = Type.Object(
  {
    id: Type.String({ pattern: STEP_ID }),
    actionType: Type.String({ minLength: 1, maxLength: 64 }),
    target: Type.Optional(ControlName),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'a value may be `{ "$parameter": "<name>" }`',
    }),
    expect: Type.Optional(Expectation),
  },
  closed,
);
export type ProcedureStep = Static<typeof ProcedureStep>;

const procedure = {
  name: Type.String({ pattern: NAME }),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  parameters: Type.Record(Type.String({ pattern: PARAMETER_NAME }), Bound, { maxProperties: MOST_PARAMETERS }),
  steps: Type.Array(ProcedureStep, { minItems: 1, maxItems: MOST_PROCEDURE_STEPS }),
  may: Type.Object(
    {
      critical: Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: MOST_PROCEDURE_STEPS,
        description:
          'the steps that may be of high risk, reach a sensitive app, overwrite a file or run a script without a further question',
      }),
      minutes: Type.Integer({ minimum: 1, maximum: 60, description: 'how long a run may take' }),
    },
    closed,
  ),
};

/** A procedure as it is exported and imported. Its steps run one after the other. */
export const ProcedureSubmission = Type.Object(procedure, closed);
export type ProcedureSubmission = Static<typeof ProcedureSubmission>;

export const ProcedureFault = Type.Object({ pointer: Type.String(), message: Type.String() }, closed);

export const Procedure = Type.Object(
  {
    ...procedure,
    userId: UserId,
    version: Type.Integer({ description: 'counts the changes' }),
    digest: Type.String({ description: 'SHA-256 over all that has an effect, in canonical JSON (RFC 8785)' }),
    changedAt: Timestamp,
  },
  closed,
);
export type Procedure = Static<typeof Procedure>;

/** Made from what was done. `faults`: what has to be mended before it can be kept. */
export const ProcedureDraft = Type.Object({ draft: ProcedureSubmission, faults: Type.Array(ProcedureFault) }, closed);
export type ProcedureDraft = Static<typeof ProcedureDraft>;

export const ProcedureSource = Type.Object(
  {
    name: Type.String({ pattern: NAME }),
    actionIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 200, description: 'actions of the caller' }),
    ),
    comparedWithIds: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 200, description: 'the same work again' }),
    ),
    taskId: Type.Optional(Type.String({ maxLength: 64 })),
    runOf: Type.Optional(Type.String({ maxLength: 64, description: 'an action; all of its run' })),
    comparedWith: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'a second task, or an action of a second run or of a later part of the same: what differs becomes a parameter',
      }),
    ),
  },
  closed,
);
export type ProcedureSource = Static<typeof ProcedureSource>;

/** How often the person allowed the steps of a run within a week; none where a procedure does them already. */
export const ProcedureHint = Type.Object({ steps: Type.Integer(), times: Type.Integer() }, closed);
export type ProcedureHint = Static<typeof ProcedureHint>;

const Look = Type.Object(
  {
    controls: Type.Array(
      Type.Object(
        {
          target: ControlName,
          words: Type.String(),
          bounds: Type.Optional({ ...Bounds, description: 'where it is seen in the picture' }),
        },
        closed,
      ),
    ),
    picture: Type.Optional(Type.Object({ mediaType: Type.String(), base64: Type.String(), region: Bounds }, closed)),
  },
  { ...closed, description: 'what is there now, where it was looked at' },
);

/** The step at which a run of a procedure stopped, with its pictures. */
export const ProcedureMend = Type.Object(
  {
    procedure: Procedure,
    stepId: Type.String(),
    isExpectation: Type.Boolean({ description: 'what had to be true after the step was not' }),
    wanted: Type.String({ description: 'what it looked for, in words' }),
    problem: Type.String({ description: 'why it stopped' }),
    advice: Type.Optional(Type.String({ description: 'what to do where no control can mend it' })),
    worked: Type.Optional({ ...Evidence, description: 'the latest picture of an earlier step on the same control' }),
    missed: Type.Optional({ ...Evidence, description: 'the picture of the miss' }),
    look: Type.Optional(Look),
  },
  closed,
);
export type ProcedureMend = Static<typeof ProcedureMend>;

/** The person's approval of a procedure as it is now. */
export const ProcedureApproval = Type.Object(
  {
    userId: UserId,
    digest: Type.String({ maxLength: 100, description: 'of the procedure that the person has read' }),
    targetDeviceId: DeviceId,
    days: Type.Integer({ minimum: 1, maximum: 90 }),
    runs: Type.Integer({ minimum: 1, maximum: 10_000 }),
  },
  closed,
);
export type ProcedureApproval = Static<typeof ProcedureApproval>;

/** A step in words, judged by its names alone. */
export const StepInWords = Type.Object(
  {
    id: Type.String(),
    sentence: Type.String(),
    risk: RiskLevel,
    asks: Type.Boolean({ description: 'it asks in every run, unless `may.critical` names it' }),
  },
  closed,
);
export type StepInWords = Static<typeof StepInWords>;

/** A procedure as the person sees it. */
export const PersonsProcedure = Type.Object(
  {
    procedure: Procedure,
    steps: Type.Array(StepInWords, { description: 'in words, its expectations among them' }),
    approvals: Type.Array(
      Type.Object(
        { grantId: Type.String(), targetDeviceId: DeviceId, runsLeft: Type.Integer(), until: Timestamp },
        closed,
      ),
    ),
    runs: Type.Object(
      { all: Type.Integer(), succeeded: Type.Integer(), latest: Type.Optional(TaskStatus) },
      { ...closed, description: 'of this and earlier versions, as far as they are kept' },
    ),
  },
  closed,
);
export type PersonsProcedure = Static<typeof PersonsProcedure>;

export const IntentSubmission = Type.Object(
  {
    procedure: Type.String({ maxLength: 100 }),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    targetDeviceId: Type.Optional({ ...DeviceId, description: 'without it, the device that its approval names' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'find every name now, explain what would happen, do nothing' })),
  },
  closed,
);
export type IntentSubmission = Static<typeof IntentSubmission>;

/** A procedure that the caller may run without a question. */
export const Intent = Type.Object(
  {
    procedure: Type.String(),
    description: Type.Optional(Type.String()),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'their JSON Schema' }),
    targetDeviceId: DeviceId,
    runsLeft: Type.Integer(),
    until: Timestamp,
  },
  closed,
);
export type Intent = Static<typeof Intent>;
