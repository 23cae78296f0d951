import { expect, test } from 'vitest';
import { RUNS_AS_ROOT } from '../../src/agent-host/script-needs.ts';
import { checkUser } from '../../src/doctor/user.ts';

test('the doctor notes that Handrail runs as root, and says the remedy', () => {
  expect(checkUser({ asRoot: true })).toEqual([
    { check: 'user', state: 'note', message: RUNS_AS_ROOT, remedy: 'Start it as the user who sits at the desktop.' },
  ]);
  expect(checkUser({ asRoot: false })).toEqual([{ check: 'user', state: 'good', message: 'not root' }]);
});
