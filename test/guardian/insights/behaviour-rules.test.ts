import { counted, HOUR_MS, ids, MINUTE_MS, NOW_MS, requests, testCases } from './history.ts';

const ANN = 'ann';
const IN_VAIN = { digest: 'same', status: 'failed' } as const;
const newcomer = (userId: string) => ({ userId, firstSeenAtMs: NOW_MS - HOUR_MS });

testCases([
  {
    about: 'somebody who never asked before',
    finds: {
      newRequesters: [newcomer(ANN)],
      requests: [...requests(['a1', 'a2']), ...requests(['b1'], { userId: 'bob' })],
    },
    not: { newRequesters: [newcomer('zoe')], requests: requests(['a1', 'a2']) },
    says: ['info', 'New requester: {requester}, 2 requests so far'],
    shows: ['a1', 'a2'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'user ids that are made up one after the other',
    finds: {
      newRequesters: ids('user', 6).map(newcomer),
      requests: ids('user', 6).flatMap((userId) => requests([`of ${userId}`], { userId })),
    },
    not: { newRequesters: [], requests: ids('user', 6).flatMap((userId) => requests([`of ${userId}`], { userId })) },
    says: ['warning', '6 new requesters in a day'],
    shows: ids('of user', 6),
    step: ['inspect', 'of user1'],
  },
  {
    about: 'user ids that are made up on the first day of a busy one',
    finds: {
      newRequesters: [newcomer(ANN), ...ids('user', 20).map(newcomer)],
      requests: [...requests(ids('a', 40), { userId: ANN }), ...requests(['u1'], { userId: 'user1' })],
    },
    not: { requests: requests(ids('a', 40), { userId: ANN }) },
    says: ['warning', '21 new requesters in a day'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
  {
    about: 'the same action again and again in vain',
    finds: {
      requests: [
        ...requests(ids('a', 5), IN_VAIN),
        ...requests(['other']),
        ...requests(['older'], { ...IN_VAIN, createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: { requests: [...requests(ids('a', 5), IN_VAIN), ...requests(['a6'], { digest: 'same' })] },
    says: ['warning', '{requester} asked 5 times in 10 minutes to open the same app, in vain'],
    shows: ids('a', 5),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'more at once than hands do',
    finds: {
      hour: counted({}, { burstPeak: 60 }),
      requests: [
        ...requests(['alone']),
        ...requests(['a1', 'a2', 'a3'], { createdAtMs: NOW_MS - 30 * MINUTE_MS }),
        ...requests(['before'], { createdAtMs: NOW_MS - 31 * MINUTE_MS }),
      ],
    },
    not: { hour: counted({}, { burstPeak: 59 }), requests: requests(ids('a', 59)) },
    says: ['warning', '60 actions requested in one minute'],
    shows: ['a1', 'a2', 'a3'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester that does nothing but look at the screen',
    finds: {
      requests: [
        ...requests(ids('look', 57), { actionType: 'DescribeScreen' }),
        ...requests(ids('do', 3), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: {
      requests: [
        ...requests(ids('look', 56), { actionType: 'DescribeScreen' }),
        ...requests(ids('do', 4), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    says: ['warning', '{requester} looked at your screen 57 times in 1 minute'],
    shows: ids('look', 20),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester that looks at the screen again and again between two pieces of its usual work',
    finds: {
      requests: [
        ...requests(ids('before', 40)),
        ...requests(ids('look', 60), { actionType: 'TakeScreenshot', createdAtMs: NOW_MS - 5 * MINUTE_MS }),
        ...requests(ids('after', 40), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: {
      requests: ids('look', 60).flatMap((id, index) =>
        requests([id], { actionType: index % 10 === 0 ? 'OpenApp' : 'TakeScreenshot' }),
      ),
    },
    says: ['warning', '{requester} looked at your screen 57 times in 4 minutes'],
    shows: ids('look', 20),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
]);
