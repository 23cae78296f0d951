import { expect, it } from 'vitest';
import { findInsights } from '../../../src/guardian/insights/find-insights.ts';
import { counted, factsOf, requests, testCases } from './history.ts';

const DENIED_PERMISSION = { status: 'failed', errorCode: 'permission_missing' } as const;

testCases([
  {
    about: 'many wrong keys of a requester',
    finds: { day: counted({ userKeyRefused: 20, crossSiteRefused: 1 }) },
    not: { day: counted({ agentViolated: 3 }) },
    says: ['high', 'A program tried a wrong requester key 20 times'],
    step: ['inspect', '/api/console/status'],
  },
  {
    about: 'some wrong keys of a requester',
    finds: { day: counted({ userKeyRefused: 3 }) },
    not: { day: counted({}) },
    says: ['warning', 'A program tried a wrong requester key 3 times'],
    step: ['inspect', '/api/console/status'],
  },
  {
    about: 'one wrong key of the console',
    finds: { day: counted({ consoleKeyRefused: 1 }) },
    not: { day: counted({}) },
    says: ['warning', 'Someone entered a wrong sign-in code or key. Was it you?'],
    step: ['inspect', '/api/console/sessions'],
  },
  {
    about: 'one answer of a program to a prompt',
    finds: { day: counted({ approvalRefused: 1 }) },
    not: { day: counted({}) },
    says: ['warning', 'A program tried to answer a prompt'],
    step: ['review_grants', null],
  },
  {
    about: 'one request of a web page, which is no warning',
    finds: { day: counted({ crossSiteRefused: 1 }) },
    not: { day: counted({}) },
    says: ['info', 'A web page tried to use Handrail'],
    step: ['inspect', null],
  },
  {
    about: 'a page that does not stop',
    finds: { day: counted({ crossSiteRefused: 1_000 }) },
    not: { day: counted({}) },
    says: ['warning', 'A web page tried to use Handrail 1000 times'],
    step: ['inspect', null],
  },
  {
    about: 'an action that ran without a decision',
    finds: { day: counted({ executedUndecided: 1 }) },
    not: { day: counted({ credentialRefused: 9, userKeyRefused: 0 }) },
    says: ['critical', '1 security check failed in the last day'],
    step: ['inspect', '/api/console/activity'],
  },
  {
    about: 'a journal that is not as it was written',
    finds: { day: counted({ journalBroken: 1 }) },
    not: { day: counted({}) },
    says: ['critical', 'The journal failed 1 check in the last day'],
    step: ['inspect', '/api/console/audit/verify'],
  },
  {
    about: 'a requester that asks five times for a capability that its device lacks',
    finds: { refusedRequests: refused([3, 'canOpenApps'], [2, 'canOpenApps']) },
    not: { refusedRequests: [...refused([4, 'canOpenApps']), { userId: 'bob', capability: 'canOpenApps', times: 4 }] },
    says: ['info', '{requester} was refused 5 times in a day'],
    step: ['pause_requester', '{requester}'],
    of: 'ann',
  },
  {
    about: 'a requester that asks a hundred times for capabilities that its device lacks',
    finds: { refusedRequests: refused([99, 'canCaptureScreen'], [1, 'canOpenApps']) },
    not: { refusedRequests: [] },
    says: ['warning', '{requester} was refused 100 times in a day'],
    step: ['pause_requester', '{requester}'],
    of: 'ann',
  },
  {
    about: 'a permission that the agent of a Mac has not',
    finds: {
      missingPermissions: [{ name: 'screenRecording', platform: 'macos' }],
      requests: [...requests(['a1', 'a2'], DENIED_PERMISSION), ...requests(['worked'])],
    },
    not: { missingPermissions: [], requests: requests(['a1'], DENIED_PERMISSION) },
    says: ['high', 'The permission for screen recording is missing'],
    shows: ['a1', 'a2'],
    step: ['open_settings', 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture'],
  },
  {
    about: 'a permission that is missing where there is no page to grant it on',
    finds: { missingPermissions: [{ name: 'accessibility', platform: 'linux' }] },
    not: { missingPermissions: [] },
    says: ['high', 'The permission for accessibility is missing'],
  },
]);

function refused(...rows: [times: number, capability: string][]) {
  return rows.map(([times, capability]) => ({ userId: 'ann', capability, times }));
}

it('names each capability that a requester was refused for, with its number', () => {
  const facts = factsOf({ refusedRequests: refused([99, 'canCaptureScreen'], [1, 'canOpenApps']) });
  expect(findInsights(facts).map(({ severity, detail }) => [severity, detail])).toEqual([
    [
      'warning',
      'Its device was registered without the capabilities that it asks for: capture screen (99), open apps (1). Pause it, or register a device that has them.',
    ],
  ]);
  expect(findInsights(factsOf({ refusedRequests: refused([99, 'canOpenApps']) }))).toMatchObject([
    { severity: 'info' },
  ]);
});
