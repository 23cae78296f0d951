import { grant, ids, MINUTE_MS, NOW_MS, prompts, requests, testCases } from './history.ts';

const ANN = 'ann';
const changed = { userId: ANN, actionId: 'a1', now: 'node running thief.js', before: 'python3', atMs: NOW_MS };

/** High-risk requests since the change: some allowed in a prompt, and others denied. */
function sinceChange({ allowed = 0, denied = 0 }: { allowed?: number; denied?: number }) {
  const [yes, no] = [ids('yes', allowed), ids('no', denied)];
  return {
    programChanges: [{ ...changed, atMs: NOW_MS - MINUTE_MS }],
    requests: [
      ...requests(yes, { risk: 'high' }),
      ...requests(no, { risk: 'high', status: 'denied', startedAtMs: null, durationMs: null }),
    ],
    prompts: [...prompts(yes, { risk: 'high' }), ...prompts(no, { risk: 'high', status: 'denied' })],
  };
}

testCases([
  {
    about: 'another program under a name, with standing permissions too',
    finds: { programChanges: [changed], grants: [grant({})] },
    not: { programChanges: [] },
    says: ['info', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, which did something of high risk that the person was not asked about',
    finds: { programChanges: [changed], requests: requests(['a1'], { risk: 'high' }) },
    not: { programChanges: [], requests: requests(['a1'], { risk: 'high' }) },
    says: ['warning', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, which did something of high risk under a grant',
    finds: { programChanges: [changed], requests: requests(['a1'], { risk: 'critical', grantId: 'grt_1' }) },
    not: { programChanges: [] },
    says: ['warning', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, which did something of high risk in a plan that the person allowed',
    finds: { programChanges: [changed], requests: requests(['a1'], { risk: 'high', planId: 'pln_1' }) },
    not: { programChanges: [] },
    says: ['info', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, of whose high-risk requests the person denied half',
    finds: sinceChange({ allowed: 2, denied: 2 }),
    not: { ...sinceChange({ allowed: 2, denied: 2 }), programChanges: [] },
    says: ['warning', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, of whose high-risk requests the person denied fewer',
    finds: sinceChange({ allowed: 3, denied: 2 }),
    not: { ...sinceChange({ allowed: 3, denied: 2 }), programChanges: [] },
    says: ['info', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, of whose high-risk requests the person denied a single one',
    finds: sinceChange({ denied: 1 }),
    not: { ...sinceChange({ denied: 1 }), programChanges: [] },
    says: ['info', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'another program under a name, whose high-risk requests came before',
    finds: {
      programChanges: [changed],
      requests: requests(['old'], { risk: 'high', createdAtMs: NOW_MS - 2 * MINUTE_MS }),
    },
    not: { programChanges: [] },
    says: ['info', '{requester} now calls from node running thief.js, before from python3'],
    shows: ['a1'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
]);
