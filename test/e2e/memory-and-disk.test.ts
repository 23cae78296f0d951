import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import {
  databaseBytes,
  describeScreens,
  openIdleReaders,
  peakMemory,
  type ReadingLoad,
  startReadingLoad,
} from './reading-load.ts';

const MOST_MEGABYTES = 400;
const MIB = 1024 * 1024;
/** For a machine with much else to do. The tests wait most of the time, each for a daemon of its own. */
const PATIENT = { timeout: 300_000, concurrent: true };

async function withLoad(body: (load: ReadingLoad) => Promise<void>): Promise<void> {
  const load = await startReadingLoad();
  try {
    await body(load);
  } finally {
    await load.daemon.stop();
  }
}

test('D2: 200 readers that take nothing of a picture leave the daemon below 400 MB, and are cut off', PATIENT, () =>
  withLoad(async (load) => {
    const { daemon, pictureRequest } = load;
    const peak = await peakMemory(daemon.pid, async () => {
      const readers = await openIdleReaders(load, 200, pictureRequest);
      expect((await daemon.health()).status).toBe(200);
      await until('the readers are cut off', () => connectionsTo(daemon.port) < readers.length / 4, 120_000);
    });
    expect(peak.megabytes, peak.about).toBeLessThan(MOST_MEGABYTES);
    const picture = await daemon.call<Uint8Array>(pathOf(pictureRequest), { userId: 'ann' });
    expect([picture.status, picture.body.length]).toEqual([200, 6 * MIB]);
  }),
);

test('D2: 80 connections that ask ten times for a picture at once leave the daemon below 400 MB', PATIENT, () =>
  withLoad(async (load) => {
    const { daemon, pictureRequest } = load;
    const peak = await peakMemory(daemon.pid, async () => {
      const readers = await openIdleReaders(load, 80, pictureRequest.repeat(10));
      expect((await daemon.health()).status).toBe(200);
      await until('the readers are cut off', () => connectionsTo(daemon.port) < readers.length / 4, 120_000);
    });
    expect(peak.megabytes, peak.about).toBeLessThan(MOST_MEGABYTES);
  }),
);

test('D2: results without a prompt fill the disk up to the quota, and then the oldest are forgotten', PATIENT, () =>
  withLoad(async (load) => {
    const { daemon } = load;
    const results = async () => (await daemon.health()).body.storage.results;
    const [first = ''] = await describeScreens(load, 1);
    const { usedBytes: size, limitBytesPerUser: limit } = await results();
    expect(limit).toBe(64 * MIB);
    const fitting = Math.floor(limit / size);
    await describeScreens(load, fitting - 1);
    expect(await recordOf(load, first)).toHaveProperty('data');

    const ids = await describeScreens(load, 20);
    await until('the oldest result is forgotten', async () => !('data' in (await recordOf(load, first))), 60_000);
    expect(await recordOf(load, first)).toMatchObject({ status: 'success', actionId: first });
    expect(await recordOf(load, String(ids.at(-1)))).toHaveProperty('data');
    await until('the quota is kept', async () => (await results()).usedBytes <= limit, 60_000);
    // Without the quota the database alone would take more: some 400 results.
    await describeScreens(load, 200);
    expect(databaseBytes(load)).toBeLessThan(limit + 64 * MIB);
    expect((fitting + 20 + 200) * size).toBeGreaterThan(limit + 64 * MIB);
    await until('the quota is kept', async () => (await results()).usedBytes <= limit, 60_000);
    expect((await results()).usedBytes).toBeGreaterThan(limit - 5 * size);
  }),
);

async function recordOf({ daemon }: ReadingLoad, id: string): Promise<Action> {
  return (await daemon.call<Action>(`/api/tee/actions/${id}`, { userId: 'ann' })).body;
}

/** Connections that the daemon holds open, from the system's table: a reader that reads nothing does not see its end. */
function connectionsTo(port: number): number {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === '01').length;
}

function pathOf(request: string): string {
  return String(request.split(' ')[1]);
}
