import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PersonVerb, PersonVerbRequest } from '../../src/contract/person-verb.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import { portOf } from '../../src/http/guarded-server.ts';
import { createAskingPrograms } from '../../src/http/peers.ts';
import type { PersonVerbs } from '../../src/http/routes/command-line.ts';
import { askDaemon, askForSignInCode, DeclinedByDaemon, NoDaemon } from '../../src/own-daemon/person-call.ts';
import { createDescends, createFindPeer, createFindProgram, type Descends } from '../../src/peers/find-caller.ts';
import { createPeerGate } from '../../src/peers/gate.ts';
import { noteDaemon } from '../../src/store/database/data-directory.ts';
import { REGISTRATION, type Rig, type RigOptions, startRig } from '../http/rig.ts';
import { PATIENCE } from '../runner/patience.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'k'.repeat(43);
const OTHER_KEY = 'o'.repeat(43);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-command-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Options = Pick<RigOptions, 'findProgram' | 'rateLimits' | 'limits'> & {
  verbs?: Partial<PersonVerbs>;
  descends?: Descends;
};

const PROGRAM: CallingProgram = { kind: 'program', uid: 1_000, pid: 40, name: 'handrail', startedBy: [] };

/** A daemon's HTTP interface with a folder that notes its key. `heard` lists the verbs that got through. */
async function rigWith({ verbs, descends = async () => false, ...options }: Options = {}) {
  const heard: string[] = [];
  const hear =
    (name: PersonVerb) =>
    async ({ words }: PersonVerbRequest) => ({ done: `${heard.push(`${name}(${words})`)}` });
  const all: PersonVerbs = {
    login: hear('login'),
    pause: hear('pause'),
    resume: hear('resume'),
    status: hear('status'),
    policy: hear('policy'),
    'policy-diff': hear('policy-diff'),
    machines: hear('machines'),
    'machine-add': hear('machine-add'),
    'machine-test': hear('machine-test'),
    'machine-remove': hear('machine-remove'),
  };
  const commandLine = { key: KEY, verbs: { ...all, ...verbs }, descends };
  const gate = createPeerGate({
    find: createFindPeer(process.platform),
    served: [process.geteuid?.() ?? 0],
    log: { warn: () => undefined },
  });
  const rig = await startRig({ findProgram: async () => PROGRAM, ...options, commandLine, peerGate: gate });
  const dataDirectory = newFolder();
  noteDaemon(dataDirectory, { port: rig.port, key: KEY });
  return { rig, heard, dataDirectory };
}

test('a verb reaches its answer with its words, and one that is declined is an error with the reason', async () => {
  const { dataDirectory, heard } = await rigWith({
    verbs: { resume: async ({ words }) => ({ declined: `A code is needed, and ${words} is none.` }) },
  });
  expect(await askDaemon({ dataDirectory, verb: 'pause' })).toBe('1');
  expect(await askDaemon({ dataDirectory, verb: 'status' })).toBe('2');
  const declined = askDaemon({ dataDirectory, verb: 'resume', words: '7KQF-3XWA' });
  await expect(declined).rejects.toThrow(new DeclinedByDaemon('A code is needed, and 7KQF-3XWA is none.'));
  expect(heard).toEqual(['pause()', 'status()']);
});

test('each call gets a code of its own', async () => {
  const codes = ['7KQF-3XWA', 'QQQQ-7777'];
  const { dataDirectory } = await rigWith({ verbs: { login: async () => ({ done: String(codes.shift()) }) } });
  const first = await askForSignInCode(dataDirectory);
  expect([first, await askForSignInCode(dataDirectory)]).toEqual(['code 7KQF-3XWA', 'code QQQQ-7777']);
});

test('a verb that fails is an error that says what to do, and the next one is answered', async () => {
  const { dataDirectory } = await rigWith({
    verbs: {
      status: async () => {
        throw new Error('secret');
      },
    },
  });
  const failed = askDaemon({ dataDirectory, verb: 'status' });
  await expect(failed).rejects.toThrow('Handrail failed at this request. Its log says why, under the request id.');
  expect(await askDaemon({ dataDirectory, verb: 'pause' })).toBe('1');
});

