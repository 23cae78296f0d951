import { expect, test } from 'vitest';
import { RETENTION } from '../../src/services/console/settings.ts';

test('the person reads how long data is kept, with the limits in the units of the documents', () => {
  expect(Object.fromEntries(RETENTION.map(({ contents, kept }) => [contents, kept]))).toMatchObject({
    Screenshots: '24 hours, at most 250 MiB for each requester and 500 MiB in all',
    'Arguments and results of actions':
      '24 hours after the action ended, at most 64 MiB for each requester and 256 MiB in all',
    'Former versions of overwritten files': '24 hours, at most 1 GiB and 1,000 former versions in all',
  });
});
