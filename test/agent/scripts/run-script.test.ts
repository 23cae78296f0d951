import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig, ranWell } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

test.each([
  ['sh', 'echo "$GREETING from $0"', 'hello from /run/handrail/script\n'],
  ['bash', 'echo "$GREETING" "$(( 3#11 ))"', 'hello 4\n'],
  ['python', 'import os; print(os.environ["GREETING"], 6 * 7)', 'hello 42\n'],
  ['node', 'console.log(process.env.GREETING, [1, 2].map((n) => n * 2))', 'hello [ 2, 4 ]\n'],
] as const)('%s runs with the environment of the parameters', async (interpreter, script, stdout) => {
  const result = ranWell(await rig.run(script, { interpreter, env: { GREETING: 'hello' } }));
  expect(result).toMatchObject({ exitCode: 0, stdout, stderr: '', outputs: ['stdout'], stdoutTail: stdout, cut: [] });
});

test.each([
  ['bash', 'echo script'],
  ['python', 'print("script")'],
] as const)('X24: the PATH of a requester puts no other program in the place of %s', async (interpreter, script) => {
  rig.makeFolder('work/bin');
  for (const name of ['bash', 'python3'])
    writeFileSync(rig.at(`work/bin/${name}`), '#!/bin/sh\necho other\n', { mode: 0o755 });
  const env = { PATH: `${rig.at('work/bin')}:/usr/bin:/bin` };
  expect(ranWell(await rig.run(script, { interpreter, env }))).toMatchObject({ stdout: 'script\n' });
});

test('the exit code, both outputs and the changed files are answered', async () => {
  rig.write('work/old.txt', 'old');
  const script =
    'echo out; echo bad >&2; echo more >> notes.txt; rm old.txt; mkdir sub; echo new > sub/new.txt; exit 3';
  const result = ranWell(await rig.run(script));
  expect(result).toMatchObject({ exitCode: 3, stdout: 'out\n', stderr: 'bad\n', changedFilesComplete: true });
  expect(result.changedFiles).toEqual([
    { path: rig.at('work/notes.txt'), change: 'changed' },
    { path: rig.at('work/old.txt'), change: 'removed' },
    { path: rig.at('work/sub/new.txt'), change: 'created' },
  ]);
  expect(rig.read('work/notes.txt')).toBe('notes\nmore\n');
});

test('a script without a folder runs in an empty one that goes away', async () => {
  const outcome = await rig.perform({ interpreter: 'sh', script: 'ls -A | wc -l; echo x > file; pwd' }, []);
  expect(ranWell(outcome)).toMatchObject({ stdout: '0\n/tmp/home\n', changedFiles: [] });
});

test('of a long output the end is kept', async () => {
  const result = ranWell(await rig.run("head -c 3000000 /dev/zero | tr '\\0' a; echo END"));
  expect([result.stdout.length, result.stdout.endsWith('aEND\n'), result.cut]).toEqual([1_048_576, true, ['stdout']]);
  expect(result.stdoutTail).toBe(`${'a'.repeat(3_996)}END\n`);
});

test('another file is written where it is named', async () => {
  const script = 'echo seen >> ../private/diary.txt';
  expect(ranWell(await rig.run(script)).exitCode).toBe(2);
  expect(rig.read('private/diary.txt')).toBe('SECRET-DIARY');
  expect(ranWell(await rig.run(script, { writes: ['~/private/diary.txt'] })).exitCode).toBe(0);
  expect(rig.read('private/diary.txt')).toContain('seen');
});

test.each(['~', '/', '/tmp', '/etc', '/usr/share', '~/missing', '~/work/notes.txt'])(
  'the folder %s is refused',
  async (folder) => {
    expect(await rig.run('true', { folder })).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
  },
);

test.each([{ interpreter: 'applescript' as const }, { interpreter: 'javascript' as const }])(
  '%j is refused before anything runs',
  async (more) => {
    expect(await rig.run('true', more)).toMatchObject({ ok: false, code: 'not_supported', sideEffect: 'none' });
  },
);

test('without the sandbox nothing runs, and the command that installs it is named', async () => {
  vi.stubEnv('PATH', rig.at('work'));
  expect(await rig.run('echo x > ran')).toMatchObject({
    ok: false,
    code: 'sandbox_unavailable',
    sideEffect: 'none',
    fix: expect.stringContaining('apt-get install bubblewrap'),
  });
  expect(rig.has('work/ran')).toBe(false);
});

test('X6: the system sets these limits for each process, and for the temporary folders', async () => {
  const script = `
import os, resource
for name in ['DATA', 'FSIZE', 'NOFILE', 'CORE']: print(name, *resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))
for folder in ['/tmp', '/dev/shm']:
    facts = os.statvfs(folder)
    print(folder, facts.f_blocks * facts.f_frsize)`;
  const { stdout } = ranWell(await rig.run(script, { interpreter: 'python' }));
  expect(stdout.trim().split('\n')).toEqual([
    'DATA 1073741824 1073741824',
    'FSIZE 1073741824 1073741824',
    'NOFILE 1024 1024',
    'CORE 0 0',
    '/tmp 268435456',
    '/dev/shm 268435456',
  ]);
});

test('X8: a folder with 500 secrets is not refused', async () => {
  rig.makeFolder('work/many');
  for (let index = 0; index < 500; index += 1) rig.write(`work/many/${index}.pem`, '');
  expect(ranWell(await rig.run('echo ran')).stdout).toBe('ran\n');
});
