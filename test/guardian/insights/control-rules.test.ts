import { counted, requests, testCases } from './history.ts';

const DENIED_PERMISSION = { status: 'failed', errorCode: 'permission_missing' } as const;

testCases([
  {
    about: 'keys, places, answers and results that were refused',
    finds: {
      day: counted({ credentialRefused: 1, placeRefused: 2, approvalRefused: 5, replayed: 1, digestMismatched: 1 }),
    },
    not: { day: counted({ agentViolated: 3 }) },
    says: ['high', '10 refused attempts within a day'],
  },
  {
    about: 'one page that is not ours',
    finds: { day: counted({ placeRefused: 1 }) },
    not: { day: counted({}) },
    says: ['warning', '1 refused attempt within a day'],
  },
  {
    about: 'a journal that is not as it was written',
    finds: { day: counted({ journalBroken: 1 }) },
    not: { day: counted({}) },
    says: ['critical', 'The journal failed 1 of its checks within a day'],
    step: ['inspect', '/api/console/audit/verify'],
  },
  {
    about: 'a permission that the agent of a Mac has not',
    finds: {
      missingPermissions: [{ name: 'screenRecording', platform: 'macos' }],
      requests: [...requests(['a1', 'a2'], DENIED_PERMISSION), ...requests(['worked'])],
    },
    not: { missingPermissions: [], requests: requests(['a1'], DENIED_PERMISSION) },
    says: ['high', '1 permission is missing: screen recording'],
    shows: ['a1', 'a2'],
    step: ['open_settings', 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture'],
  },
  {
    about: 'a permission that is missing where there is no page to grant it on',
    finds: { missingPermissions: [{ name: 'accessibility', platform: 'linux' }] },
    not: { missingPermissions: [] },
    says: ['high', '1 permission is missing: accessibility'],
  },
]);
