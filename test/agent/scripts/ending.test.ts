import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { bubblewrapArguments, endLeftovers } from '../../../agent/scripts/bubblewrap.ts';
import { RELAY } from '../../../agent/scripts/network/relay.ts';
import { childrenOf } from '../../../agent/scripts/process-tree.ts';
import { PATIENCE } from '../../runner/patience.ts';
import { rigOfTest } from '../rig-of-test.ts';
import { createScriptsRig, ranWell } from './rig.ts';

const rig = rigOfTest(createScriptsRig);

/** The processes whose command line names a word; an unlikely word finds the processes of one test. */
function running(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandOf(pid).includes(word))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Leaves its group and its session, and closes everything that it could be found by. */
const forksAway = (word: string) =>
  `(setsid sh -c 'exec </dev/null >/dev/null 2>&1; touch away; sleep 300; : ${word}' &)
   while [ ! -e away ]; do sleep 0.02; done`;

test('X5: a process that forks away ends with the script', async () => {
  const word = `fork-${process.pid}`;
  expect(ranWell(await rig.run(forksAway(word))).exitCode).toBe(0);
  expect(running(word)).toEqual([]);
});

test.each(['user', 'timeout'])('X5: all processes end on %s', async (reason) => {
  const word = `end-${reason}-${process.pid}`;
  const controller = new AbortController();
  const run = rig.run(`${forksAway(word)}; touch begun; sleep 300`, {}, { signal: controller.signal });
  await vi.waitFor(() => expect(rig.has('work/begun')).toBe(true), PATIENCE);
  expect(running(word).length).toBeGreaterThan(0);
  controller.abort(reason);
  expect(await run).toMatchObject({ ok: false, sideEffect: 'unknown' });
  expect(running(word)).toEqual([]);
});

test('X5: all processes end when the agent dies', async () => {
  const word = `death-${process.pid}`;
  const program = `
    import { runSandboxed } from '${join(import.meta.dirname, '../../../agent/scripts/run-sandboxed.ts')}';
    import { resolvePath } from '${join(import.meta.dirname, '../../../agent/files/resolve-paths.ts')}';
    const { realPath: path, identity } = await resolvePath(${JSON.stringify(rig.at('work'))});
    const writable = [{ path, kind: 'folder', identity }];
    const sandbox = { interpreter: 'sh', folder: path, writable, hidden: [], readOnly: [], identities: new Map(), environment: {} };
    await runSandboxed(sandbox, { script: ${JSON.stringify(`${forksAway(word)}; sleep 300`)}, node: '', signal: new AbortController().signal });`;
  const agent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  await vi.waitFor(() => expect(rig.has('work/away')).toBe(true), PATIENCE);
  agent.kill('SIGKILL');
  await once(agent, 'exit');
  await vi.waitFor(() => expect(running(word)).toEqual([]), PATIENCE);
});

/** The sandbox alone, with a test in the place of its agent. */
function startSandbox(script: string, { proxySocket, without }: { proxySocket?: string; without?: string } = {}) {
  const folder = rig.at('work');
  const { dev: device, ino: inode } = statSync(folder, { bigint: true });
  const identity = { device: String(device), inode: String(inode) };
  const writable = [{ path: folder, kind: 'folder' as const, identity }];
  const rights = {
    interpreter: 'sh' as const,
    folder,
    writable,
    hidden: [],
    readOnly: [],
    identities: new Map(),
    environment: {},
  };
  const sandbox = { ...rights, proxySocket };
  const args = bubblewrapArguments(sandbox, { node: process.execPath, hasFilter: false });
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe', 'pipe', 'pipe', 'ignore', 'pipe'] as const;
  const child = spawn(
    'bwrap',
    args.filter((each) => each !== without),
    { stdio: [...stdio] },
  );
  const ends: readonly ChildProcess['stdio'][number][] = child.stdio;
  for (const [descriptor, text] of [
    [4, script],
    [5, RELAY],
  ] as const) {
    const stream = ends[descriptor] as Writable;
    stream.on('error', () => undefined);
    stream.end(text);
  }
  return { child, ready: once(child.stdio[3] as Readable, 'data') };
}

test.each(['without a network', 'with a network'])(
  'X5: a script %s whose agent died while its sandbox was made does not begin',
  async (network) => {
    const proxySocket = rig.at('proxy');
    writeFileSync(proxySocket, '');
    const { child, ready } = startSandbox('touch begun', network === 'with a network' ? { proxySocket } : {});
    await ready;
    child.stdio[3]?.destroy();
    expect([await once(child, 'exit'), existsSync(rig.at('work/begun'))]).toEqual([[1, null], false]);
  },
);

test('X5: a new agent ends what a killed one left of a sandbox, and nothing else', async () => {
  const untied = { without: '--die-with-parent' };
  const [left, used] = [startSandbox('sleep 300', untied), startSandbox('sleep 301', untied)];
  await Promise.all([left.ready, used.ready]);
  const [ofLeft, ofUsed] = [left, used].map(({ child }) => childrenOf(child.pid ?? 0));
  left.child.kill('SIGKILL');
  await once(left.child, 'exit');
  expect(ofLeft).toHaveLength(1);
  expect(ofLeft?.filter(isRunning)).toEqual(ofLeft);
  endLeftovers();
  await vi.waitFor(() => expect(ofLeft?.filter(isRunning)).toEqual([]), PATIENCE);
  expect(ofUsed?.filter(isRunning)).toEqual(ofUsed);
  for (const pid of ofUsed ?? []) process.kill(pid, 'SIGKILL');
  await once(used.child, 'exit');
});

