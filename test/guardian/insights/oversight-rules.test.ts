import { counted, DAY_MS, grant, HOUR_MS, ids, NOW_MS, prompts, requests, testCases, unusual } from './history.ts';

const QUICK = [2_000, 2_000, 2_000, 2_000, 2_000];
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
    about: 'approvals without a single no, about as fast as this person always reads',
    finds: { day: counted({ promptAllowed: 20 }, { responsesMs: QUICK }) },
    not: { day: counted({ promptAllowed: 20 }, { responsesMs: [3_100, 3_100, 3_100, 3_100, 3_100] }) },
    says: ['info', '20 of 20 approvals, median 2 s'],
  },
  {
    about: 'approvals without a single no, faster than this person ever read',
    finds: {
      day: counted({ promptAllowed: 20 }, { responsesMs: QUICK }),
      trends: [unusual('confirmation_response_p50')],
    },
    not: {
      day: counted({ promptAllowed: 19 }, { responsesMs: QUICK }),
      trends: [unusual('confirmation_response_p50')],
    },
    says: ['warning', '20 of 20 approvals, median 2 s'],
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
    says: ['info', '1 of 4 approvals above low risk within 2 s'],
    shows: ['hasty'],
    step: ['inspect', 'hasty'],
  },
  {
    about: 'two high-risk approvals before a thought',
    finds: {
      day: counted({ promptAllowedHastily: 2, promptAllowedElevated: 40 }),
      prompts: prompts(['h1', 'h2'], { risk: 'high', answerableAtMs: 5_000, decidedAtMs: 6_999 }),
    },
    not: { day: counted({ promptAllowedElevated: 40 }) },
    says: ['warning', '2 of 40 approvals above low risk within 2 s'],
    shows: ['h1', 'h2'],
    step: ['inspect', 'h1'],
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
    says: ['info', '1 of 4 approvals above low risk within 2 s'],
    shows: ['hasty'],
    step: ['inspect', 'hasty'],
  },
  {
    about: 'more approvals before a thought than this person used to give',
    finds: {
      day: counted({ promptAllowedHastily: 3, promptAllowedElevated: 12 }),
      trends: [unusual('hasty_approval_share')],
    },
    not: { day: counted({ promptAllowedElevated: 12 }), trends: [unusual('hasty_approval_share')] },
    says: ['warning', '3 of 12 approvals above low risk within 2 s'],
  },
  {
    about: 'hardly any medium-risk approval with a thought',
    finds: { day: counted({ promptAllowedHastily: 5, promptAllowedElevated: 10 }) },
    not: { day: counted({ promptAllowedElevated: 10 }) },
    says: ['high', '5 of 10 approvals above low risk within 2 s'],
  },
  {
    about: 'more prompts than anybody answers with care, mostly of one',
    finds: {
      hour: counted({ prompted: 120 }),
      prompts: [
        ...prompts(['a1', 'a2', 'a3']),
        ...prompts(['b1', 'b2'], { userId: 'bob' }),
        ...prompts(['old'], { createdAtMs: NOW_MS - HOUR_MS }),
      ],
    },
    not: { hour: counted({ prompted: 19 }), prompts: prompts(ids('a', 19)) },
    says: ['high', '120 prompts within an hour'],
    shows: ['a1', 'a2', 'a3', 'b1', 'b2'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'more prompts than anybody answers with care, of several',
    finds: { hour: counted({ prompted: 20 }), prompts: [...prompts(['a1']), ...prompts(['b1'], { userId: 'bob' })] },
    not: { hour: counted({ prompted: 19 }) },
    says: ['info', '20 prompts within an hour'],
    shows: ['a1', 'b1'],
    step: ['inspect', 'a1'],
  },
  {
    about: 'more prompts than this person was ever asked',
    finds: { hour: counted({ prompted: 20 }), trends: [unusual('confirmation_prompt_rate')] },
    not: { hour: counted({ prompted: 19 }), trends: [unusual('confirmation_prompt_rate')] },
    says: ['warning', '20 prompts within an hour'],
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
    says: ['info', 'The last 3 prompts of {requester} were denied'],
    shows: ['n1', 'n2', 'n3'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester that does not take no for an answer',
    finds: { prompts: prompts(ids('n', 5), { status: 'denied' }) },
    not: { prompts: prompts(['n1', 'n2'], { status: 'denied' }) },
    says: ['warning', 'The last 5 prompts of {requester} were denied'],
    shows: ids('n', 5),
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
