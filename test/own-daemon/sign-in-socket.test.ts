import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  askDaemon,
  askForSignInCode,
  openSignInSocket,
  signInSocketPath,
  type Verb,
} from '../../src/own-daemon/sign-in-socket.ts';
import { descendsFrom } from '../../src/own-daemon/socket-peer.ts';

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

test('the socket is for its owner alone, in a folder that is too', async () => {
  const folder = newFolder();
  const path = join(folder, 'sign-in.sock');
  const socket = await openSignInSocket(path, {});
  onTestFinished(socket.close);
  expect([statSync(path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('each call gets a code of its own', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const codes = ['7KQF-3XWA', 'QQQQ-7777'];
  const socket = await openSignInSocket(path, { login: () => ({ done: String(codes.shift()) }) });
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
  await expect(openSignInSocket(path, {})).rejects.toThrow(complaint);
  await expect(askForSignInCode(path)).rejects.toThrow(complaint);
});

test('a connection that is closed without an answer is an error', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  onTestFinished(() => void server.close());
  await expect(askForSignInCode(path)).rejects.toThrow('closed the connection without an answer');
});

test('a daemon that does not answer for five seconds is an error', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  onTestFinished(() => void server.close());
  await expect(askForSignInCode(path)).rejects.toThrow('no answer came within 5 s');
});

test('of nine callers that say nothing, eight hold a place, until the socket ends them after five seconds', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, { login: () => ({ done: '7KQF-3XWA' }) });
  onTestFinished(socket.close);
  const silent = Array.from({ length: 8 }, () => createConnection({ path }));
  for (const connection of silent) onTestFinished(() => void connection.destroy());
  await Promise.all(silent.map((connection) => once(connection, 'connect')));
  await expect(askForSignInCode(path)).rejects.toThrow();
  await Promise.all(silent.map((connection) => once(connection.resume(), 'close')));
  expect(await askForSignInCode(path)).toBe('code 7KQF-3XWA');
});

test('a verb reaches its answer with its words, and an answer that is a refusal is an error with the reason', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const heard: string[] = [];
  const socket = await openSignInSocket(path, {
    pause: (words) => {
      heard.push(`pause(${words})`);
      return { done: '' };
    },
    resume: (words) => {
      heard.push(`resume(${words})`);
      return { refused: 'A code is needed.' };
    },
    status: () => ({ done: '{"paused":true}' }),
  });
  onTestFinished(socket.close);
  expect(await askDaemon(path, 'pause')).toBe('');
  await expect(askDaemon(path, 'resume', '7KQF-3XWA')).rejects.toThrow('A code is needed.');
  expect(await askDaemon(path, 'status')).toBe('{"paused":true}');
  expect(heard).toEqual(['pause()', 'resume(7KQF-3XWA)']);
});

test.each(['login', 'pause', 'resume', 'status'] satisfies Verb[])(
  'the verb %s is refused where it is not offered',
  async (verb) => {
    const path = join(newFolder(), 'sign-in.sock');
    const socket = await openSignInSocket(path, {});
    onTestFinished(socket.close);
    await expect(askDaemon(path, verb)).rejects.toThrow('does not know that command');
  },
);

test('an answer that fails is a refusal with the reason in one line, and the socket goes on', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, {
    status: () => {
      throw new Error('no\nroom');
    },
    login: () => ({ done: '7KQF-3XWA' }),
  });
  onTestFinished(socket.close);
  await expect(askDaemon(path, 'status')).rejects.toThrow('no room');
  expect(await askForSignInCode(path)).toBe('code 7KQF-3XWA');
});

test.each([
  ['64 bytes without an end', 'x'.repeat(65)],
  ['no whole line', 'pau'],
])('a caller that sends %s gets no answer, and nothing is done', async (_what, text) => {
  const path = join(newFolder(), 'sign-in.sock');
  let count = 0;
  const pause = () => {
    count += 1;
    return { done: '' };
  };
  const socket = await openSignInSocket(path, { pause });
  onTestFinished(socket.close);
  const connection = createConnection({ path });
  connection.on('error', () => undefined);
  connection.end(text);
  let heard = '';
  connection.setEncoding('utf8').on('data', (part: string) => {
    heard += part;
  });
  await once(connection, 'close');
  expect([heard, count]).toEqual(['', 0]);
});

test('a socket closes while a caller says nothing', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, {});
  const connection = createConnection({ path });
  await once(connection, 'connect');
  await socket.close();
  connection.destroy();
});

/** Asks the socket by a process of its own. It is a child of this one, or, reparented, a child of the first process. */
async function askedByChild(path: string, how: 'child' | 'grandchild' | 'stranger', verb = 'login'): Promise<string> {
  const ask = [process.execPath, join(import.meta.dirname, 'ask-for-code.ts'), path, verb];
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
  const socket = await openSignInSocket(path, { login: () => ({ done: String(made.push('code')) }) });
  onTestFinished(socket.close);
  expect(await askedByChild(path, how)).toMatch(/^Handrail gives no sign-in code to a program that it started/);
  expect(made).toEqual([]);
});

test('X14: a child of the daemon cannot end the stop, and may stop everything', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const done: string[] = [];
  const verb = (name: string) => () => ({ done: String(done.push(name)) });
  const socket = await openSignInSocket(path, { pause: verb('pause'), resume: verb('resume') });
  onTestFinished(socket.close);
  expect(await askedByChild(path, 'child', 'resume')).toMatch(
    /^Handrail gives no end of the stop to a program that it/,
  );
  expect(await askedByChild(path, 'child', 'pause')).toBe('1\n');
  expect(done).toEqual(['pause']);
});

test('a program that the daemon did not start gets a code', async () => {
  const path = join(newFolder(), 'sign-in.sock');
  const socket = await openSignInSocket(path, { login: () => ({ done: '7KQF-3XWA' }) });
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
