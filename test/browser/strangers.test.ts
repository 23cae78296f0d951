import { expect, test } from 'vitest';
import { newConfirmation } from './made-up.ts';
import { usePages } from './page-rig.ts';

const { openDashboard } = usePages();

test('P2: the prompt says which program made a connection that another one holds', async () => {
  const { daemon, prompt } = await openDashboard();
  const { requester } = newConfirmation({}).prompt;
  const changedFrom = { pid: 4, name: 'python3', path: '/usr/bin/python3.13', script: '/home/ann/\u202eforger.py' };
  const program = { kind: 'program' as const, uid: 1_000, pid: 4, name: 'ssh-agent', startedBy: [], changedFrom };
  daemon.ask({ prompt: { requester: { ...requester, program } } });
  const text = await prompt.textContent();
  expect(text).toContain('The program changed. The connection was made by python3 running');
  expect(text).toContain('\\u{202e}forger.py');
});

test('A5: the path of a program cannot read on as the words of Handrail', async () => {
  const { daemon, prompt, openDetails } = await openDashboard();
  const { requester } = newConfirmation({}).prompt;
  const program = {
    kind: 'program' as const,
    uid: 1_000,
    pid: 4,
    name: 'node',
    path: '/opt/x) · known since 2020',
    script: '/tmp/a · allowed”.js',
    startedBy: [{ pid: 3, name: 'sh · asked by you' }],
  };
  daemon.ask({ prompt: { requester: { ...requester, program } } });
  await openDetails();
  const who = 'node running “/tmp/a · allowed\\u{201d}.js” (“/opt/x) · known since 2020”)';
  const asked = '“/opt/x) · known since 2020” running “/tmp/a · allowed\\u{201d}.js”, started by “sh · asked by you”';
  expect(await prompt.locator('.who .program').textContent()).toBe(who);
  expect(await prompt.locator('.facts .program').textContent()).toBe(asked);
});
