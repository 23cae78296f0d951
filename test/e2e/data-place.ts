import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

/** Somewhere for the data of a test, and the daemons on it. All of it is gone when the test ends. */
export function layPlace(atEnd: (work: () => Promise<void>) => void = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-storage-'));
  const path = join(folder, 'data');
  const ledgerPath = join(folder, 'ledger');
  const running: RunningDaemon[] = [];
  atEnd(async () => {
    for (const daemon of running) daemon.kill('SIGKILL');
    await Promise.all(running.map(({ exited }) => exited));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<RunningDaemon> {
    const scenario = JSON.stringify({ ledgerPath });
    const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: scenario }, path);
    running.push(daemon);
    await until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online');
    return daemon;
  }

  return {
    folder,
    path,
    start,
    wasExecuted: () => existsSync(ledgerPath),
    /** What a daemon that cannot start says, and that it ended by itself. */
    async startFails(): Promise<string> {
      const error: unknown = await start().then(
        () => undefined,
        (cause: unknown) => cause,
      );
      if (!(error instanceof Error)) throw new Error('expected the daemon not to start');
      return error.message;
    },
    /** A daemon starts, does something and is stopped. */
    async addHistory(): Promise<void> {
      const daemon = await start();
      const device = await daemon.register();
      await daemon.submit({ targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } });
      daemon.kill('SIGTERM');
      await daemon.exited;
    },
    edit(work: (database: Database.Database) => void): void {
      const database = new Database(join(path, 'handrail.db'));
      work(database);
      database.close();
    },
  };
}

export async function personOf(daemon: RunningDaemon) {
  const { key } = await daemon.signIn();
  return { headers: { origin: daemon.base, authorization: `Bearer ${key}` } };
}

export const resume = (daemon: RunningDaemon, headers: Record<string, string>) =>
  daemon.call('/api/console/resume', { method: 'POST', headers });
