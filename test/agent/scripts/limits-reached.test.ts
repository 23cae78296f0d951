import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../runner/patience.ts';
import { skipWithout } from '../../runner/skip-without.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig } from './rig.ts';

/** Descriptors to look over the folder of the script, and too few to start a process with its streams. */
const ENOUGH_TO_LOOK = 3;

const rig = rigOfTest(createScriptsRig);

test('a script for which the agent has no open file left is not run, and may be submitted again', async (context) => {
  skipWithout('Linux', context);
  const from = (file: string) => join(import.meta.dirname, '../../../agent', file);
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { runScript } from '${from('scripts/run-script.ts')}';
    import { resolvePath } from '${from('files/resolve-paths.ts')}';
    const home = { path: ${JSON.stringify(rig.home)} };
    const files = [await resolvePath('~/work', home)];
    const targets = files.map((file) => ({ kind: 'path', path: file.path, file }));
    const attempt = { signal: new AbortController().signal, deadlineMs: 20_000, targets };
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    for (const file of open.slice(-${ENOUGH_TO_LOOK})) closeSync(file);
    const script = { interpreter: 'sh', folder: '~/work', script: 'touch ran' };
    console.log(JSON.stringify(await runScript(script, attempt, { home })));`;
  const limited = ['--nofile=64:64', process.execPath, '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)('prlimit', limited);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'busy', sideEffect: 'none' });
});

test('a script that another program ends may have done something', async () => {
  const run = rig.run('touch began; sleep 300');
  await vi.waitFor(() => expect(rig.has('work/began')).toBe(true), PATIENCE);
  for (const pid of sandboxesOf(process.pid)) process.kill(pid, 'SIGKILL');
  expect(await run).toMatchObject({
    ok: false,
    code: 'internal_error',
    sideEffect: 'unknown',
    message: 'Another program ended the script while it ran; something may have been done by then.',
  });
});

test.each([
  ['the person', (controller: AbortController) => controller.abort('user'), 'agent_unavailable'],
  ['its time', (controller: AbortController) => controller.abort('timeout'), 'timeout'],
])('a script that %s ends before it begins has done nothing', async (_who, end, code) => {
  const controller = new AbortController();
  vi.stubEnv('PATH', `${rig.root}:${process.env.PATH}`);
  // It never gets as far as the script.
  writeFileSync(`${rig.root}/bwrap`, `#!/bin/sh\ntouch ${rig.root}/started\nexec sleep 300\n`, { mode: 0o755 });
  const run = rig.run('touch ran', {}, { signal: controller.signal });
  await vi.waitFor(() => expect(existsSync(`${rig.root}/started`)).toBe(true), PATIENCE);
  end(controller);
  expect(await run).toMatchObject({ ok: false, code, sideEffect: 'none' });
});

test('a sandbox that is killed before the script begins has done nothing', async () => {
  vi.stubEnv('PATH', `${rig.root}:${process.env.PATH}`);
  writeFileSync(`${rig.root}/bwrap`, '#!/bin/sh\nkill -ABRT $$\n', { mode: 0o755 });
  expect(await rig.run('touch ran')).toMatchObject({
    ok: false,
    code: 'sandbox_unavailable',
    sideEffect: 'none',
    message: expect.stringContaining('ended by SIGABRT'),
  });
});

/** The children of a process that run bubblewrap. */
function sandboxesOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  const children = readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith('bwrap'));
}
