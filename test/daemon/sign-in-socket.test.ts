import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askForSignInCode, openSignInSocket, signInSocketPath } from '../../src/sign-in-socket.ts';
import { descendsFrom } from '../../src/socket-peer.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  [103, 'in the data directory', /^\/tmp\/handrail-socket-/],
  [104, 'in a folder under /tmp', /^\/tmp\/handrail-\d+-[0-9a-f]{16}\/sign-in\.sock$/],
])('a socket whose path would have %d bytes is %s', (bytes, _where, expected) => {
  const parent = newFolder();
  const folder = join(parent, 'x'.repeat(bytes - `${parent}//sign-in.sock`.length));
  mkdirSync(folder);
  expect(signInSocketPath(folder)).toMatch(expected);
});

test('each call gets a code of its own', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const codes = ['7KQF-3XWA', 'QQQQ-7777'];
  const socket = await openSignInSocket(path, () => String(codes.shift()));
  onTestFinished(socket.close);
  expect([await askForSignInCode(path), await askForSignInCode(path)]).toEqual(['code 7KQF-3XWA', 'code QQQQ-7777']);
});

test.each([
  ['that others may enter', (folder: string) => chmodSync(folder, 0o755)],
  [
    'that is a link',
    (folder: string) => {
      rmSync(folder, { recursive: true });
      symlinkSync(tmpdir(), folder);
    },
  ],
])('a folder %s is not used, neither for the socket nor to ask for a code', async (_what, spoil) => {
  const folder = newFolder();
  spoil(folder);
  const path = join(folder, 'sign-in.sock');
  const complaint = `${folder} should be a folder that is yours alone (0700).`;
  await expect(openSignInSocket(path, () => '7KQF-3XWA')).rejects.toThrow(complaint);
  await expect(askForSignInCode(path)).rejects.toThrow(complaint);
});

test('a connection that is closed without a code is an error', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  onTestFinished(() => void server.close());
  await expect(askForSignInCode(path)).rejects.toThrow('closed the connection without a code');
});

test('a daemon that does not answer for five seconds is an error', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  onTestFinished(() => void server.close());
  await expect(askForSignInCode(path)).rejects.toThrow('no answer came within 5 s');
});

test('of nine callers that do not hang up, eight get a code', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, () => '7KQF-3XWA');
  onTestFinished(socket.close);
  const answers: string[] = [];
  for (let caller = 0; caller < 9; caller += 1) {
    const connection = createConnection({ path, allowHalfOpen: true });
    onTestFinished(() => void connection.destroy());
    let text = '';
    connection.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(connection, 'end');
    answers.push(text);
  }
  expect(answers).toEqual([...Array.from({ length: 8 }, () => 'code 7KQF-3XWA\n'), '']);
});

/** Asks the socket by a process of its own. It is a child of this one, or, reparented, a child of the first process. */
async function askedByChild(path: string, how: 'child' | 'grandchild' | 'stranger'): Promise<string> {
  const ask = [process.execPath, join(import.meta.dirname, 'ask-for-code.ts'), path];
  const shell = { child: 'exec "$@"', grandchild: '"$@"; true', stranger: '("$@" > "$ANSWER" 2>&1 &)' }[how];
  const answer = join(newFolder(), 'answer');
  const child = spawn('sh', ['-c', shell, 'sh', ...ask], {
    env: { ANSWER: answer },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  if (how !== 'stranger') return text;
  return vi.waitFor(() => {
    const said = readFileSync(answer, 'utf8');
    expect(said).toMatch(/\n$/);
    return said;
  }, 10_000);
}

test.each(['child', 'grandchild'] as const)('X14: a %s of the daemon gets no code, and none is made', async (how) => {
  const path = join(newFolder(), 'sign-in.sock');
  const made: string[] = [];
  const socket = await openSignInSocket(path, () => String(made.push('code')));
  onTestFinished(socket.close);
  expect(await askedByChild(path, how)).toMatch(/^Handrail gives no sign-in code to a program that it started/);
  expect(made).toEqual([]);
});

test('a program that the daemon did not start gets a code', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, () => '7KQF-3XWA');
  onTestFinished(socket.close);
  expect(await askedByChild(path, 'stranger')).toBe('code 7KQF-3XWA\n');
});

test.each([
  [[40, 30, 20, 1], true],
  [[40, 1], false],
  [[40, 30, undefined], undefined],
  [[40, 40], undefined],
])('of the parents %j the process 20 is among them: %s', (parents, expected) => {
  const parentOf = (pid: number) => (pid === 40 && parents[1] === 40 ? 40 : parents[parents.indexOf(pid) + 1]);
  expect(descendsFrom(40, 20, parentOf)).toBe(expected);
});
