import type { Static } from 'typebox';
import { EXAMPLE_DEVICE_ID } from '../contract/examples.ts';
import type { ProcedureSubmission } from '../contract/procedure.ts';
import type { Profile } from '../contract/profile.ts';
import { ACTION_ID, TASK_ID } from './path-parts.ts';

const NOON = '2026-06-01T12:00:00.000Z';

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

export const PROCEDURE_EXAMPLE: ProcedureSubmission = {
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

/** Examples of the records that callers meet first, by their names in the description. A test checks each of them against its schema. */
export const RECORD_EXAMPLES: Readonly<Record<string, unknown>> = {
  Device: {
    id: EXAMPLE_DEVICE_ID,
    deviceId: EXAMPLE_DEVICE_ID,
    machine: 'local',
    platform: 'macos',
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

export const PROFILE_EXAMPLE: Static<typeof Profile> = {
  name: 'office',
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' },
  rules: [{ verdict: 'block', actionTypes: ['RunScript'], hours: { from: '20:00', to: '07:00' } }],
};
