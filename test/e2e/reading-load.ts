import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Action } from '../../src/contract/action.ts';
import { get } from '../http/attacks/target.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

const MIB = 1024 * 1024;
const PICTURE_BYTES = 6 * MIB;
/** Of `/proc/<pid>/stat`; Linux counts in hundredths of a second. */
const TICK_MS = 10;
const PICTURE_ID = 'art_01ARZ3NDEKTSV4RRFFQ69G5FAV';
/** With a description of some hundred kilobytes, as a real desktop with many windows has it. */
const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: JSON.stringify({ moreWindows: 400 }) };

export type ReadingLoad = {
  daemon: RunningDaemon;
  deviceId: string;
  /** One request for a picture of 6 MiB. */
  pictureRequest: string;
};

/** A real daemon on which the user ann has a picture of 6 MiB. */
export async function startReadingLoad(environment: Record<string, string> = {}): Promise<ReadingLoad> {
  const first = await startDaemonProcess(FAKE);
  const { id: deviceId } = await first.register();
  const { body } = await first.submit({ targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs: 0 } });
  first.kill('SIGTERM');
  await first.exited;
  plantPicture(first.dataDirectory, body);
  const daemon = await startDaemonProcess({ ...FAKE, ...environment }, first.dataDirectory);
  await daemon.agentOnline();
  const address = { host: '127.0.0.1', port: daemon.port };
  return { daemon, deviceId, pictureRequest: get(address, `/api/tee/artifacts/${PICTURE_ID}`, { userId: 'ann' }) };
}

/** As a screenshot leaves it: a file, and its row. */
function plantPicture(dataDirectory: string, { actionId }: Action): void {
  writeFileSync(join(dataDirectory, 'artifacts', PICTURE_ID), randomBytes(PICTURE_BYTES), { mode: 0o600 });
  const database = new Database(join(dataDirectory, 'handrail.db'));
  database
    .prepare(
      `INSERT INTO artifacts (id, action_id, user_id, media_type, width, height, size_bytes, sha256, created_at_ms)
       VALUES (?, ?, 'ann', 'image/png', 1920, 1080, ?, '', ?)`,
    )
    .run(PICTURE_ID, actionId, PICTURE_BYTES, Date.now());
  database.close();
}

/** Opens connections that send a request each and read nothing of the answer. */
export async function openIdleReaders({ daemon }: ReadingLoad, count: number, request: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect(daemon.port, '127.0.0.1')
      .on('error', () => undefined)
      .pause(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(request);
  return sockets;
}

export type Peak = {
  megabytes: number;
  /** When it was, and what it consisted of: for the message of a failure. */
  about: string;
};

/** The most memory the process has while `work` goes on. */
export async function peakMemory(pid: number, work: () => Promise<void>): Promise<Peak> {
  const beganAtMs = performance.now();
  let peak: Peak = { megabytes: 0, about: '' };
  let isOver = false;
  const look = () => {
    const status = statusOf(pid);
    const megabytes = megabytesIn(status, 'VmRSS');
    if (megabytes <= peak.megabytes) return;
    const parts = ['RssAnon', 'RssFile', 'RssShmem', 'VmHWM'].map((name) => `${name} ${megabytesIn(status, name)} MB`);
    const threads = /^Threads:\s+(\d+)/m.exec(status)?.[1];
    const afterMs = Math.round(performance.now() - beganAtMs);
    peak = { megabytes, about: `${parts.join(', ')}, ${threads} threads, after ${afterMs} ms` };
  };
  const watched = (async () => {
    while (!isOver) {
      look();
      await delay(20);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watched;
  return peak;
}

export function residentMegabytes(pid: number): number {
  return megabytesIn(statusOf(pid), 'VmRSS');
}

/** Adds up all threads of a process. */
export function processorTimeMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(afterName[11]) + Number(afterName[12])) * TICK_MS;
}

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}

function megabytesIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

/** Submits descriptions of the screen, four at a time, until so many have succeeded; answers their ids. */
export async function describeScreens({ daemon, deviceId }: ReadingLoad, count: number): Promise<string[]> {
  const body = { targetDeviceId: deviceId, actionType: 'DescribeScreen', parameters: {} };
  const ids: string[] = [];
  let begun = 0;
  const submit = async () => {
    while (begun < count) {
      begun += 1;
      const answer = await daemon.submit(body);
      if (answer.body.status !== 'success') throw new Error(`expected success, got ${JSON.stringify(answer.body)}`);
      ids.push(answer.body.actionId);
    }
  };
  await Promise.all([submit(), submit(), submit(), submit()]);
  return ids;
}

/** The bytes that the database and its log take on disk. */
export function databaseBytes({ daemon }: ReadingLoad): number {
  const path = join(daemon.dataDirectory, 'handrail.db');
  return statSync(path).size + statSync(`${path}-wal`).size;
}
