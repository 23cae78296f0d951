import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { createIds } from '../../../src/services/context.ts';
import { watchJournal } from '../../../src/services/records/verification.ts';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import { createFakeClock } from '../fake-clock.ts';
import { type Rig, startServices } from '../rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A thread takes its time to start where many do. */
const PATIENCE = { timeout: 15_000 };

vi.setConfig({ testTimeout: 30_000 });

it('finds a row that was edited behind the daemon soon after its start, without being asked', async () => {
  const rig = startServices();
  edit(rig, `UPDATE journal SET kind = 'daemon.paused' WHERE seq = 1`);
  rig.services.watch();
  rig.clock.advance(MINUTE_MS);
  await vi.waitFor(() => expect(rig.kinds()).toContain('journal.broken'), PATIENCE);
  rig.clock.advance(MINUTE_MS);
  const { risk, insights, metrics } = rig.services.guardian.dashboard({ kind: 'nobody' }, { lengthMs: DAY_MS });
  expect(risk.score).toBeGreaterThanOrEqual(90);
  expect(insights.map(({ severity, category }) => [severity, category])).toEqual([['critical', 'integrity']]);
  expect(metrics.find(({ type }) => type === 'control_violations')).toMatchObject({ value: 1, status: 'bad' });
});

it('looks again a day later, and finds what was edited since', async () => {
  const rig = startServices();
  const clock = createFakeClock();
  const results: boolean[] = [];
  const quiet = () => undefined;
  const log = { info: () => void results.push(true), error: () => void results.push(false), warn: quiet };
  const stop = watchJournal({ store: rig.store, clock, newId: createIds(clock), log });
  clock.advance(MINUTE_MS);
  await vi.waitFor(() => expect(results).toEqual([true]), PATIENCE);
  edit(rig, `UPDATE journal SET metadata = '{"version":"other"}' WHERE seq = 1`);
  await new Promise(setImmediate);
  clock.advance(DAY_MS);
  await vi.waitFor(() => expect(results).toEqual([true, false]), PATIENCE);
  expect(rig.kinds()).toContain('journal.broken');
  stop();
});

it('says once a day that the journal is broken, however often somebody looks, also after a restart', async () => {
  const rig = startServices();
  edit(rig, `UPDATE journal SET kind = 'daemon.paused' WHERE seq = 1`);
  for (const later of [0, HOUR_MS, 21 * HOUR_MS]) expect(await lookedAt(rig, later)).toEqual({ breaks: 1, told: 1 });
  const next = rig.crashAndRestart();
  expect(await lookedAt(next, 0)).toEqual({ breaks: 1, told: 1 });
  expect((await lookedAt(next, HOUR_MS)).breaks).toBe(2);
});

it('says of another break at once', async () => {
  const rig = startServices();
  edit(rig, `UPDATE journal SET kind = 'daemon.paused' WHERE seq = 2`);
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 1, told: 1 });
  edit(rig, `UPDATE journal SET kind = 'daemon.paused' WHERE seq = 1`);
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 2, told: 2 });
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 2, told: 2 });
});

it('does not take the row that says so for another break', async () => {
  const rig = startServices();
  rig.store.anchor();
  edit(rig, 'DROP TRIGGER journal_is_never_deleted; DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)');
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 1, told: 1 });
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 1, told: 1 });
});

it('adds nothing to what the daemon said of missing rows when it was started', async () => {
  const rig = startServices();
  rig.store.anchor();
  edit(rig, 'DROP TRIGGER journal_is_never_deleted; DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)');
  const next = rig.crashAndRestart();
  expect(await lookedAt(next, 0)).toEqual({ breaks: 1, told: 1 });
  expect((await lookedAt(next, 24 * HOUR_MS)).breaks).toBe(2);
});

it('leaves the daemon alone while it works, and a journal that is pruned meanwhile is whole', async () => {
  const rig = startServices();
  const { store, clock } = rig;
  store.write('relaxed', () => {
    for (let count = 0; count < 30_000; count += 1)
      store.journal.append(clock.nowMs(), { kind: 'agent.start_requested' });
  });
  const audit = store.audit({ atLeisure: true });
  let turns = 0;
  const isOver = audit.then(() => true);
  while (!(await Promise.race([isOver, new Promise((resolve) => setImmediate(resolve, false))]))) {
    turns += 1;
    store.pruneJournal(clock.nowMs() + 1);
    store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: 'agent.start_requested' }));
  }
  expect(await audit).toMatchObject({ valid: true });
  expect(turns).toBeGreaterThan(10);
});

it('S3: finds that the anchor was removed while the daemon runs, and says so once', async () => {
  const rig = startServices();
  rig.store.anchor();
  rmSync(dataDirectoryAt(rig.store.path).anchor);
  expect(await rig.services.console.verifyAudit()).toMatchObject({
    valid: false,
    reason: expect.stringMatching(/anchor.*is missing/),
  });
  expect(await lookedAt(rig, 0)).toEqual({ breaks: 1, told: 1 });
});

it('S3: the daily check finds that the anchor was removed', async () => {
  const rig = startServices();
  rig.store.anchor();
  rig.services.watch();
  rmSync(dataDirectoryAt(rig.store.path).anchor);
  rig.clock.advance(MINUTE_MS);
  await vi.waitFor(() => expect(rig.kinds()).toContain('journal.broken'), PATIENCE);
});

/** After a look at the journal some time from now: how often it says that it is broken, and how often the insight does. */
async function lookedAt({ services, clock, kinds }: Rig, inMs: number): Promise<{ breaks: number; told: number }> {
  clock.advance(inMs);
  expect(await services.console.verifyAudit()).toMatchObject({ valid: false });
  clock.advance(MINUTE_MS);
  const insights = services.guardian.insights({ kind: 'nobody' }, { limit: 50, category: ['integrity'] });
  const said = /failed (\d+) checks?/.exec(insights[0]?.title ?? '');
  return { breaks: kinds().filter((kind) => kind === 'journal.broken').length, told: Number(said?.[1] ?? 0) };
}

function edit({ store }: Rig, sql: string): void {
  const database = new Database(dataDirectoryAt(store.path).database);
  database.exec(`DROP TRIGGER IF EXISTS journal_is_never_updated; ${sql}`);
  database.close();
}
