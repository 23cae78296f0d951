import { expect, test } from 'vitest';
import { activityQuery } from '../../renderer/src/activity/filters.ts';

test('a filter without a value, or that is not known, is no part of the query', () => {
  const query = (filters: string) => activityQuery(new URLSearchParams(filters), { limit: 50 });
  expect(query('requester=ann')).toBe('limit=50&requester=ann');
  expect(query('requester=&colour=red')).toBe('limit=50');
});
