import { expect, test } from 'vitest';
import { insightFilters, isListed, queryOf } from '../../renderer/src/guardian/insight-words.ts';
import type { Insight } from '../../src/contract/guardian.ts';
import { newInsight } from '../browser/made-up.ts';

const read = (query: string) => insightFilters(new URLSearchParams(query));

test('filters are read from the address and written to it; unknown values count as absent', () => {
  for (const query of ['', 'status=all', 'level=high', 'type=privacy', 'status=all&level=critical&type=device'])
    expect(queryOf(read(query)).toString()).toBe(query);
  expect(read('status=closed&level=purple&type=__proto__')).toEqual({
    status: 'open',
    level: undefined,
    type: undefined,
  });
});

test('an insight is listed where its status, its level and its type match', () => {
  const open: Insight = { ...newInsight('ins_1'), status: 'open' };
  const listed = (query: string, insight = open) => isListed(insight, read(query));
  expect(['', 'level=high', 'type=oversight', 'level=high&type=oversight'].map((query) => listed(query))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['level=info', 'type=privacy'].map((query) => listed(query))).toEqual([false, false]);
  const known: Insight = { ...open, status: 'acknowledged' };
  expect([listed('', known), listed('status=all', known)]).toEqual([false, true]);
});
