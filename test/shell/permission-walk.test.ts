import { describe, expect, test } from 'vitest';
import type { PermissionState, Permissions } from '../../src/contract/device.ts';
import { needsPerson, paneOf, permissionSteps, provenNow } from '../../src/shell/permission-walk.ts';

const permissions = (screenRecording: PermissionState, accessibility: PermissionState = 'granted'): Permissions => ({
  screenRecording,
  accessibility,
  automation: 'not_required',
});
const look = {
  live: permissions('granted'),
  switchedOn: { screenRecording: false, accessibility: false },
  proven: {},
  version: '2.0.0',
  bundleId: 'dev.handrail.app',
};
const stateOf = (change: Partial<Parameters<typeof permissionSteps>[0]>) =>
  permissionSteps({ ...look, ...change })[0]?.state;

describe('the state of a permission', () => {
  test.each<[string, string | undefined, Parameters<typeof stateOf>[0]]>([
    ['is granted when the agent has proven it, whatever the switch says', 'granted', {}],
    [
      'is unknown while no agent has looked',
      'unknown',
      { live: null, switchedOn: { screenRecording: true, accessibility: true } },
    ],
    ['is unknown when the agent could not tell', 'unknown', { live: permissions('unknown') }],
    ['is missing when it was never given', 'missing', { live: permissions('denied') }],
    [
      'is missing when the person took it away from this version',
      'missing',
      { live: permissions('denied'), proven: { screenRecording: '2.0.0' } },
    ],
    [
      'is stale when the switch is on without an effect',
      'stale',
      { live: permissions('denied'), switchedOn: { screenRecording: true, accessibility: false } },
    ],
    [
      'is stale when another version had it',
      'stale',
      { live: permissions('denied'), proven: { screenRecording: '1.9.0' } },
    ],
  ])('%s', (_what, state, change) => {
    expect(stateOf(change)).toBe(state);
  });

  test('that is stale comes with the command for this app, or says where the id of the app belongs', () => {
    const stale = {
      ...look,
      live: permissions('granted', 'denied'),
      switchedOn: { screenRecording: true, accessibility: true },
    };
    expect(permissionSteps(stale)[1]?.command).toBe('tccutil reset Accessibility dev.handrail.app');
    expect(permissionSteps({ ...stale, bundleId: undefined })[1]?.command).toBe(
      'tccutil reset Accessibility <bundle id>',
    );
  });
});

test('without the packed app the lists of System Settings have Electron, and the steps say so', () => {
  const missing = { ...look, live: permissions('denied', 'denied'), bundleId: 'com.github.Electron' };
  const [screen, , automation] = permissionSteps(missing);
  expect([screen?.todo, automation?.todo]).toEqual([
    expect.stringContaining('switch on Electron under Screen & System Audio Recording'),
    expect.stringContaining('under Electron there'),
  ]);
});

test('the person is needed for what is missing or stale, and not for what nobody has looked at', () => {
  const of = (live: Permissions | null) => permissionSteps({ ...look, live });
  expect(
    [permissions('denied'), permissions('unknown'), null, permissions('granted')].map((live) => needsPerson(of(live))),
  ).toEqual([true, false, false, false]);
});

test('a grant that is gone stays noted under the version that had it', () => {
  const proven = provenNow({ live: permissions('granted'), proven: {}, version: '1.0.0' });
  expect(proven).toEqual({ screenRecording: '1.0.0', accessibility: '1.0.0' });
  expect(provenNow({ live: permissions('denied'), proven, version: '1.1.0' })).toEqual({
    screenRecording: '1.0.0',
    accessibility: '1.1.0',
  });
  expect(provenNow({ live: null, proven, version: '1.1.0' })).toEqual(proven);
});

test('what macOS asks for when an action needs it comes last, with where to change the answer, and is no reason to ask the person', () => {
  const steps = permissionSteps(look);
  expect(steps.slice(2)).toEqual([
    { permission: 'automation', state: 'on_demand', name: 'Automation', ...MORE },
    { permission: 'filesAndFolders', state: 'on_demand', name: 'Files & Folders', ...MORE },
  ]);
  expect([steps[3]?.why, steps[2]?.todo]).toEqual([
    'For files in your Desktop, Documents and Downloads folders.',
    expect.stringContaining('change that under Handrail there'),
  ]);
  expect(needsPerson(steps)).toBe(false);
});

const MORE = { why: expect.any(String), todo: expect.any(String) };

test('each permission has a pane of System Settings of its own', () => {
  const panes = [paneOf('screenRecording'), paneOf('accessibility'), paneOf('automation'), paneOf('filesAndFolders')];
  expect(panes).toEqual([
    'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
    'x-apple.systempreferences:com.apple.preference.security?Privacy_Accessibility',
    'x-apple.systempreferences:com.apple.preference.security?Privacy_Automation',
    'x-apple.systempreferences:com.apple.preference.security?Privacy_FilesAndFolders',
  ]);
});
