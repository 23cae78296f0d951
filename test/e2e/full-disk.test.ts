import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { skipAllWithout } from '../runner/skip-without.ts';
import { type RunningDaemon, signIn, startDaemonProcess } from './daemon.ts';
import { startScriptsRig } from './scripts-rig.ts';

skipAllWithout('root');
skipAllWithout('Linux');

/** A disk of its own for the data of a daemon. */
function layDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-disk-'));
  const path = join(folder, 'data');
  mkdirSync(path);
  execFileSync('sh', ['-c', 'mount -t tmpfs -o size=32m,nr_inodes=200 none "$0"', path]);
  onTestFinished(() => {
    execFileSync('sh', ['-c', 'umount --lazy "$0"', path]);
    rmSync(folder, { recursive: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      const piece = Buffer.alloc(4_096);
      try {
        while (writeSync(file, piece) > 0);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      } finally {
        closeSync(file);
      }
    },
    /** There is room for some bytes, and then none. */
    leave: (bytes: number) => truncateSync(filler, statSync(filler).size - bytes),
    /** There is room for bytes, and for no new file. */
    fillWithFiles() {
      const make = (name: number) => writeFileSync(join(path, `file-${name}`), '');
      expect(() => Array.from({ length: 200 }, (_, name) => make(name))).toThrow('ENOSPC');
    },
    makeRoom: () => rmSync(filler),
  };
}

async function startOn(path: string): Promise<RunningDaemon> {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' }, path);
  onTestFinished(async () => {
    daemon.kill('SIGKILL');
    await daemon.exited;
  });
  await daemon.agentOnline();
  return daemon;
}

const storeOf = async (daemon: RunningDaemon) => (await daemon.health()).body.checks.store;

/** Fills the disk until the daemon takes no change any longer: its open files may have some room left. */
async function fillFor(daemon: RunningDaemon, fill: () => void): Promise<void> {
  await until('nothing can be stored', async () => {
    fill();
    const body = { type: 'linux', name: 'Desk', capabilities: {} };
    return (await daemon.call('/api/tee/devices/register', { userId: 'bob', body })).status === 503;
  });
}

test('on a full disk the person signs in, denies and stops, and it is recorded when there is room', async () => {
  const disk = layDisk();
  const daemon = await startOn(disk.path);
  const device = await daemon.register();
  const screenshot = { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters: {} };
  const { body: asked } = await daemon.submit(screenshot);
  await fillFor(daemon, disk.fill);
  const person = await signIn(daemon.call, daemon.base, daemon.signInCode);
  const [prompt] = await person.prompts();
  const { id = '', nonce, actionDigest } = prompt ?? {};
  const decision = { decision: 'deny', nonce, actionDigest };
  const denied = await person.call<Action>(`/confirmations/${id}/decision`, { body: decision });
  expect(denied.status).toBe(200);
  expect(await person.prompts()).toEqual([]);
  expect((await person.call('/pause', { method: 'POST' })).status).toBe(200);
  expect(await daemon.submit(screenshot)).toMatchObject({ status: 503, body: { code: 'paused' } });
  expect((await daemon.health()).body).toMatchObject({ status: 'degraded', checks: { store: 'failing' } });
  disk.makeRoom();
  expect(await daemon.ended(asked)).toMatchObject({ status: 'denied' });
  await until('the store works again', async () => (await storeOf(daemon)) === 'ok');
});

test('a code that was entered while the disk was full raises no alarm when it is entered for the first time', async () => {
  const disk = layDisk();
  const daemon = await startOn(disk.path);
  await fillFor(daemon, disk.fill);
  const person = await signIn(daemon.call, daemon.base, daemon.signInCode);
  expect(person.key).toEqual(expect.stringMatching(/^[\w-]{43}$/u));
  disk.makeRoom();
  await until('the sign-in is recorded', async () => (await storeOf(daemon)) === 'ok');
  expect((await person.call('/settings')).status).toBe(200);
});

test('as long as the writes of a requester are refused, health says that the store fails', async () => {
  const disk = layDisk();
  const daemon = await startOn(disk.path);
  const device = await daemon.register();
  const wait = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } };
  const long = { ...wait, actionType: 'WriteFile', parameters: { path: '~/new', content: 'x'.repeat(59_000) } };
  await fillFor(daemon, disk.fill);
  disk.leave(48 * 1_024);
  for (let count = 0; count < 40; count += 1) {
    const { status } = await daemon.submit(long);
    expect([count, status, await storeOf(daemon)]).toEqual([count, 503, 'failing']);
  }
  disk.makeRoom();
  await until('the store works again', async () => (await storeOf(daemon)) === 'ok');
  expect(await daemon.submit(wait)).toMatchObject({ status: 200, body: { status: 'success' } });
});

/** Runs a script that writes to a ledger, makes the disk lack something while it runs, and answers its record. */
async function scriptOn(disk: ReturnType<typeof layDisk>, lack: () => void, restore: () => void): Promise<Action> {
  const rig = await startScriptsRig({ HANDRAIL_DATA_DIR: disk.path });
  const script = 'echo done > began; while [ -e began ]; do sleep 0.05; done; head -c 100000 /dev/zero';
  const { body } = await rig.submit('RunScript', { interpreter: 'sh', folder: '~/work', script });
  await rig.answer('allow');
  await until('the script runs', async () => existsSync(rig.at('work/began')));
  lack();
  rmSync(rig.at('work/began'));
  const stored = async () => {
    const now = await rig.actionOf(body);
    return now.finishedAt === undefined ? undefined : now;
  };
  await until('the script ends', async () => (await stored()) ?? rig.daemon.log().includes('could not be'));
  restore();
  return until('its end is recorded', stored);
}

test('a script that was done is recorded as done where its output cannot be stored for want of a file', async () => {
  const disk = layDisk();
  const ended = await scriptOn(disk, disk.fillWithFiles, () => undefined);
  expect(ended).toMatchObject({ status: 'success', effect: 'confirmed', data: { exitCode: 0 } });
  expect(ended.details).toContain('Its output could not be written to disk');
  expect(ended).not.toHaveProperty('artifacts');
});

test('a script that ends while nothing can be stored is recorded with its output once there is room', async () => {
  const disk = layDisk();
  const ended = await scriptOn(disk, disk.fill, disk.makeRoom);
  expect(ended).toMatchObject({ status: 'success', effect: 'confirmed', data: { exitCode: 0 } });
  expect(ended.artifacts?.length ?? 0).toBe(ended.details.includes('is not kept') ? 0 : 1);
});
