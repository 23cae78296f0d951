import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { CallingProgram } from '../../src/contract/program.ts';
import { createPeerGate } from '../../src/peers/gate.ts';
import { createLinuxPeers } from '../../src/peers/linux-peers.ts';
import { createLinuxPrograms } from '../../src/peers/linux-programs.ts';
import type { FindProgram } from '../../src/peers/program.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { type Rig, startRig } from './rig.ts';

skipAllWithout('Linux');

/** Connects; once it is told so, sends a request. Of the ways but `stay` another program sends its last byte. */
const FORGER = `
import os, socket, sys, time
port, request, way = int(sys.argv[1]), sys.argv[2].encode().decode('unicode_escape').encode(), sys.argv[3]
s = socket.create_connection(('127.0.0.1', port))
os.set_inheritable(s.fileno(), True)
sys.stdin.readline()
forger = os.getpid()
if way == 'stay':
    s.sendall(request)
    sys.stdin.readline()
else:
    s.sendall(request[:-1])
    if way == 'exec' or os.fork() == 0:
        while way == 'fork' and os.getppid() == forger: time.sleep(0.01)
        os.execv('/bin/bash', ['bash', '-c', 'printf "}" >&$0; exec sleep 60', str(s.fileno())])
`;

/** On a busy machine another program takes long to start, and the daemon would not wait so long for the rest of a request. */
const PATIENT = { headersTimeoutMs: 100_000, requestTimeoutMs: 100_000 };

/** The real look-ups of this system, and the programs that were found, in their order. */
function realLookUps() {
  const found: CallingProgram[] = [];
  const findLinux = createLinuxPrograms();
  const findProgram: FindProgram = async (caller) => {
    const program = await findLinux(caller);
    found.push(program);
    return program;
  };
  const served = [process.geteuid?.() ?? 0];
  const peerGate = createPeerGate({ find: createLinuxPeers(), served, log: { warn: () => undefined } });
  return { found, peerGate, findProgram };
}

/** The program that the daemon tells of a request which a forger sends. */
async function programOfForged(rig: Rig, found: readonly CallingProgram[], way: string) {
  const deviceId = await rig.registerDevice('ann');
  const body = JSON.stringify({ targetDeviceId: deviceId, actionType: 'TakeScreenshot', parameters: {} });
  const lines = [
    'POST /api/tee/actions HTTP/1.1',
    `Host: 127.0.0.1:${rig.port}`,
    'x-user-id: ann',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const request = `${[...lines, '', ''].join('\\r\\n')}${body}`;
  // A group of its own, so that a child of the forger ends with it.
  const forger = spawn('python3', ['-c', FORGER, String(rig.port), request, way], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-Number(forger.pid), 'SIGKILL'));
  const asked = nextProgram(rig);
  await expect.poll(() => found.some((each) => each.kind === 'program' && each.pid === forger.pid)).toBe(true);
  forger.stdin.write('looked up\n');
  return { pid: forger.pid, program: await asked };
}

/** The program of the next submission, as the services ask for it. */
function nextProgram({ services: { actions } }: Rig): Promise<CallingProgram | undefined> {
  const { submit } = actions;
  return new Promise((resolve) => {
    actions.submit = async (submission) => {
      const answer = await submit(submission);
      resolve(submission.program?.(true));
      return answer;
    };
  });
}

test('P2: a program that becomes another one before its request is read is shown as changed', async () => {
  const { found, ...lookUps } = realLookUps();
  const { pid, program } = await programOfForged(await startRig({ ...lookUps, limits: PATIENT }), found, 'exec');
  expect(program).toMatchObject({
    pid,
    name: expect.stringMatching(/^(bash|sleep)$/),
    changedFrom: { pid, name: expect.stringMatching(/^python3/) },
  });
});

test('P2: a program that leaves its connection to a child is shown as changed', async () => {
  const { found, ...lookUps } = realLookUps();
  const { pid, program } = await programOfForged(await startRig({ ...lookUps, limits: PATIENT }), found, 'fork');
  expect(program).toMatchObject({ name: expect.stringMatching(/^(bash|sleep)$/), changedFrom: { pid } });
});

test('a program that stays is not shown as changed', async () => {
  const { found, ...lookUps } = realLookUps();
  const { pid, program } = await programOfForged(await startRig({ ...lookUps, limits: PATIENT }), found, 'stay');
  expect(program).toMatchObject({ pid, name: expect.stringMatching(/^python3/) });
  expect(program).not.toHaveProperty('changedFrom');
});

test('connections that are made at once are looked up one after the other', async () => {
  const looks: PromiseWithResolvers<CallingProgram>[] = [];
  const rig = await startRig({
    findProgram() {
      const look = Promise.withResolvers<CallingProgram>();
      looks.push(look);
      return look.promise;
    },
  });
  for (let count = 0; count < 3; count += 1) {
    const accepted = once(rig.app.server, 'connection');
    const socket = connect(rig.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await accepted;
  }
  for (let count = 1; count <= 3; count += 1) {
    await expect.poll(() => looks.length).toBe(count);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toHaveLength(count);
    looks.at(-1)?.resolve({ kind: 'unknown', because: 'a test' });
  }
});
