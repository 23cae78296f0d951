import { expect } from 'vitest';
import { test } from './rig.ts';
import { settle } from './tasks-rig.ts';

test('the prompt for a script shows the script in visible characters, and that it reaches nothing', async ({ rig }) => {
  const script = 'echo one\necho \u202etwo\n';
  void rig.submitted({ actionType: 'RunScript', parameters: { interpreter: 'sh', script } });
  await settle();
  const [confirmation] = rig.services.console.confirmations.list();
  expect(confirmation?.prompt).toMatchObject({
    sentence: 'Run a shell script of 2 lines in an empty folder',
    script: {
      language: 'shell',
      text: 'echo one\necho \\u{202e}two\n',
      reads: ['programs of the system'],
      writes: [],
      network: [],
    },
    risk: { level: 'medium' },
  });
  expect(confirmation).toMatchObject({ presenceRequired: false, scopes: [{ scope: 'once' }, { scope: 'minutes15' }] });
});
