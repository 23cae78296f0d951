import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { createWindows } from '../../../src/services/guardian/time-windows.ts';
import { createRetention, MOST_ACTIONS } from '../../../src/services/records/sweep.ts';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import type { ActionRow } from '../../../src/store/records/actions.ts';
import { audit } from '../../store/rig.ts';
import { actionIn, done, type Rig, startServices, test } from '../rig.ts';
import { submitTask } from '../tasks-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test('after 90 days an action is gone with its prompt, its task and its journal, and what is left is whole', async () => {
  const rig = startServices();
  const { actionId: asking } = await rig.submitted({ actionType: 'TakeScreenshot' });
  await withTask(rig);
  later(rig, 89 * DAY_MS);
  await ran(rig, 'ann');
  await retain(rig);
  expect(counts(rig)).toMatchObject({ actions: 3, confirmations: 1, tasks: 1, task_steps: 1 });

  rig.services.actions.cancel('ann', asking);
  later(rig, 2 * DAY_MS);
  await retain(rig);
  expect(counts(rig)).toMatchObject({ actions: 1, confirmations: 0, tasks: 0, task_steps: 0 });
  const [first] = rig.store.journal.readAfter(0, 1);
  expect(first?.atMs).toBeGreaterThan(rig.clock.nowMs() - 91 * DAY_MS);
  expect(audit(rig.store)).toMatchObject({ valid: true });
  expect(read(rig, (database) => database.pragma('foreign_key_check'))).toEqual([]);
});

test.each([
  [90 * DAY_MS, 1],
  [90 * DAY_MS + HOUR_MS, 0],
])('an action that is %d ms old is kept: %d', async (ageMs, kept) => {
  const rig = startServices();
  const createdAtMs = rig.clock.nowMs();
  await ran(rig, 'ann');
  rig.clock.setWallClock(createdAtMs + ageMs);
  await retain(rig);
  expect(counts(rig)).toMatchObject({ actions: kept });
});

test('of more actions than may be kept the oldest are gone, with the journal of their time', async ({ rig }) => {
  const ids: string[] = [];
  for (let day = 0; day < 8; day += 1) {
    ids.push(await ran(rig, 'ann'));
    later(rig, DAY_MS);
  }
  await retain(rig, { mostActions: 5 });
  expect(rig.store.actions.idsBetween('', '~', 100)).toEqual(ids.slice(3));
  const requested = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'action.requested');
  expect(requested.map(({ actionId }) => actionId)).toEqual(ids.slice(3));
  expect(audit(rig.store)).toMatchObject({ valid: true });
  expect(read(rig, (database) => database.pragma('foreign_key_check'))).toEqual([]);
});

test('ten million actions may be kept', () => {
  expect(MOST_ACTIONS).toBe(10_000_000);
});

test('however many there are, those of the last day stay', async ({ rig }) => {
  const ids = [await ran(rig, 'ann'), await ran(rig, 'ann'), await ran(rig, 'ann')];
  await retain(rig, { mostActions: 1 });
  expect(rig.store.actions.idsBetween('', '~', 100)).toEqual(ids);
});

// An id may be a minute older than its row, so a row is removed a minute later at the latest.
test.each([
  [25 * HOUR_MS, 3],
  [25 * HOUR_MS + MINUTE_MS, 3],
  [25 * HOUR_MS + MINUTE_MS + 1, 1],
])('of three actions that are %d ms old, where one may be kept, %d are kept', async (ageMs, kept) => {
  const rig = startServices();
  const createdAtMs = rig.clock.nowMs();
  for (let count = 0; count < 3; count += 1) await ran(rig, 'ann');
  rig.clock.setWallClock(createdAtMs + ageMs);
  await retain(rig, { mostActions: 1 });
  expect(counts(rig)).toMatchObject({ actions: kept });
});

test('an action that has not ended is never removed', async ({ rig }) => {
  const { actionId } = await rig.submitted({ parameters: { durationMs: 1 } });
  later(rig, 200 * DAY_MS);
  await retain(rig);
  expect(rig.store.actions.findById(actionId)?.status).toBe('running');
});

test('a day after an action has ended its contents are forgotten, also where it took longer than others', async () => {
  const rig = startServices();
  const { actionId: long } = await rig.submitted({ parameters: { durationMs: 1 } });
  const perform = rig.agent.sent.at(-1);
  const short = await ran(rig, 'ann');
  later(rig, 2 * HOUR_MS);
  await rig.agent.answer(done({ data: { text: 'read' } }), perform);
  later(rig, 23 * HOUR_MS);
  await retain(rig);
  expect([short, long].map((id) => contentsOf(rig, id))).toEqual([
    { parameters: undefined, data: undefined },
    { parameters: { durationMs: 1 }, data: { text: 'read' } },
  ]);
  later(rig, 2 * HOUR_MS);
  await retain(rig);
  expect(contentsOf(rig, long)).toEqual({ parameters: undefined, data: undefined });
});

