import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { encodeTime } from 'ulid';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import type { Built } from './guardian-database.ts';
import { progress } from './progress.ts';
import { readWhole } from './read-whole.ts';
import type { Figure, Report } from './report.ts';
import { median, quantile, timed } from './statistics.ts';

const DAY_MS = 86_400_000;
const WINDOWS = ['5m', '15m', '1h', '6h', '24h', '7d', '30d', '90d'];
const STARTS = 7;
/**
 * A p99 is the median of the p99s of some rounds, so that another guest of the machine, who disturbs one of them, does not
 * count.
 */
const ROUNDS = 5;
const CALLS = { calls: 200, warmUp: 0 };

/** How long a daemon takes from its process being made to its first answer, `after` what; an empty one for comparison. */
export async function benchStartUp(built: Built, report: Report, after: string): Promise<void> {
  report.heading(
    `Start-up after ${after}, to the first answer of /health, p50 of ${STARTS}, and the processor time of it`,
  );
  const nothing = mkdtempSync(join(tmpdir(), 'handrail-bench-empty-'));
  const databases = [
    { name: 'on an empty database', of: { path: nothing, presentMs: built.presentMs }, wallMs: [], processorMs: [] },
    { name: 'on this one', of: built, wallMs: [], processorMs: [] },
  ] satisfies [StartUps, StartUps];
  for (let count = 0; count <= STARTS; count += 1) for (const each of databases) await startOnce(each, count === 0);
  rmSync(nothing, { recursive: true, force: true });
  for (const { name, wallMs, processorMs } of databases)
    report.figure({ name, value: median(wallMs), unit: 'ms', note: `processor ${median(processorMs).toFixed(0)}` });
  const [empty, full] = databases.map(({ processorMs }) => median(processorMs));
  const value = Math.max(0, (full ?? Number.NaN) - (empty ?? Number.NaN));
  report.figure({ name: 'added by the actions, processor', value, unit: 'ms', goal: { atMost: 300 } });
  const [emptyWallMs = 0, fullWallMs = 0] = databases.map(({ wallMs }) => median(wallMs));
  report.figure({ name: 'added by the actions, by the clock', value: fullWallMs - emptyWallMs, unit: 'ms' });
}

type StartUps = { name: string; of: Built; wallMs: number[]; processorMs: number[] };

async function startOnce({ of, wallMs, processorMs }: StartUps, isWarmUp: boolean): Promise<void> {
  const startedAtMs = performance.now();
  const daemon = await start(of);
  await fetch(`${daemon.base}/health`);
  const tookMs = performance.now() - startedAtMs;
  const used = await daemon.used();
  await daemon.stop();
  if (isWarmUp) return;
  wallMs.push(tookMs);
  processorMs.push(used.processorMs);
}

/** Every answer of Guardian, over real HTTP: the first one of a fresh daemon, and those after it. */
export async function benchAnswers(built: Built, report: Report): Promise<void> {
  const daemon = await start(built);
  await readWhole(`${daemon.base}/health`);

  async function answers(heading: string, paths: readonly string[], goal?: Figure['goal']): Promise<void> {
    report.heading(heading);
    for (const path of paths) {
      const [firstMs = Number.NaN] = await timed({ calls: 1, warmUp: 0 }, () => ok(path));
      const { processorMs: beforeMs } = await daemon.used();
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timed(CALLS, () => ok(path)));
      const samples = rounds.flat();
      const eachMs = ((await daemon.used()).processorMs - beforeMs) / samples.length;
      const note = `p50 ${median(samples).toFixed(2)}, processor ${eachMs.toFixed(2)} each, first ${firstMs.toFixed(1)}`;
      report.figure({
        name: `${path}, p99`,
        value: median(rounds.map((round) => quantile(round, 0.99))),
        unit: 'ms',
        goal,
        note,
      });
    }
  }

  async function ok(path: string): Promise<void> {
    const status = await readWhole(`${daemon.base}${path}`);
    if (status !== 200) throw new Error(`${path} should answer 200, and answered ${status}.`);
  }

  const since = (lengthMs: number) => new Date(built.presentMs - lengthMs).toISOString();
  try {
    const dashboards = ['24h', '1h', '7d', '30d'].map((window) => `/api/guardian/dashboard?window=${window}`);
    await answers('Dashboard', dashboards, { atMost: 25 });
    const metrics = WINDOWS.map((window) => `/api/guardian/metrics?window=${window}`);
    await answers('Metrics, by window', metrics, { atMost: 10 });
    const logs = ['?limit=100', ...[60_000, DAY_MS].map((back) => `?limit=100&since=${since(back)}`)];
    await answers(
      'Log of actions',
      logs.map((query) => `/api/guardian/tee/actions${query}`),
      { atMost: 3 },
    );
    const others = ['tee/tasks?limit=100', 'trends?all=true', 'insights', 'tee/metrics?window=7d'];
    const groups = ['1h', '24h', '30d', '90d'].map((window) => `tee/metrics?window=${window}&by=type,status`);
    const series = ['24h', '30d'].map((window) => `metrics/action_rate/series?window=${window}`);
    await answers('Everything else', [
      '/metrics',
      ...[...others, ...groups, ...series].map((path) => `/api/guardian/${path}`),
    ]);
  } finally {
    await daemon.stop();
  }
}

/** The cost of housekeeping to calls that wait meanwhile: sweeping, and looking for trends. */
export async function benchHousekeeping(built: Built, report: Report): Promise<void> {
  report.heading('Two minutes of housekeeping');
  const daemon = await start(built);
  await fetch(`${daemon.base}/health`);
  await daemon.used();
  await new Promise((resolve) => setTimeout(resolve, 125_000));
  const { longestPauseMs: value } = await daemon.used();
  report.figure({ name: 'longest time the event loop was held up', value, unit: 'ms' });
  await daemon.stop();
}

/** The same questions, put to the rows themselves. */
export function benchRawScans({ path, presentMs }: Built, report: Report): void {
  report.heading('For comparison: counts by type, risk and status from the rows themselves');
  const database = new Database(dataDirectoryAt(path).database, { readonly: true });
  const scan = database.prepare(
    `SELECT action_type, risk_level, status, count(*), sum(duration_ms) FROM actions WHERE id >= ? GROUP BY 1, 2, 3`,
  );
  for (const days of [1, 7, 30]) {
    const fromId = `act_${encodeTime(presentMs - days * DAY_MS, 10)}`;
    const samples = [1, 2, 3].map((time) => {
      progress.at(`${days} d, scan ${time} of 3`);
      const startedAtMs = performance.now();
      scan.all(fromId);
      return performance.now() - startedAtMs;
    });
    report.figure({ name: `${days} d, fastest of 3`, value: Math.min(...samples), unit: 'ms' });
  }
  database.close();
}

type Used = { processorMs: number; longestPauseMs: number };
type Daemon = { base: string; used(): Promise<Used>; stop(): Promise<void> };

async function start({ path, presentMs }: Built): Promise<Daemon> {
  const child = fork(new URL('guardian-daemon.ts', import.meta.url), [path, String(presentMs)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'handrail-bench-compile-cache') },
  });
  const { port } = await told<{ port: number }>(child);
  return {
    base: `http://127.0.0.1:${port}`,
    used() {
      child.send('used');
      return told<Used>(child);
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function told<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`the daemon of the bench ended with code ${code}`);
  });
  exit.catch(() => undefined);
  const [message] = await Promise.race([once(child, 'message'), exit]);
  ended.abort();
  return message as Message;
}
