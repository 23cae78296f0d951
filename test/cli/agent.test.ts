import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { displaysOf, withDesktop } from '../../src/agent-host/stdio-agent.ts';
import { doorOf, noteForAccount } from '../../src/own-daemon/account-note.ts';
import { accountFolderOf, readSettings } from '../../src/own-daemon/settings.ts';
import { startDaemonInProcess } from '../shell/daemon-in-process.ts';
import { pretendedDaemon } from './pretended-daemon.ts';
import { handrail, newHome } from './rig.ts';

const uid = Number(process.getuid?.());

async function daemonOf(home: string, says: Parameters<typeof pretendedDaemon>[0]): Promise<string> {
  const daemon = await pretendedDaemon(says);
  onTestFinished(daemon.end);
  const folder = accountFolderOf(home);
  noteForAccount(folder, '/wherever/it/keeps/its/data', { port: daemon.port, instanceId: 'one' });
  return folder;
}

test('the agent talks on standard input and output only', async () => {
  expect(await handrail(['agent'])).toEqual({
    code: 2,
    output: '',
    errors: expect.stringContaining('`handrail agent --stdio`'),
  });
});

test('where a Handrail of this account runs, its person rules', async () => {
  const home = newHome();
  await daemonOf(home, {});
  const { code, output, errors } = await handrail(['agent', '--stdio'], { home });
  expect([code, output]).toEqual([77, '']);
  expect(errors).toMatch(/^handrail: machine_has_a_person: /);
});

test.each([
  ['has not allowed others', {}, 'closed'],
  ['has refused others', { acceptsOtherDaemons: false }, 'closed'],
  ['has allowed others', { acceptsOtherDaemons: true }, 'open'],
  ['does not answer', null, 'closed'],
] as const)('N55: a daemon whose person %s', async (_name, says, door) => {
  expect(await doorOf(await daemonOf(newHome(), says))).toBe(door);
});

test('N55: a daemon that cuts the connection, since it has too many, is one that does not answer', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const folder = newHome();
  noteForAccount(folder, '/data', { port: Object(server.address()).port, instanceId: 'one' });
  expect(await doorOf(folder)).toBe('closed');
});

test('N55: a daemon of another version, whose answer has more or less in it, rules too', async () => {
  for (const said of [{ yetMore: 1 }, { storage: undefined }])
    expect(await doorOf(await daemonOf(newHome(), said as object))).toBe('closed');
});

test('a daemon that is gone rules nothing, also where another has its port', async () => {
  const folder = newHome();
  expect(await doorOf(folder)).toBe('no daemon');
  const daemon = await pretendedDaemon({});
  const forget = noteForAccount(folder, '/data', { port: daemon.port, instanceId: 'one' });
  expect(await doorOf(folder)).toBe('closed');
  daemon.says({ instanceId: 'two' });
  expect(await doorOf(folder)).toBe('no daemon');
  daemon.says({ instanceId: 'one' });
  forget();
  expect(await doorOf(folder)).toBe('no daemon');
  noteForAccount(folder, '/data', { port: daemon.port, instanceId: 'one' });
  daemon.end();
  expect(await doorOf(folder)).toBe('no daemon');
});

test('N55: of several daemons of an account, each must have allowed others', async () => {
  const folder = newHome();
  for (const acceptsOtherDaemons of [true, false]) {
    const daemon = await pretendedDaemon({ acceptsOtherDaemons });
    onTestFinished(daemon.end);
    noteForAccount(folder, `/data/${acceptsOtherDaemons}`, { port: daemon.port, instanceId: 'one' });
    expect(await doorOf(folder)).toBe(acceptsOtherDaemons ? 'open' : 'closed');
  }
});

test('notes that cannot be read are no leave', async () => {
  const folder = join(newHome(), 'file');
  writeFileSync(folder, '');
  await expect(doorOf(folder)).rejects.toThrow('ENOTDIR');
});

test('N55: a daemon notes itself for its account while it runs, whatever its data directory is', async () => {
  const folder = accountFolderOf(newHome());
  const rig = await startDaemonInProcess({ accountFolder: folder });
  expect(await doorOf(folder)).toBe('closed');
  await rig.end();
  expect(readdirSync(folder)).toEqual([]);
  expect(readSettings({ HANDRAIL_DATA_DIR: '/x' }, 'linux').accountFolder).toBe(accountFolderOf(homedir()));
});

/** Folders as the system has them, with sockets of X displays that belong to this user. */
function account(displays: readonly string[] = []) {
  const home = newHome();
  const folders = { displays: join(home, 'x'), runtime: join(home, 'run') };
  mkdirSync(folders.displays);
  for (const name of displays) {
    const server = createServer().listen(join(folders.displays, name));
    onTestFinished(() => void server.close());
  }
  return { home, uid, platform: 'linux' as const, folders };
}

test('the displays of an account are those whose sockets are its own', () => {
  const given = account(['X1', 'X12', 'other']);
  expect(displaysOf(given)).toEqual([':1', ':12']);
  expect(displaysOf({ ...given, uid: uid + 1 })).toEqual([]);
  expect(displaysOf({ uid, folders: { displays: join(given.home, 'none'), runtime: '' } })).toEqual([]);
});

test('a login over ssh gets the display, its bus and its cookie', () => {
  const given = account();
  const runtime = join(given.folders.runtime, String(uid));
  expect(withDesktop({ ...given, environment: { PATH: '/bin' } }, undefined)).toEqual({ PATH: '/bin' });
  mkdirSync(join(runtime, 'bus'), { recursive: true });
  mkdirSync(join(runtime, 'gdm/Xauthority'), { recursive: true });
  const found = { XDG_RUNTIME_DIR: runtime, DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus` };
  expect(withDesktop({ ...given, environment: {} }, ':1')).toEqual({
    ...found,
    DISPLAY: ':1',
    XAUTHORITY: join(runtime, 'gdm/Xauthority'),
  });
  mkdirSync(join(given.home, '.Xauthority'));
  expect(withDesktop({ ...given, environment: {} }, ':1').XAUTHORITY).toBe(join(given.home, '.Xauthority'));
});

test('what the login has stays, apart from a display that is named', () => {
  const environment = { DISPLAY: ':7', XAUTHORITY: '/x', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/y' };
  expect(withDesktop({ ...account(), environment }, undefined)).toEqual(environment);
  expect(withDesktop({ ...account(), environment }, ':8').DISPLAY).toBe(':8');
  expect(withDesktop({ ...account(), platform: 'darwin', environment: {} }, undefined)).toEqual({});
});
