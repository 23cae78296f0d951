import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchAt } from '../../src/client/call.ts';
import { createRequesterClient } from '../../src/client/requester-client.ts';
import type { Action } from '../../src/contract/action.ts';
import { EVERYTHING, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';

const PER_SECOND = 5;
/** The daemon and the agent are killed in turn, so each of them every two minutes; in a soak of a minute, each of them too. */
const KILL_EVERY_MS = { atMost: 60_000, aMinute: 20_000 };
const APPS = ['Calculator', 'Notes', 'Text Editor'];

type Outcome = { app: string; key: string; action: Action | undefined };

/**
 * Opens apps on the fake desktop for so many minutes, five a second, while the daemon and the agent are killed. The desktop writes each
 * effect into a file of its own, so that the records are compared with effects that they did not count.
 */
export async function benchSoak(minutes: number, report: Report): Promise<void> {
  report.heading(`Soak: ${minutes} minutes, ${PER_SECOND} actions a second, kill -9 of daemon and agent by turns`);
  const folder = mkdtempSync(join(tmpdir(), 'handrail-soak-'));
  const ledgerPath = join(folder, 'ledger');
  const scenario = JSON.stringify({ ledgerPath });
  const environment = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: scenario };
  let daemon = await startDaemonProcess(environment);
  const client = createRequesterClient({ fetch: (path, init) => fetchAt(daemon.base)(path, init), userId: 'ann' });
  let kills = 0;
  async function kill(): Promise<void> {
    kills += 1;
    if (kills % 2 === 0) return void process.kill(await daemon.agentPid(), 'SIGKILL');
    daemon.kill('SIGKILL');
    await daemon.exited;
    daemon = await startDaemonProcess(environment, daemon.dataDirectory);
  }
  try {
    const device = await daemon.register(EVERYTHING);
    const submit = async (index: number): Promise<Outcome> => {
      const app = APPS[index % APPS.length] ?? '';
      const key = `soak-${index}`;
      const submission = { targetDeviceId: device.id, actionType: 'OpenApp', parameters: { appName: app } };
      const reply = await client.act(submission, { idempotencyKey: key, waitS: 30 });
      return { app, key, action: reply.ok ? reply.value : undefined };
    };
    const outcomes = await submitAll(minutes, { submit, kill });
    const records = await readRecords(daemon);
    reportCounts(report, { outcomes, records, effects: readEffects(ledgerPath), kills });
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Soak = { submit(index: number): Promise<Outcome>; kill(): Promise<void> };

async function submitAll(minutes: number, { submit, kill }: Soak): Promise<Outcome[]> {
  const underWay: Promise<Outcome>[] = [];
  const beganAtMs = performance.now();
  let killing: Promise<void> = Promise.resolve();
  const killEveryMs = Math.min(KILL_EVERY_MS.atMost, KILL_EVERY_MS.aMinute * minutes);
  let killAtMs = killEveryMs / 2;
  const submissions = minutes * 60 * PER_SECOND;
  for (let index = 0; index < submissions; index += 1) {
    progress.at(`${index} of ${submissions} submitted`);
    const dueMs = (index * 1_000) / PER_SECOND;
    await pause(Math.max(0, dueMs - (performance.now() - beganAtMs)));
    underWay.push(submit(index));
    if (dueMs < killAtMs) continue;
    killAtMs += killEveryMs;
    killing = kill();
  }
  await killing;
  return Promise.all(underWay);
}

/** Every record of the requester. A record that has not ended is read again. */
async function readRecords(daemon: RunningDaemon): Promise<Action[]> {
  const client = createRequesterClient({ fetch: fetchAt(daemon.base), userId: 'ann' });
  const records: Action[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await client.actions(`limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);
    if (!page.ok) throw new Error(`expected a page of records, got ${page.failure.code}`);
    for (const { actionId } of page.value.items) {
      const record = await client.action(actionId, { waitS: 60 });
      if (!record.ok) throw new Error(`expected the record ${actionId}, got ${record.failure.code}`);
      records.push(record.value);
    }
    cursor = page.value.nextCursor;
  }
  return records;
}

function readEffects(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { app: string }).app);
}

type Counts = { outcomes: Outcome[]; records: Action[]; effects: string[]; kills: number };

function reportCounts(report: Report, { outcomes, records, effects, kills }: Counts): void {
  const ids = new Set(records.map(({ actionId }) => actionId));
  const answered = outcomes.flatMap(({ action }) => (action === undefined ? [] : [action.actionId]));
  const succeeded = records.filter(({ status }) => status === 'success').length;
  const inDoubt = records.filter(({ status, effect }) => status !== 'success' && effect !== 'none').length;
  const count = (name: string, value: number, goal?: { atMost: number } | { atLeast: number }) =>
    report.figure({ name, value, unit: '', goal });
  count('kills', kills);
  count('submitted', outcomes.length);
  count('records', records.length, { atMost: outcomes.length });
  count('records that succeeded', succeeded, { atLeast: outcomes.length * 0.9 });
  count('records in doubt: a kill came between effect and record', inDoubt, { atMost: kills * PER_SECOND });
  count('effects on the desktop', effects.length);
  count('answered and without a record', answered.filter((id) => !ids.has(id)).length, { atMost: 0 });
  count('answered twice with different records', answered.length - new Set(answered).size, { atMost: 0 });
  count('recorded as done and without an effect', Math.max(0, succeeded - effects.length), { atMost: 0 });
  count('effects that no record explains', Math.max(0, effects.length - succeeded - inDoubt), { atMost: 0 });
}
