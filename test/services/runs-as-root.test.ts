import { expect, test } from 'vitest';
import { checkUser } from '../../src/doctor/own-daemon.ts';
import { RUNS_AS_ROOT } from '../../src/own-daemon/settings.ts';

test('the doctor notes that Handrail runs as root, and says the remedy', () => {
  expect(checkUser({ asRoot: true })).toEqual([
    { check: 'user', state: 'note', message: RUNS_AS_ROOT, remedy: 'Start it as the user who sits at the desktop.' },
  ]);
  expect(checkUser({ asRoot: false })).toEqual([{ check: 'user', state: 'good', message: 'not root' }]);
});