const post = (rig: Rig, verb: string, headers: Record<string, string>, words: unknown = '') =>
  rig.call(`POST /api/command-line/${verb}`, { headers, body: { words } });

describe.each([
  ...['login', 'pause', 'resume', 'status', 'policy', 'policy-diff'],
  ...['machines', 'machine-add', 'machine-test', 'machine-remove'],
])('X16: the verb %s', (verb) => {
  test.each([
    ['no key', {}],
    ['another key', { authorization: `Bearer ${OTHER_KEY}` }],
    ['a part of the key', { authorization: `Bearer ${KEY.slice(1)}` }],
    ['the key of a user id', { authorization: `Bearer ${OTHER_KEY}`, 'x-user-id': 'ann' }],
  ])('is not found by a caller with %s', async (_what, headers: Record<string, string>) => {
    const { rig, heard } = await rigWith();
    expect(await post(rig, verb, headers)).toMatchObject({ status: 404 });
    expect(heard).toEqual([]);
  });

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused to a page of %s that has the key', async (_what, headers: Record<string, string>) => {
    const { rig, heard } = await rigWith();
    expect(await post(rig, verb, { ...headers, authorization: `Bearer ${KEY}` })).toMatchObject({ status: 403 });
    expect(heard).toEqual([]);
  });
});

test.each([
  ['a verb that is none', 'approve', ''],
  ['a name that every object has', 'constructor', ''],
  ['words of 65 characters', 'resume', 'x'.repeat(65)],
  ['words that are no text', 'resume', 7],
])('%s is not taken', async (_what, verb, words) => {
  const { rig, heard } = await rigWith();
  expect(await post(rig, verb, { authorization: `Bearer ${KEY}` }, words)).toMatchObject({ status: 400 });
  expect(heard).toEqual([]);
});

test('without a command line of its own a daemon has no such path', async () => {
  const rig = await startRig();
  expect(await post(rig, 'pause', { authorization: `Bearer ${KEY}` })).toMatchObject({ status: 404 });
});

describe('no daemon is there', () => {
  test.each([
    ['without a folder', () => join(newFolder(), 'absent')],
    ['without a note', newFolder],
    [
      'with the note of a daemon in an app, which has no key',
      () => {
        const folder = newFolder();
        noteDaemon(folder, { port: 9 });
        return folder;
      },
    ],
  ])('%s', async (_what, folder) => {
    await expect(askForSignInCode(folder())).rejects.toThrow(NoDaemon);
  });

  test('where the daemon of the note is gone, and where another one has its port', async () => {
    const { rig } = await rigWith();
    const dataDirectory = newFolder();
    noteDaemon(dataDirectory, { port: rig.port, key: OTHER_KEY });
    await expect(askForSignInCode(dataDirectory)).rejects.toThrow(NoDaemon);
    await rig.app.close();
    await expect(askForSignInCode(dataDirectory)).rejects.toThrow(NoDaemon);
  });
});

test('a flood of others does not keep the person from the stop', async () => {
  const { rig, dataDirectory } = await rigWith({
    rateLimits: 'on',
    limits: { writesPerMinute: { perUser: 1, inAll: 1 }, maxConnections: 2 },
  });
  const others = Array.from({ length: 4 }, () => connect(rig.port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => {
    for (const socket of others) socket.destroy();
  });
  await Promise.all(others.map((socket) => once(socket, 'connect')));
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await post(rig, 'pause', { 'x-user-id': 'ann' })).status);
  const registered = await rig.call('POST /api/tee/devices/register', { userId: 'ann', body: REGISTRATION });
  expect([statuses, registered.status]).toEqual([[404, 404, 404], 201]);
  expect((await rig.call('POST /api/tee/devices/register', { userId: 'ann', body: REGISTRATION })).status).toBe(429);
  expect(await askDaemon({ dataDirectory, verb: 'pause' })).toBe('1');
});

