import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { createIds } from '../../src/services/context.ts';
import { watchJournal } from '../../src/services/journal-verification.ts';
import { dataDirectoryAt } from '../../src/store/data-directory.ts';
import { createFakeClock } from './fake-clock.ts';
import { type Rig, startServices } from './rig.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
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

it('leaves the daemon alone while it works, and a journal that is pruned meanwhile is whole', async () => {
  const rig = startServices();
  const { store, clock } = rig;
  store.write('relaxed', () => {
    for (let count = 0; count < 30_000; count += 1) store.journal.append(clock.nowMs(), { kind: 'event' });
  });
  const audit = store.audit({ atLeisure: true });
  let turns = 0;
  const isOver = audit.then(() => true);
  while (!(await Promise.race([isOver, new Promise((resolve) => setImmediate(resolve, false))]))) {
    turns += 1;
    store.pruneJournal(clock.nowMs() + 1);
    store.write('relaxed', () => store.journal.append(clock.nowMs(), { kind: 'event' }));
  }
  expect(await audit).toMatchObject({ valid: true });
  expect(turns).toBeGreaterThan(10);
});

function edit({ store }: Rig, sql: string): void {
  const database = new Database(dataDirectoryAt(store.path).database);
  database.exec(`DROP TRIGGER IF EXISTS journal_is_never_updated; ${sql}`);
  database.close();
}
