import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { ActionSubmission } from '../../src/contract/action.ts';
import { DeviceRegistration } from '../../src/contract/device.ts';
import { TakeScreenshotParameters } from '../../src/contract/parameters.ts';
import { schemaFaults } from '../../src/contract/schema-faults.ts';
import { TaskSubmission } from '../../src/contract/task.ts';

const registration = { type: 'macos', name: 'Desk', capabilities: {} };
const step = { id: 'a', actionType: 'Wait', targetDeviceId: 'dev_x', parameters: {} };
const submission = { targetDeviceId: 'dev_x', actionType: 'Wait', parameters: {} };

test.each<[TSchema, unknown, string, string]>([
  [
    DeviceRegistration,
    { ...registration, type: 'macOS' },
    '/type',
    'must be a lower-case word of at most 32 letters, digits and hyphens, such as macos',
  ],
  [DeviceRegistration, { ...registration, name: '' }, '/name', 'must have at least one character'],
  [DeviceRegistration, { ...registration, name: 'x'.repeat(101) }, '/name', 'must have at most 100 characters'],
  [DeviceRegistration, { ...registration, capabilities: [] }, '/capabilities', 'must be an object'],
  [DeviceRegistration, null, '', 'must be an object'],
  [
    DeviceRegistration,
    { ...registration, capabilities: { canFly: true } },
    '/capabilities/canFly',
    'is not known here: known are canOpenApps, canAccessFiles, canCaptureScreen, canRunScripts, canControlInput',
  ],
  [TaskSubmission, { steps: [] }, '/steps', 'must have at least one item'],
  [TaskSubmission, { steps: step }, '/steps', 'must be an array'],
  [
    TaskSubmission,
    { steps: [step, { ...step, id: 'a b' }] },
    '/steps/1/id',
    'must begin with a letter or digit and have at most 64 letters, digits and . _ : -',
  ],
  [
    TaskSubmission,
    { steps: [{ ...step, retry: { attempts: 2, maxAttempts: 1 } }] },
    '/steps/0/retry/attempts',
    'is not known here: known are maxAttempts, backoffMs',
  ],
  [
    TaskSubmission,
    { steps: [{ ...step, runIf: 'never' }] },
    '/steps/0/runIf',
    'must be one of success, failure, always',
  ],
  [ActionSubmission, { ...submission, timeoutMs: 0 }, '/timeoutMs', 'must be at least 1'],
  [ActionSubmission, { ...submission, timeoutMs: 600_001 }, '/timeoutMs', 'must be at most 600000'],
  [ActionSubmission, { ...submission, timeoutMs: 1.5 }, '/timeoutMs', 'must be a whole number'],
  [ActionSubmission, { ...submission, dryRun: 'yes' }, '/dryRun', 'must be true or false'],
  [
    ActionSubmission,
    { ...submission, profile: 'My Profile' },
    '/profile',
    'must be a lower-case word of at most 40 letters, digits and hyphens',
  ],
  [TakeScreenshotParameters, { display: 7 }, '/display', 'must be a string'],
])('%# what does not fit is said in words', (schema, value, pointer, message) => {
  expect(schemaFaults(schema, value)).toEqual([{ pointer, message }]);
});

test('many unknown properties are named beside what is missing, the first twenty faults and no more', () => {
  const names = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`name${index}`, 1]));
  const faults = schemaFaults(ActionSubmission, { ...names, actionType: 'Wait', parameters: {} });
  expect(faults).toHaveLength(20);
  expect(faults[0]).toEqual({ pointer: '/targetDeviceId', message: 'is required' });
  expect(faults[1]).toEqual({ pointer: '/name0', message: expect.stringContaining('is not known here: known are ') });
  expect(faults.at(-1)?.pointer).toBe('/name18');
});

test('eight unknown properties are told where nothing else is wrong', () => {
  const names = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`name${index}`, 1]));
  expect(schemaFaults(ActionSubmission, { ...submission, ...names }).map(({ pointer }) => pointer)).toEqual(
    Object.keys(names).map((name) => `/${name}`),
  );
});

test('the names of an unknown property are not looked at any deeper', () => {
  const deep = { steps: [{ ...step, retry: { maxAttempts: 1, more: { '~/': 1 } } }], extra: { a: { b: 1 } } };
  expect(schemaFaults(TaskSubmission, deep).map(({ pointer }) => pointer)).toEqual(['/steps/0/retry/more', '/extra']);
});