const isRunning = (pid: number) => commandOf(String(pid)) !== '';

test.each([
  ['memory of one process', 'python', 'b = [bytearray(50_000_000) for _ in range(100)]', 'MemoryError'],
  ['a file of shared memory', 'sh', 'head -c 1000000000 /dev/zero > /dev/shm/x || echo FULL >&2', 'FULL'],
  ['the temporary folder', 'sh', 'head -c 1000000000 /dev/zero > /tmp/x || echo FULL >&2', 'FULL'],
] as const)('X6: %s is bounded', async (_name, interpreter, script, said) => {
  expect(ranWell(await rig.run(script, { interpreter })).stderr).toContain(said);
});

/** Each takes 3 GB at most, so that a missing limit ends no program of the machine. */
const FILLS_WITH_PROCESSES = `
import os, time
for _ in range(6):
    if os.fork() == 0:
        kept = b'x' * 500_000_000
        time.sleep(15)
        os._exit(0)
for _ in range(6): os.wait()`;
const FILLS_SHARED_MEMORY = `
import mmap, time
kept = [mmap.mmap(-1, 100_000_000) for _ in range(30)]
for each in kept:
    for at in range(0, len(each), 4096): each[at] = 1
time.sleep(8)`;

test.each([
  ['private memory of several processes', FILLS_WITH_PROCESSES],
  ['memory that processes can share', FILLS_SHARED_MEMORY],
])('X6: %s is ended at 2 GB', async (_name, script) => {
  expect(await rig.run(script, { interpreter: 'python' })).toMatchObject({
    ok: false,
    code: 'too_large',
    message: 'The script was ended because it took more than 2048 MB of memory.',
  });
});

/** Sockets that hold nothing, so that a missing limit harms nothing: each could hold 208 kB. */
const OPENS_SOCKETS = `
import os, socket, time
for _ in range(12):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(500)]
        time.sleep(15)
        os._exit(0)
for _ in range(12): os.wait()`;
test('X6: memory that the kernel keeps for sockets is counted', async () => {
  expect(await rig.run(OPENS_SOCKETS, { interpreter: 'python' })).toMatchObject({
    ok: false,
    code: 'too_large',
    message: 'The script was ended because it took more than 2048 MB of memory with the buffers of its sockets.',
  });
});

test('a script may have 900 sockets', async () => {
  const script = `
import socket
kept = [socket.socketpair() for _ in range(450)]
print(len(kept))`;
  expect(ranWell(await rig.run(script, { interpreter: 'python' })).stdout).toBe('450\n');
});

test('memory that several processes share counts once', async () => {
  const script = `
import os, time
kept = b'x' * 600_000_000
for _ in range(5):
    if not os.fork(): time.sleep(1); os._exit(0)
time.sleep(1)
print('done')`;
  expect(ranWell(await rig.run(script, { interpreter: 'python' })).stdout).toContain('done');
});

test('a script is the first program that the system ends when the machine has no memory left', async () => {
  expect(ranWell(await rig.run('cat /proc/self/oom_score_adj')).stdout).toBe('1000\n');
});

test('X6: processes that multiply are ended together', async () => {
  const script = 'while true; do sleep 60 & done';
  const outcome = await rig.run(script, {}, { deadlineMs: 20_000 });
  if (outcome.ok) throw new Error('it ended by itself');
  expect([outcome.code, outcome.message, outcome.sideEffect]).toEqual([
    'too_large',
    'The script was ended because it took more than 256 processes.',
    'unknown',
  ]);
});

test('X7: a folder that was replaced after it was judged is refused, and nothing runs', async () => {
  const judged = await rig.judged('~/work');
  const run = () => rig.perform({ interpreter: 'sh', folder: '~/work', script: 'touch ran' }, judged);
  renameSync(rig.at('work'), rig.at('former'));
  symlinkSync(rig.at('private'), rig.at('work'));
  expect(await run()).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect([rig.names('private'), rig.names('former')]).toEqual([['diary.txt'], ['notes.txt']]);
});

test('X7: a link that the script swaps while it runs leads to nothing of the person', async () => {
  const script = `mkdir a; echo own > a/diary.txt; mv a b; ln -s ${rig.at('private')} a; cat a/diary.txt; echo x > a/new; true`;
  const result = ranWell(await rig.run(script));
  expect([result.stdout, rig.names('private')]).toEqual(['', ['diary.txt']]);
});

test('X8: a folder with too many secrets is refused', async () => {
  rig.makeFolder('work/many');
  for (let index = 0; index < 501; index += 1) rig.write(`work/many/${index}.pem`, '');
  expect(await rig.run('true')).toMatchObject({ ok: false, code: 'too_large', sideEffect: 'none' });
});
