import { expect } from 'vitest';
import { open, test } from '../rig.ts';

const HOUR_MS = 3_600_000;

test('requests for a missing capability are added up by requester, capability and hour, and kept for two days', () => {
  const store = open();
  const refuse = (atMs: number, userId: string | undefined, count: number, code = 'capability_missing') =>
    store.write('relaxed', () => {
      const metadata = { code, count, capability: 'canOpenApps' };
      store.journal.append(atMs, { kind: 'request.refused', userId, metadata });
    });
  refuse(HOUR_MS, 'ann', 1);
  refuse(2 * HOUR_MS - 1, 'ann', 19);
  refuse(2 * HOUR_MS, 'ann', 5);
  refuse(2 * HOUR_MS, 'bob', 2);
  refuse(2 * HOUR_MS, 'bob', 7, 'not_found');
  refuse(2 * HOUR_MS, undefined, 40);
  const after = (afterMs: number, limit = 10) => store.evidence.refusedRequests({ afterMs, limit });
  const later = [
    { userId: 'bob', capability: 'canOpenApps', times: 2 },
    { userId: 'ann', capability: 'canOpenApps', times: 5 },
  ];
  const earlier = { userId: 'ann', capability: 'canOpenApps', times: 20 };
  expect(after(0)).toEqual([...later, earlier]);
  expect(after(0, 2)).toEqual(later);
  expect(after(HOUR_MS)).toEqual(later);
  store.write('relaxed', () => store.recording.prune(49 * HOUR_MS));
  expect(after(0)).toEqual([...later, earlier]);
  store.write('relaxed', () => store.recording.prune(49 * HOUR_MS + 1));
  expect(after(0)).toEqual(later);
});

test('at most a hundred sources of refusals are told apart in an hour, and known ones still count', ({ store }) => {
  const refuse = (from: string) =>
    store.journal.append(1_000, { kind: 'request.refused', metadata: { code: 'origin_not_allowed', count: 1, from } });
  store.write('relaxed', () => {
    for (let number = 0; number < 150; number += 1) refuse(`${number}.example`);
    refuse('0.example');
  });
  const sources = store.recording.refusedSources({ fromMs: 0, toMs: 2_000 }, ['origin_not_allowed']);
  expect([sources.length, sources[0]]).toEqual([100, { source: '0.example', times: 2 }]);
});