/** Some other program at the port of a note. */
async function folderOf(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const dataDirectory = newFolder();
  noteDaemon(dataDirectory, { port: portOf(server), key: KEY });
  return dataDirectory;
}

test('an answer that is not one of Handrail is an error', async () => {
  const dataDirectory = await folderOf((_, answer) => answer.end('<html>'));
  await expect(askForSignInCode(dataDirectory)).rejects.toThrow('The answer is not one of Handrail.');
});

test.each([
  ['says nothing', () => undefined],
  ['never ends its answer', (_request, answer) => void answer.write('{')],
] satisfies [string, Parameters<typeof createServer>[1]][])(
  'a daemon that %s is waited for within bounds',
  async (_what, answer) => {
    const dataDirectory = await folderOf(answer);
    const asked = askDaemon({ dataDirectory, verb: 'login', withinMs: 300 });
    await expect(asked).rejects.toThrow('no answer came within 0.3 s');
  },
);

test('the key goes through no proxy of the environment', async () => {
  const { dataDirectory } = await rigWith();
  const proxied: (string | undefined)[] = [];
  const proxy = createServer((request, answer) => {
    proxied.push(request.url);
    answer.end('{}');
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
  expect(await askedByChild(dataDirectory, { how: 'child', verb: 'pause', env })).toBe('1\n');
  expect(proxied).toEqual([]);
});

const AGENT = { pid: process.pid, name: 'agent', path: '/usr/bin/agent' };
const asAgent: CallingProgram = { kind: 'program', uid: 1_000, ...AGENT, startedBy: [] };

/** A daemon that an agent asked for a picture. From then on the programs that call are told by the answer. */
async function askedByAgent() {
  let program = asAgent;
  const { rig, heard, dataDirectory } = await rigWith({ findProgram: async () => program });
  const { actions } = rig.services;
  const { submit } = actions;
  actions.submit = async (submission) => {
    await submission.program?.(true);
    return submit(submission);
  };
  const body = { targetDeviceId: await rig.registerDevice('ann'), actionType: 'TakeScreenshot', parameters: {} };
  await rig.call('POST /api/tee/actions', { userId: 'ann', body });
  return {
    heard,
    dataDirectory,
    callsAs(next: CallingProgram): void {
      program = next;
    },
  };
}

test.each<[string, CallingProgram]>([
  ['an agent that asked the person', asAgent],
  ['an agent that became another program after it asked', { ...asAgent, name: 'node', path: '/usr/bin/node' }],
  ['an agent whose file has another name by then', { ...asAgent, path: '/usr/bin/agent-2' }],
  ['a command that such an agent starts', { ...PROGRAM, startedBy: [{ pid: 71, name: 'sh' }, AGENT] }],
])('X23: %s gets no code and no end of the stop, and may stop everything', async (_what, program) => {
  const { callsAs, heard, dataDirectory } = await askedByAgent();
  callsAs(program);
  const declined = (verb: PersonVerb) => expect(askDaemon({ dataDirectory, verb })).rejects;
  await declined('login').toThrow(/^Handrail gives no sign-in code to a program .* that asked you for something/);
  await declined('resume').toThrow(/^Handrail gives no end of the stop to a program .* that asked you for something/);
  await declined('policy').toThrow(/^Handrail gives no profile of yours to a program .* that asked you for something/);
  await declined('policy-diff').toThrow(/^Handrail gives no record of what others did to a program .* that asked you/);
  await declined('machine-add').toThrow(/^Handrail gives no new machine to a program .* that asked you for something/);
  await declined('machine-remove').toThrow(/^Handrail gives no end of a machine to a program .* that asked you/);
  expect(await askDaemon({ dataDirectory, verb: 'pause' })).toBe('1');
  expect(heard).toEqual(['pause()']);
});

test('a program beside such an agent gets a code', async () => {
  const { callsAs, dataDirectory } = await askedByAgent();
  callsAs(PROGRAM);
  expect(await askDaemon({ dataDirectory, verb: 'login' })).toBe('1');
});

test('X23: an agent that runs is not forgotten, however many programs ask after it and end', () => {
  const running = new Map([[AGENT.pid, 5]]);
  const asking = createAskingPrograms((pid) => running.get(pid));
  asking.note(asAgent);
  for (let pid = 10_000_000; pid < 10_002_000; pid += 1) {
    running.set(pid, pid);
    asking.note({ ...asAgent, pid });
    running.delete(pid);
  }
  expect(asking.isOf(asAgent)).toBe(true);
});

test('a later program with the id of one that asked is another one', () => {
  const starts = new Map([[AGENT.pid, 5]]);
  const asking = createAskingPrograms((pid) => starts.get(pid));
  asking.note(asAgent);
  expect(asking.isOf({ ...asAgent, name: 'bash' })).toBe(true);
  starts.set(AGENT.pid, 6);
  expect(asking.isOf(asAgent)).toBe(false);
});

test.each<[string, CallingProgram, boolean | undefined]>([
  ['one that the system does not name', { kind: 'unknown', because: 'it has ended' }, false],
  ['one that took the connection over', { ...PROGRAM, changedFrom: { pid: 7, name: 'sh' } }, false],
  ['one whose parents are not known', PROGRAM, undefined],
  ['one that the daemon started', PROGRAM, true],
])('X14: %s gets no code and no end of the stop, and may stop everything', async (_what, program, descends) => {
  const { dataDirectory, heard } = await rigWith({
    findProgram: async () => program,
    descends: async () => descends,
  });
  const declined = (verb: PersonVerb) => expect(askDaemon({ dataDirectory, verb })).rejects;
  await declined('login').toThrow(/^Handrail gives no sign-in code to a program that it started/);
  await declined('resume').toThrow(/^Handrail gives no end of the stop to a program that it started/);
  expect(await askDaemon({ dataDirectory, verb: 'pause' })).toBe('1');
  expect(heard).toEqual(['pause()']);
});

type Asking = { how: 'child' | 'grandchild' | 'stranger'; verb?: PersonVerb; env?: Record<string, string> };

/** Asks by a process of its own. It is a child of this one, or, reparented, a child of the first process. */
async function askedByChild(folder: string, { how, verb = 'login', env = {} }: Asking): Promise<string> {
  const ask = [process.execPath, join(import.meta.dirname, 'ask-for-code.ts'), folder, verb];
  const shell = { child: 'exec "$@"', grandchild: '"$@"; true', stranger: '("$@" > "$ANSWER" 2>&1 &)' }[how];
  const answer = join(newFolder(), 'answer');
  const child = spawn('sh', ['-c', shell, 'sh', ...ask], {
    env: { ANSWER: answer, ...env },
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
  }, PATIENCE);
}

describe('real processes', () => {
  const real = () =>
    rigWith({
      findProgram: createFindProgram(process.platform, ROOT),
      descends: createDescends(process.platform),
    });

  test.each(['child', 'grandchild'] as const)('X14: a %s of the daemon gets no code, and none is made', async (how) => {
    const { dataDirectory, heard } = await real();
    expect(await askedByChild(dataDirectory, { how })).toMatch(
      /^Handrail gives no sign-in code to a program that it started/,
    );
    expect(heard).toEqual([]);
  });

  test('X14: a child of the daemon cannot end the stop, and may stop everything', async () => {
    const { dataDirectory, heard } = await real();
    expect(await askedByChild(dataDirectory, { how: 'child', verb: 'resume' })).toMatch(
      /^Handrail gives no end of the stop to a program that it/,
    );
    expect(await askedByChild(dataDirectory, { how: 'child', verb: 'pause' })).toBe('1\n');
    expect(heard).toEqual(['pause()']);
  });

  test('a program that the daemon did not start gets a code', async () => {
    const { dataDirectory, heard } = await real();
    expect(await askedByChild(dataDirectory, { how: 'stranger' })).toBe('1\n');
    expect(heard).toEqual(['login()']);
  });
});
