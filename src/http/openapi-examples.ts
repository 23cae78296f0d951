import { EXAMPLE_DEVICE_ID } from '../contract/examples.ts';

/**
 * Examples of the API description that are not in the contract: the person's bodies, the parts of paths, and the records that
 * callers meet first. A test checks each of them against its schema.
 */

const ULID = EXAMPLE_DEVICE_ID.slice('dev_'.length);
const ACTION_ID = `act_${ULID}`;
const TASK_ID = `tsk_${ULID}`;
const ARTIFACT_ID = `art_${ULID}`;
const ACTION_DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const NOON = '2026-06-01T12:00:00.000Z';

const PROCEDURE = {
  name: 'Weekly report',
  parameters: { week: { type: 'text', maxLength: 8, pattern: '\\d{4}-W\\d{2}' } },
  steps: [
    { id: 'open', actionType: 'OpenApp', parameters: { appName: 'Numbers' }, expect: { window: 'Numbers' } },
    {
      id: 'week',
      actionType: 'SetValue',
      target: { app: 'Numbers', role: 'textbox', name: 'Week' },
      parameters: { value: { $parameter: 'week' } },
    },
  ],
  may: { critical: [], minutes: 5 },
};
const INTENT = {
  procedure: 'Weekly report',
  parameters: { week: '2026-W48' },
  targetDeviceId: EXAMPLE_DEVICE_ID,
};

/** By operation id. */
const BODIES: Readonly<Record<string, unknown>> = {
  openSession: { code: 'K7QM-3XRT' },
  answerStolenSession: { answer: 'take_back' },
  reportConfirmationShown: { openedToEnd: true, onScreenMs: 4_200 },
  reportHold: { phase: 'press' },
  decideConfirmation: {
    decision: 'allow',
    scope: 'once',
    nonce: 'q0mV9sX2cJ4aZ1uT',
    actionDigest: ACTION_DIGEST,
  },
  putSettings: { promptExpiryMs: 90_000 },
  resolveStep: { resolution: 'did_not_happen' },
  markKnownCause: { until: NOON },
  putProfile: {
    name: 'office',
    byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' },
    rules: [{ verdict: 'block', actionTypes: ['RunScript'], hours: { from: '20:00', to: '07:00' } }],
  },
  assignProfile: { profile: 'office' },
  putProcedure: PROCEDURE,
  putProcedureOfAnyone: PROCEDURE,
  draftProcedure: { name: 'Weekly report', taskId: TASK_ID },
  draftProcedureOfAnyone: { name: 'Weekly report', taskId: TASK_ID },
  approveProcedure: {
    userId: 'ann',
    digest: `sha256:${ACTION_DIGEST}`,
    targetDeviceId: EXAMPLE_DEVICE_ID,
    days: 30,
    runs: 50,
  },
  submitIntent: INTENT,
  submitIntentOfAnyone: INTENT,
  allowFolder: { userId: 'ann', path: '/home/ann/Reports', access: 'write' },
  removeFolder: { userId: 'ann', path: '/home/ann/Reports' },
};

/** An example of `{id}` for each word that stands before it in a path. */
const IDS: Readonly<Record<string, string>> = {
  actions: ACTION_ID,
  activity: ACTION_ID,
  artifacts: ARTIFACT_ID,
  confirmations: `cnf_${ULID}`,
  devices: EXAMPLE_DEVICE_ID,
  grants: `grt_${ULID}`,
  insights: `ins_${ULID}`,
  procedures: 'Weekly report',
  profiles: 'office',
  runs: ACTION_ID,
  sessions: `ses_${ULID}`,
  tasks: TASK_ID,
  users: 'ann',
};

/** The other parts of paths, by name. */
const PARTS: Readonly<Record<string, string>> = {
  cause: 'action_burst_peak',
  name: 'Weekly report',
  stepId: 'open',
  type: 'action_success_rate',
};

