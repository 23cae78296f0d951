import { counted, DAY_MS, grant, HOUR_MS, ids, NOW_MS, prompts, requests, testCases } from './history.ts';

const FAST = [1_100, 1_100, 1_100, 1_100, 1_100];
const ANN = 'ann';

testCases([
  {
    about: 'approvals without a single no, faster than one can read',
    finds: { day: counted({ promptAllowed: 41 }, { responsesMs: FAST }), prompts: prompts(ids('a', 41)) },
    not: {
      day: counted({ promptAllowed: 41, promptDenied: 1 }, { responsesMs: FAST }),
      prompts: prompts(ids('a', 41)),
    },
    says: ['high', '41 of 41 approvals, median 1.1 s'],
    shows: ids('a', 20),
    step: ['review_grants', '{requester}'],
    of: ANN,
  },
  {
    about: 'a high-risk approval before a thought',
    finds: {
      day: counted({ promptAllowedHastily: 1, promptAllowedElevated: 4 }),
      prompts: [
        ...prompts(['slow', 'low'], { risk: 'high' }).map((each, index) => ({
          ...each,
          risk: index ? ('low' as const) : each.risk,
        })),
        ...prompts(['hasty'], { risk: 'high', answerableAtMs: 5_000, decidedAtMs: 6_999 }),
        ...prompts(['denied'], { risk: 'high', status: 'denied', answerableAtMs: 5_000, decidedAtMs: 5_001 }),
      ],
    },
    not: { day: counted({ promptAllowedElevated: 4 }), prompts: prompts(['slow'], { risk: 'high' }) },
    says: ['high', '1 of 4 approvals above low risk within 2 s'],
    shows: ['hasty'],
    step: ['inspect', 'hasty'],
  },
  {
    about: 'a medium-risk approval before a thought',
    finds: {
      day: counted({ promptAllowedHastily: 1, promptAllowedElevated: 4 }),
      prompts: prompts(['hasty'], { answerableAtMs: 5_000, decidedAtMs: 6_999 }),
    },
    not: {
      day: counted({ promptAllowedElevated: 1 }),
      prompts: prompts(['late'], { answerableAtMs: 5_000, decidedAtMs: 7_000 }),
    },
    says: ['warning', '1 of 4 approvals above low risk within 2 s'],
    shows: ['hasty'],
    step: ['inspect', 'hasty'],
  },
  {
    about: 'more prompts than anybody answers with care, mostly of one',
    finds: {
      hour: counted({ prompted: 40 }),
      prompts: [
        ...prompts(['a1', 'a2', 'a3']),
        ...prompts(['b1', 'b2'], { userId: 'bob' }),
        ...prompts(['old'], { createdAtMs: NOW_MS - HOUR_MS }),
      ],
    },
    not: { hour: counted({ prompted: 19 }), prompts: prompts(ids('a', 19)) },
    says: ['high', '40 prompts within an hour'],
    shows: ['a1', 'a2', 'a3', 'b1', 'b2'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'more prompts than anybody answers with care, of several',
    finds: { hour: counted({ prompted: 20 }), prompts: [...prompts(['a1']), ...prompts(['b1'], { userId: 'bob' })] },
    not: { hour: counted({ prompted: 19 }) },
    says: ['warning', '20 prompts within an hour'],
    shows: ['a1', 'b1'],
    step: ['inspect', 'a1'],
  },
  {
    about: 'prompts that nobody answers',
    finds: {
      day: counted({ promptExpired: 5, prompted: 10 }),
      prompts: [...prompts(['answered']), ...prompts(ids('a', 5), { status: 'expired' })],
    },
    not: { day: counted({ promptExpired: 5, prompted: 11 }) },
    says: ['warning', '5 of 10 prompts within a day were not answered'],
    shows: ids('a', 5),
  },
  {
    about: 'a requester who hears nothing but no',
    finds: {
      prompts: [
        ...prompts(['waits'], { status: 'pending', decidedAtMs: null }),
        ...prompts(['n1', 'n2', 'n3'], { status: 'denied' }),
        ...prompts(['b1'], { userId: 'bob' }),
        ...prompts(['yes'], { decidedAtMs: NOW_MS - HOUR_MS }),
        ...prompts(['n4'], { status: 'denied', decidedAtMs: NOW_MS - 2 * HOUR_MS }),
      ],
    },
    not: { prompts: [...prompts(['n1', 'n2'], { status: 'denied' }), ...prompts(['yes'], { decidedAtMs: 1 })] },
    says: ['warning', 'The last 3 prompts of {requester} were denied'],
    shows: ['n1', 'n2', 'n3'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a grant that took the place of the person',
    finds: {
      grants: [grant({ id: 'grt_wide', useCount: 120 }), grant({ id: 'grt_narrow', useCount: 49 })],
      requests: [...requests(['a1', 'a2'], { grantId: 'grt_wide' }), ...requests(['b1'], { grantId: 'grt_narrow' })],
    },
    not: { grants: [grant({ id: 'grt_narrow', useCount: 49 })], requests: requests(['b1'], { grantId: 'grt_narrow' }) },
    says: ['warning', '1 grant let OpenApp of {requester} through 120 times'],
    shows: ['a1', 'a2'],
    step: ['revoke', 'grt_wide'],
    of: ANN,
  },
  {
    about: 'grants that are good for nearly everything together',
    finds: { grants: ids('grt_', 10).map((id) => grant({ id })), requests: requests(['a1'], { grantId: 'grt_7' }) },
    not: { grants: [...ids('grt_', 9).map((id) => grant({ id })), grant({ id: 'other', actionType: 'QuitApp' })] },
    says: ['warning', '10 grants for OpenApp of {requester}'],
    shows: ['a1'],
    step: ['review_grants', '{requester}'],
    of: ANN,
  },
  {
    about: 'a grant that nobody would miss',
    finds: { grants: [grant({ id: 'grt_old', createdAtMs: 0, lastUsedAtMs: NOW_MS - 21 * DAY_MS })] },
    not: { grants: [grant({ createdAtMs: 0, lastUsedAtMs: NOW_MS - 14 * DAY_MS + 1 })] },
    says: ['info', '1 grant for OpenApp of {requester} was not used for 21 days'],
    step: ['revoke', 'grt_old'],
    of: ANN,
  },
  {
    about: 'a grant that was never used at all',
    finds: { grants: [grant({ createdAtMs: NOW_MS - 14 * DAY_MS, lastUsedAtMs: undefined })] },
    not: { grants: [grant({ createdAtMs: NOW_MS - 13 * DAY_MS, lastUsedAtMs: undefined })] },
    says: ['info', '1 grant for OpenApp of {requester} was not used for 14 days'],
    step: ['revoke', 'grt_1'],
    of: ANN,
  },
]);