test('everything that refers to what is removed is known to what removes them', ({ rig }) => {
  const references = read(rig, (database) =>
    database
      .prepare(
        `SELECT t.name || '.' || f."from" || ' to ' || f."table" FROM sqlite_master t, pragma_foreign_key_list(t.name) f
         WHERE t.type = 'table' AND f."table" IN ('actions', 'tasks', 'confirmations', 'artifacts') ORDER BY 1`,
      )
      .pluck()
      .all(),
  );
  // Another reference needs a line in src/store/database/raw-retention.ts, or it would be left dangling.
  expect(references).toEqual([
    'actions.plan_id to confirmations',
    'actions.task_id to tasks',
    'artifacts.action_id to actions',
    'confirmation_steps.action_id to actions',
    'confirmation_steps.confirmation_id to confirmations',
    'confirmations.action_id to actions',
    'confirmations.task_id to tasks',
    'grants.task_id to tasks',
    'idempotency_keys.action_id to actions',
    'task_idempotency_keys.task_id to tasks',
    'task_steps.action_id to actions',
    'task_steps.task_id to tasks',
  ]);
});

test('what was counted is kept by minutes for 35 days, by hours for a year, by days for five', async ({ rig }) => {
  rig.clock.advance(10 * HOUR_MS + 20 * MINUTE_MS);
  const atMs = rig.clock.nowMs();
  await ran(rig, 'ann');
  const spans = async (passedMs: number) => {
    rig.clock.setWallClock(atMs + passedMs);
    await ran(rig, 'ann');
    await retain(rig);
    return read(rig, (database) =>
      database
        .prepare(
          'SELECT unit FROM guardian_counts WHERE start_ms <= ? AND start_ms > ? GROUP BY unit, start_ms ORDER BY unit DESC',
        )
        .pluck()
        .all(atMs, atMs - DAY_MS),
    );
  };
  expect(await spans(34 * DAY_MS)).toEqual(['minute', 'hour', 'day']);
  expect(await spans(36 * DAY_MS)).toEqual(['hour', 'day']);
  expect(await spans(368 * DAY_MS)).toEqual(['day']);
  expect(await spans(5 * 366 * DAY_MS + 2 * DAY_MS)).toEqual([]);
});

test('a window on what is kept by hours or days alone is widened to them, at both of its edges', async ({ rig }) => {
  rig.clock.advance(10 * HOUR_MS + 20 * MINUTE_MS);
  const atMs = rig.clock.nowMs();
  await ran(rig, 'ann');
  const around = async (passedMs: number) => {
    rig.clock.setWallClock(atMs + passedMs);
    await ran(rig, 'ann');
    await retain(rig);
    const windows = createWindows(rig.context);
    const span = windows.spanOf({ fromMs: atMs - MINUTE_MS, toMs: atMs + MINUTE_MS });
    const { rollup } = windows.recorded(span);
    return { minutes: (span.toMs - span.fromMs) / MINUTE_MS, requested: rollup.counters.requested };
  };
  expect(await around(DAY_MS)).toEqual({ minutes: 2, requested: 1 });
  expect(await around(36 * DAY_MS)).toEqual({ minutes: 60, requested: 1 });
  expect(await around(368 * DAY_MS)).toEqual({ minutes: 24 * 60, requested: 1 });
  expect(await around(6 * 366 * DAY_MS)).toEqual({ minutes: 24 * 60, requested: 0 });
});

test('a window that is older than everything that is kept has no coverage', async ({ rig }) => {
  const fromMs = rig.clock.nowMs();
  rig.clock.advance(30 * MINUTE_MS);
  await ran(rig, 'ann');
  rig.clock.setWallClock(fromMs + 6 * 366 * DAY_MS);
  const { upTime } = createWindows(rig.context).recorded({ fromMs, toMs: fromMs + DAY_MS });
  expect(upTime.upMs).toBe(0);
});

function later(rig: Rig, ms: number): void {
  rig.clock.setWallClock(rig.clock.nowMs() + ms);
}

async function ran(rig: Rig, userId: string): Promise<string> {
  const answer = rig.submit({ parameters: { durationMs: 1 } }, { userId });
  await new Promise(setImmediate);
  await rig.agent.answer(done());
  return actionIn(await answer).action.actionId;
}

async function withTask(rig: Rig): Promise<void> {
  await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'key-of-a-task', waitMs: 0 });
  await rig.agent.answer(done());
}

function retain(rig: Rig, options?: { mostActions: number }): Promise<void> {
  return createRetention(rig.context, options)();
}

function contentsOf({ store }: Rig, id: string): Pick<ActionRow, 'parameters' | 'data'> {
  const row = store.actions.findById(id);
  return { parameters: row?.parameters, data: row?.data };
}

function counts(rig: Rig): Record<string, unknown> {
  const tables = ['actions', 'confirmations', 'tasks', 'task_steps'];
  return read(rig, (database) =>
    Object.fromEntries(tables.map((name) => [name, database.prepare(`SELECT count(*) FROM ${name}`).pluck().get()])),
  );
}

function read<Result>({ store }: Rig, question: (database: Database.Database) => Result): Result {
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  onTestFinished(() => void database.close());
  return question(database);
}
