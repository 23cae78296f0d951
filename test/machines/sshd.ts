import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Machine } from '../../src/contract/machine.ts';
import { until } from '../desktop/processes.ts';
import { type RigOnDesktop, rigOn } from '../desktop/rig.ts';

/** Another account of this computer, with a desktop of its own, that a real `sshd` on loopback lets in by a key. Only root can make one. */
export type SecondMachine = RigOnDesktop & {
  machine: Machine;
  /** For `createSshAgent`: the port, the key and the known hosts stand in a file. */
  sshArguments: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** The account. */
  uid: number;
  /** Where its account keeps its files. */
  home: string;
  /** The variables of its desktop. */
  env: Record<string, string>;
  /** Another `agentCommand`, with these variables. */
  commandWith(variables: Record<string, string>): string;
  /** Gives a folder to its account. */
  handOver(folder: string): void;
  /** The process ids of the agents that run there. */
  agents(): number[];
  /** The process ids of the commands that started them. */
  watchers(): number[];
  /** From now on it answers with another host key. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
};

const ACCOUNT = 'handrail-machine';
const PROJECT = join(import.meta.dirname, '../..');

/** The checkout may stand in a home that only root can enter, so `sshd` and all that it starts see it in the temporary folder. */
const AT_ANOTHER_PLACE = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';

export async function startSecondMachine(): Promise<SecondMachine> {
  const uid = uidOfAccount();
  const folder = mkdtempSync(join(tmpdir(), 'handrail-machine-'));
  const place = join(folder, 'project');
  const home = join(folder, 'home');
  chmodSync(folder, 0o755);
  for (const path of [place, home]) mkdirSync(path);
  chownSync(home, uid, uid);
  for (const name of ['host', 'other-host', 'key']) makeKey(join(folder, name));
  copyFileSync(join(folder, 'key.pub'), join(folder, 'authorized_keys'));
  const port = await freePort();
  writeConfigurations(folder, port);
  const there = (path: string) => join(place, relative(PROJECT, path));
  let server = await startServer({ folder, place, hostKey: 'host' });
  const sshArguments = ['-F', join(folder, 'ssh_config')];
  const desktop = await startDesktop(
    [...sshArguments, 'second'],
    [there(process.execPath), there(join(import.meta.dirname, 'desktop-of-account.ts'))],
  );
  writeCommand({ folder, home, uid, there, env: desktop.env });
  const environment = { PATH: process.env.PATH, HOME: folder };
  const asAccount = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--pdeathsig', 'KILL'];
  const { endApps, ...rig } = rigOn({ ...environment, ...desktop.env, HOME: home }, ['setpriv', ...asAccount]);
  let commands = 0;
  const running = (file: RegExp) =>
    processesOf(uid)
      .filter(({ words }) => words.some((word) => word.startsWith(place) && file.test(word)))
      .map(({ pid }) => pid);
  return {
    ...rig,
    machine: {
      name: 'second',
      address: 'second',
      agentCommand: join(folder, 'handrail'),
      display: String(desktop.env.DISPLAY),
    },
    sshArguments,
    environment,
    uid,
    home,
    env: desktop.env,
    commandWith(variables) {
      commands += 1;
      const file = join(folder, `handrail-${commands}`);
      const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
      writeFileSync(file, ['#!/bin/sh', ...exports, `exec ${folder}/handrail "$@"\n`].join('\n'), { mode: 0o755 });
      return file;
    },
    handOver: (given) => void execFileSync('chown', ['-R', `${uid}:${uid}`, given]),
    agents: () => running(/agent-stdio\.js$|agent\/stdio\.ts$/),
    watchers: () => running(/(?:cli\.js|cli\/main\.ts)$/),
    async changeHostKey() {
      await server.stop();
      server = await startServer({ folder, place, hostKey: 'other-host' });
    },
    async close() {
      await endApps();
      await desktop.close();
      await server.stop();
      await until('the account has no process of this machine', () =>
        processesOf(uid).every(({ words }) => !words.some((word) => word.startsWith(folder))),
      );
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The account is made on first use, and stays. It has no password, and only the keys that `sshd` is shown let it in. */
function uidOfAccount(): number {
  const known = () => {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${ACCOUNT}:`));
    return line === undefined ? undefined : Number(line.split(':')[2]);
  };
  if (known() === undefined) {
    const options = [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/',
      '--password',
      '*',
      '--shell',
      '/bin/sh',
    ];
    try {
      execFileSync('useradd', [...options, ACCOUNT]);
    } catch (error) {
      // Another test file may have made it at the same moment.
      if (known() === undefined) throw error;
    }
  }
  return Number(known());
}

function makeKey(file: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return address.port;
}

function writeConfigurations(folder: string, port: number): void {
  const server = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    `AllowUsers ${ACCOUNT}`,
  ];
  writeFileSync(join(folder, 'sshd_config'), `${server.join('\n')}\n`);
  const client = [
    'Host second',
    'HostName 127.0.0.1',
    `Port ${port}`,
    `User ${ACCOUNT}`,
    `IdentityFile ${folder}/key`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${folder}/known_hosts`,
    'GlobalKnownHostsFile /dev/null',
  ];
  writeFileSync(join(folder, 'ssh_config'), `${client.join('\n')}\n`);
  const hostKey = readFileSync(join(folder, 'host.pub'), 'utf8');
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${hostKey}`);
}

async function startServer({ folder, place, hostKey }: { folder: string; place: string; hostKey: string }) {
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const command = ['/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'sshd_config'), '-h', join(folder, hostKey)];
  const tethered = ['setpriv', '--pdeathsig', 'TERM', '--', ...command];
  const server = spawn('unshare', ['--mount', 'sh', '-c', AT_ANOTHER_PLACE, 'sh', PROJECT, place, ...tethered], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  const lines: string[] = [];
  createInterface({ input: server.stderr }).on('line', (line) => lines.push(line));
  await until('sshd listens', () => lines.some((line) => line.startsWith('Server listening')));
  return {
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}

async function startDesktop(ssh: readonly string[], command: readonly string[]) {
  const child = spawn('ssh', [...ssh, ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`the second desktop did not start: ${line}`);
  const env: Record<string, string> = JSON.parse(line);
  return {
    env,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

type Command = { folder: string; home: string; uid: number; there(path: string): string; env: Record<string, string> };

/** The command `handrail` of the account, which its shell greets first. Its home has the cookie of its display, as on a person's machine. */
function writeCommand({ folder, home, uid, there, env }: Command): void {
  copyFileSync(String(env.XAUTHORITY), join(home, '.Xauthority'));
  chownSync(join(home, '.Xauthority'), uid, uid);
  const script = [
    '#!/bin/sh',
    'echo Welcome to the second machine.',
    `export HOME=${home} XDG_RUNTIME_DIR=${env.XDG_RUNTIME_DIR}`,
    `cd "$HOME" && exec ${there(process.execPath)} ${there(join(PROJECT, 'src/launch/handrail.cjs'))} "$@"`,
  ];
  writeFileSync(join(folder, 'handrail'), `${script.join('\n')}\n`, { mode: 0o755 });
}

function processesOf(uid: number): { pid: number; words: string[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const owner = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        if (Number(owner) !== uid) return [];
        return [{ pid: Number(pid), words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
