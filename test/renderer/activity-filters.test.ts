import { expect, test } from 'vitest';
import { activityQuery } from '../../renderer/src/activity/filters.ts';

test('a filter without a value, or that is not known, is no part of the query', () => {
  const query = (filters: string) => activityQuery(new URLSearchParams(filters), { limit: 50 });
  expect(query('requester=ann')).toBe('limit=50&requester=ann');
  expect(query('requester=&colour=red')).toBe('limit=50');
});

const query = (filters: Record<string, string>, page: Parameters<typeof activityQuery>[1]) =>
  Object.fromEntries(new URLSearchParams(activityQuery(new URLSearchParams(filters), page)));

test('a time that the person chose goes before the one of the page; an empty filter and an unknown one are left out', () => {
  const page = { limit: 50, since: '2026-05-04T10:00:00.000Z', cursor: 'act_1' };
  expect(query({}, page)).toEqual({ limit: '50', since: page.since, cursor: 'act_1' });
  const since = '2026-05-04T11:00:00.000Z';
  expect(query({ since, status: '', window: '7d', requester: 'ann' }, page)).toEqual({
    limit: '50',
    since,
    cursor: 'act_1',
    requester: 'ann',
  });
});
