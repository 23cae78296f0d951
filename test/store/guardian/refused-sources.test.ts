import { expect, test } from 'vitest';
import { open } from '../rig.ts';

test('at most a hundred sources of refusals are told apart in an hour, and known ones still count', () => {
  const store = open();
  const refuse = (from: string) =>
    store.journal.append(1_000, { kind: 'request.refused', metadata: { code: 'origin_not_allowed', count: 1, from } });
  store.write('relaxed', () => {
    for (let number = 0; number < 150; number += 1) refuse(`${number}.example`);
    refuse('0.example');
  });
  const sources = store.recording.refusedSources({ fromMs: 0, toMs: 2_000 }, ['origin_not_allowed']);
  expect([sources.length, sources[0]]).toEqual([100, { source: '0.example', times: 2 }]);
});
