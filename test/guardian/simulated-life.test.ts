import { expect, test } from 'vitest';
import { simulate } from '../bench/simulation/simulate.ts';

test('an incident in a copy of a short life is told, and does not show in the quiet days', async () => {
  const options = { seed: 1, weeks: 1, everyMinutes: 15, only: ['permission loss'] };
  const { months, incidents, episodes } = await simulate(options);
  expect(months).toBeCloseTo(7 / 30.4375, 6);
  expect(incidents.map(({ name, by, isInTime }) => ({ name, by, isInTime }))).toEqual([
    {
      name: 'permission loss',
      by: 'to do "The permission for screen recording is missing: grant it in the system settings."',
      isInTime: true,
    },
  ]);
  expect(episodes.filter(({ cause }) => cause.includes('permission') || cause === 'device')).toEqual([]);
}, 60_000);
