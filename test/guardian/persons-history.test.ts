import { expect, test } from 'vitest';
import { FOUR_WEEKS_MS, LOOKED_AT } from '../../src/guardian/insights/facts.ts';
import { open } from '../store/rig.ts';
import { absent, careful, denying, quickWithKnownRequests, stamper } from './persons.ts';
import { createMemoryHistory, createStoredHistory, WORK_MS } from './persons-history.ts';
import { createLife } from './persons-rig.ts';

const SEED = 401;

/** Over a weekend; and, with few prompts a day, over more than the four weeks that the rules look back. */
test.each([
  { kind: stamper(1_500, { deniesOneADay: true }), days: 7 },
  { kind: quickWithKnownRequests, days: 7 },
  { kind: denying, days: 7 },
  { kind: absent, days: 7 },
  { kind: careful({ promptsADay: 5 }), days: 25 },
])('the store gives the rules the answers and counts of $kind.name', ({ kind, days }) => {
  const [memory, stored] = [createMemoryHistory(), createStoredHistory(open())];
  const life = createLife(kind, SEED);
  let counted = 0;
  for (let day = 0; day < days; day += 1) {
    const { startMs, asked } = life.next();
    memory.add(startMs, asked);
    stored.add(startMs, asked);
    const nowMs = startMs + WORK_MS;
    const latest = { afterMs: nowMs - FOUR_WEEKS_MS, limit: LOOKED_AT.answers };
    expect(stored.answers(latest)).toEqual(memory.answers(latest));
    expect(stored.day(nowMs)).toEqual(memory.day(nowMs));
    counted += memory.answers(latest).length;
  }
  expect(counted).toBeGreaterThan(0);
});