const ACTION = {
  actionId: ACTION_ID,
  actionType: 'OpenApp',
  targetDeviceId: EXAMPLE_DEVICE_ID,
  userId: 'ann',
  status: 'success',
  details: 'TextEdit is open and in front.',
  risk: { level: 'low', reasons: ['Opening an app changes nothing that closing it would not undo.'] },
  effect: 'confirmed',
  data: { appName: 'TextEdit', pid: 4_711, alreadyRunning: false, frontmost: true },
  createdAt: NOON,
  startedAt: '2026-06-01T12:00:00.020Z',
  finishedAt: '2026-06-01T12:00:00.720Z',
  durationMs: 700,
};

const STEP = { actionType: 'OpenApp', targetDeviceId: EXAMPLE_DEVICE_ID, risk: ACTION.risk };

const TASK = {
  taskId: TASK_ID,
  name: 'Open the editor and take a picture',
  userId: 'ann',
  status: 'failed',
  steps: [
    { ...STEP, id: 'open', dependsOn: [], status: 'success', actionId: ACTION_ID, attempts: 1 },
    {
      ...STEP,
      id: 'shot',
      actionType: 'TakeScreenshot',
      dependsOn: ['open'],
      status: 'denied',
      attempts: 0,
      risk: { level: 'medium', reasons: ['A picture shows everything that is on the screen.'] },
      details: 'The person denied it; nothing was done.',
    },
  ],
  progress: { done: 2, total: 2, byStatus: { success: 1, denied: 1 } },
  createdAt: NOON,
};

/** By the names of the records in the description. */
export const RECORD_EXAMPLES: Readonly<Record<string, unknown>> = {
  Device: {
    id: EXAMPLE_DEVICE_ID,
    deviceId: EXAMPLE_DEVICE_ID,
    type: 'macos',
    name: 'My Mac',
    capabilities: {
      canOpenApps: true,
      canAccessFiles: true,
      canCaptureScreen: true,
      canRunScripts: true,
      canControlInput: true,
    },
    ownerId: 'ann',
    status: 'offline',
    agent: null,
    warnings: [],
    createdAt: NOON,
    lastSeenAt: NOON,
  },
  Action: ACTION,
  Task: TASK,
  Problem: {
    type: 'urn:handrail:problem:action_not_found',
    title: 'Action not found',
    status: 404,
    detail: `There is no action ${ACTION_ID} of this user.`,
    instance: 'urn:uuid:4b0c1f3e-6a3f-4a53-9a6e-2f6a1d0d8c11',
    code: 'action_not_found',
  },
  Health: {
    status: 'ok',
    service: 'handrail',
    version: '0.1.0',
    uptimeMs: 60_000,
    instanceId: '4b0c1f3e-6a3f-4a53-9a6e-2f6a1d0d8c11',
    checks: { overall: 'ok', store: 'ok', agent: 'online', desktop: 'ok', processes: 'ok', scripts: 'available' },
    storage: {
      results: { usedBytes: 65_536, limitBytes: 268_435_456, limitBytesPerUser: 67_108_864 },
      artifacts: { usedBytes: 0, limitBytes: 524_288_000, limitBytesPerUser: 262_144_000 },
      formerVersions: { usedBytes: 4_096, limitBytes: 1_073_741_824, files: 1, limitFiles: 1_000 },
    },
  },
};

/** The operation with examples of its body and of the parts of its path. One that has an example keeps it. */
export function withExamples(path: string, operation: object): object {
  const { operationId, parameters, requestBody } = Object(operation);
  const body = BODIES[operationId];
  const content = requestBody?.content?.['application/json'];
  return {
    ...operation,
    ...(Array.isArray(parameters) && { parameters: parameters.map((each) => withExample(path, each)) }),
    ...(body !== undefined &&
      content !== undefined && {
        requestBody: { ...requestBody, content: { 'application/json': { ...content, example: body } } },
      }),
  };
}

function withExample(path: string, parameter: unknown): unknown {
  const { in: place, name } = Object(parameter);
  if (place !== 'path') return parameter;
  const [, noun = ''] = /([^/]+)\/\{id\}/.exec(path) ?? [];
  return { ...Object(parameter), example: name === 'id' ? IDS[noun] : PARTS[name] };
}
