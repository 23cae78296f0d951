import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { rigOfTest } from '../agent/rig-of-test.ts';
import { createScriptsRig, ranWell } from '../agent/scripts/rig.ts';

/** RunScript in the real sandbox of macOS. Run where `process.platform` is darwin. */

const rig = rigOfTest(createScriptsRig);

/** Assumed without a Mac: that the profile names all that programs need to start in this version of macOS. */
test('RunScript in sandbox-exec works in its folder, in each language of macOS', async () => {
  for (const interpreter of ['sh', 'bash', 'zsh'] as const) {
    const result = ranWell(await rig.run('cat notes.txt; echo more >> notes.txt', { interpreter }));
    expect([interpreter, result.exitCode, result.stderr]).toEqual([interpreter, 0, '']);
  }
  expect(readFileSync(rig.at('work/notes.txt'), 'utf8')).toBe('notes\nmore\nmore\nmore\n');
});

/** Assumed without a Mac: that the rules of the profile mean what others have written about them, and which services a script can call. */
test('RunScript in sandbox-exec reads no secret, writes nowhere else and moves no secret out of its rules', async () => {
  const script = `mkdir backup; cat ../.ssh/id_rsa; cat ../private/diary.txt; echo x > ../private/new; echo x > /private/tmp/handrail-new
    ls ~/../../Users; defaults read NSGlobalDomain; osascript -e 'tell app "Finder" to activate'; launchctl list; true`;
  const { stdout } = ranWell(await rig.run(script));
  expect(stdout).toBe('');
  expect(readFileSync(rig.at('private/diary.txt'), 'utf8')).toBe('SECRET-DIARY');
});

/** Assumed without a Mac: that a rule for localhost and one port covers a connection to 127.0.0.1. */
test('RunScript in sandbox-exec reaches the proxy and no other port', async () => {
  const server = createServer((_asked, answer) => answer.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const internet = { addressesOf: async () => ['127.0.0.1'], mayReach: () => true };
  const script = `curl -sS http://allowed.test:${port}/; curl -sS --noproxy '*' http://127.0.0.1:${port}/ || echo refused`;
  const result = ranWell(await rig.run(script, { network: [`allowed.test:${port}`] }, {}, { internet }));
  expect(result.stdout).toBe('hellorefused\n');
  server.close();
});

/** Assumed without a Mac: how osascript prints results, and that it reads a script file without an ending. */
test('RunScript runs AppleScript and JXA by osascript', async () => {
  expect(ranWell(await rig.run('return 6 * 7', { interpreter: 'applescript' })).stdout).toBe('42\n');
  expect(ranWell(await rig.run('6 * 7', { interpreter: 'javascript' })).stdout).toBe('42\n');
});
