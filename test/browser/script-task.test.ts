import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Task } from '../../src/contract/task.ts';
import { ledgerOf } from '../agent/files/ledger.ts';
import { startScriptsRig } from '../e2e/scripts-rig.ts';
import { seriousFaults } from './accessibility.ts';
import { usePages, WINDOW } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openSignedIn } = usePages();

const NUMBERS = '3\n5\n8\n';
const SCRIPT = [
  "numbers = [int(line) for line in open('numbers.txt')]",
  "with open('sum.txt', 'w') as out:",
  "    out.write(f'sum {sum(numbers)}')",
  "print('lines', len(numbers))",
];

test('a task writes a file, runs Python over it and reads the result: one prompt shows the three steps whole, and one press allows them', async () => {
  const rig = await startScriptsRig();
  const page = await openSignedIn(rig.daemon.base, await rig.newCode(), { viewport: WINDOW });
  const { targetDeviceId } = rig;
  const before = ledgerOf(rig.at('outside'));
  const step = (id: string, actionType: string, parameters: object, dependsOn: string[] = []) => {
    return { id, actionType, targetDeviceId, parameters, dependsOn };
  };
  const script = { interpreter: 'python', script: SCRIPT.join('\n'), folder: '~/work' };
  const steps = [
    step('write', 'WriteFile', { path: '~/work/numbers.txt', content: NUMBERS }),
    step('add', 'RunScript', script, ['write']),
    step('read', 'ReadFile', { path: '~/work/sum.txt' }, ['add']),
  ];
  const { body: task } = await rig.daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { name: 'Sum', steps } });
  const { prompt, allow, allowIsAlive } = handsOn(page);
  const cards = prompt.locator('.plan-step');
  await cards.nth(2).waitFor();
  // The card begins anew once the program behind the requester is known.
  await prompt.getByText(/ running /).waitFor();
  await page.keyboard.press('m');
  await page.getByRole('list', { name: 'The Python script' }).waitFor();
  const text = String(await prompt.textContent()).replaceAll(/\s+/g, ' ');
  // The agent resolves each path before the prompt shows it.
  expect(text).toContain('Create “numbers.txt”');
  expect(text).toContain('Read “sum.txt”');
  expect(text).toContain('all in ~/work');
  expect(text).toContain('{"path":"~/work/sum.txt"}');
  expect(text).toContain('"content":"3\\n5\\n8\\n"');
  const lines = page.getByRole('list', { name: 'The Python script' }).getByRole('listitem');
  expect(await lines.allTextContents()).toEqual(SCRIPT);
  expect(text).toContain('Networknothing');
  expect(await seriousFaults(page)).toEqual([]);
  // Allow unlocks when the end of each step that needs approval was on the screen.
  for (const index of [0, 1]) await cards.nth(index).locator('.edge').scrollIntoViewIfNeeded();
  await allowIsAlive();
  await allow.click();
  const ended = await rig.endedTask(task);
  expect(ended).toMatchObject({ status: 'success', steps: [{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }] });
  const [, ran, read] = await Promise.all(
    ended.steps.map(({ actionId }) => rig.actionOf({ actionId: String(actionId) })),
  );
  expect(ran).toMatchObject({
    data: {
      exitCode: 0,
      stdoutTail: 'lines 3\n',
      changedFiles: [{ path: rig.at('work/sum.txt'), change: 'created' }],
    },
  });
  expect(read).toMatchObject({ data: { text: 'sum 16' } });
  expect(readFileSync(rig.at('work/sum.txt'), 'utf8')).toBe('sum 16');
  expect([ledgerOf(rig.at('outside')), await rig.person.prompts()]).toEqual([before, []]);
});
