import { expect, test } from 'vitest';
import { addressOf, isOwnAddress, placeOf } from '../../renderer/src/pages.ts';

const ACTION = 'act_01JZ6M6E7K3V4S8T9W0X1Y2Z3A';

test.each([
  ['', 'requests', undefined],
  ['/', 'requests', undefined],
  ['/nonsense', 'requests', undefined],
  ['/overview', 'overview', undefined],
  ['/grants', 'access', undefined],
  ['/people', 'access', undefined],
  [`/activity/${ACTION}`, 'activity', ACTION],
  ['/metrics/action_success_rate', 'metrics', 'action_success_rate'],
] as const)('the address %j leads to %s', (location, page, subject) => {
  expect(placeOf(location)).toMatchObject({ page, subject });
});

test('the filters of a list are part of its address', () => {
  const filters = new URLSearchParams({ requester: 'ann@laptop', status: 'denied,expired' });
  const address = addressOf({ page: 'activity', filters });
  expect(address).toBe('#/activity?requester=ann%40laptop&status=denied%2Cexpired');
  expect([...placeOf(address.slice(1)).filters]).toEqual([...filters]);
});

test.each([
  ['/overview', true],
  ['/people', true],
  [`/activity/${ACTION}?status=denied`, true],
  ['/metrics/action_success_rate', true],
  [`/procedures/${ACTION.replace('act', 'run')}`, true],
  ['7KQF-3XWA', false],
  ['/7KQF-3XWA', false],
  ['/overview7KQF-3XWA', false],
  ['/activity/7KQF-3XWA', false],
  ['/activity/7kqf3xwa/7KQF-3XWA', false],
  ['/activity?code=7KQF-3XWA', false],
])('whether %j is an address of the dashboard: %s', (location, isOwn) => {
  expect(isOwnAddress(location)).toBe(isOwn);
});
