import { expect, test } from 'vitest';
import { newConfirmation } from './made-up.ts';
import { usePages } from './page-rig.ts';
import { handsOn } from './prompt-hands.ts';

const { openDashboard } = usePages();

test('P2: the prompt says which program made a connection that another one holds', async () => {
  const { page, daemon } = await openDashboard();
  const { requester } = newConfirmation({}).prompt;
  const changedFrom = { pid: 4, name: 'python3', path: '/usr/bin/python3.13', script: '/home/ann/\u202eforger.py' };
  const program = { kind: 'program' as const, uid: 1_000, pid: 4, name: 'ssh-agent', startedBy: [], changedFrom };
  daemon.ask({ prompt: { requester: { ...requester, program } } });
  const text = await handsOn(page).prompt.textContent();
  expect(text).toContain('The program changed. The connection was made by python3 running');
  expect(text).toContain('\\u{202e}forger.py');
  const folder = process.env.HANDRAIL_TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/changed-program.png` });
});

test('A5: the path of a program cannot read on as the words of Handrail', async () => {
  const { page, daemon } = await openDashboard();
  const { requester } = newConfirmation({}).prompt;
  const program = {
    ...{ kind: 'program' as const, uid: 1_000, pid: 4, name: 'node', path: '/opt/x) · known since 2020' },
    ...{ script: '/tmp/a · allowed”.js', startedBy: [{ pid: 3, name: 'sh · asked by you' }] },
  };
  daemon.ask({ prompt: { requester: { ...requester, program } } });
  const { prompt, openDetails } = handsOn(page);
  await openDetails();
  const who = 'node running “/tmp/a · allowed\\u{201d}.js” (“/opt/x) · known since 2020”)';
  const asked = '“/opt/x) · known since 2020” running “/tmp/a · allowed\\u{201d}.js”, started by “sh · asked by you”';
  expect(await prompt.locator('.who .program').textContent()).toBe(who);
  expect(await prompt.locator('.facts .program').textContent()).toBe(asked);
});

test('P1: a flood of strangers is named above the queue, with one button for all of it', async () => {
  const { page, daemon } = await openDashboard();
  const { requester } = newConfirmation({}).prompt;
  for (let count = 0; count < 3; count += 1)
    daemon.ask({ prompt: { requester: { ...requester, userId: `made-up-${count}`, isStranger: true } } });
  await page.getByRole('button', { name: 'Deny all from strangers' }).waitFor();
  const folder = process.env.HANDRAIL_TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/strangers.png` });
  daemon.ask({ userId: 'ann' });
  expect(await page.getByText('3 requests come from strangers').count()).toBe(1);
});
