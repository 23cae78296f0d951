import { cpSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { BREAKDOWNS } from '../../../src/contract/console-series.ts';
import { METRICS } from '../../../src/contract/metrics.ts';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import type { PlanConfirmation } from '../../../src/store/records/confirmations.ts';
import type { TaskRow } from '../../../src/store/records/tasks.ts';
import type { Store } from '../../../src/store/store.ts';
import { randomHappenings } from '../../guardian/recording/random-journal.ts';
import { type Happening, journal, recordAll, recordedIn } from '../../guardian/recording/recording.ts';
import { fromOtherBuild } from '../other-build.ts';
import { action, device, test as it, open, temporaryFolder } from '../rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('what is counted of the journal', () => {
  it('is counted with the event, or not at all', ({ store }) => {
    append(store, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', REQUEST],
    ]);
    expect(() =>
      store.write('relaxed', () => {
        append(store, [[2_000, 'action.requested', 'act_2', REQUEST]]);
        throw new Error('not after all');
      }),
    ).toThrow('not after all');
    append(store, [[3_000, 'action.requested', 'act_3', REQUEST]]);
    expect(requestedIn(store, 0, HOUR_MS)).toBe(2);
  });

  it('counts the end of an action that began hours before the daemon was started anew', () => {
    const path = temporaryFolder();
    const first = open({ path });
    first.write('relaxed', () => {
      first.devices.insert(device());
      first.actions.insert(action({ status: 'running', createdAtMs: 1_000 }));
    });
    append(first, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', REQUEST],
      [1_000, 'action.dispatched', 'act_1', { status: 'running', attempt: 1 }],
    ]);
    first.close();
    const second = open({ path });
    second.write('relaxed', () => {
      const row = action({ status: 'running', createdAtMs: 1_000 });
      second.actions.update(row, { ...row, status: 'failed' });
      append(second, [
        [3 * HOUR_MS, 'daemon.started'],
        [3 * HOUR_MS, 'action.lost', 'act_1', { status: 'failed' }],
      ]);
    });
    expect(second.recording.recorded({ fromMs: 0, toMs: 4 * HOUR_MS }, 3 * HOUR_MS).rollup).toMatchObject({
      counters: { requested: 1, executed: 1, failed: 1 },
      slowestMs: 3 * HOUR_MS - 1_000,
    });
  });

  it('knows what an action came of though the clock was set back and forth since', () => {
    const path = temporaryFolder();
    const first = open({ path });
    first.write('relaxed', () => {
      first.devices.insert(device());
      first.actions.insert(action({ status: 'queued', createdAtMs: 5 * HOUR_MS }));
    });
    append(first, [
      [0, 'daemon.started'],
      [5 * HOUR_MS, 'action.requested', 'act_1', REQUEST],
      [1 * HOUR_MS, 'screen.locked'],
      [5 * HOUR_MS, 'screen.unlocked'],
    ]);
    first.close();
    const second = open({ path });
    append(second, [[5 * HOUR_MS, 'action.dispatched', 'act_1', { status: 'running', attempt: 1 }]]);
    expect(second.recording.recorded({ fromMs: 0, toMs: 6 * HOUR_MS }, 6 * HOUR_MS).rollup.counters).toMatchObject({
      requested: 1,
      executed: 1,
    });
  });

  it('knows a request again that was made minutes before the daemon was started anew, though its action has ended', () => {
    const path = temporaryFolder();
    const first = open({ path });
    append(first, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', REQUEST],
      [2_000, 'action.succeeded', 'act_1', { status: 'success' }],
    ]);
    first.close();
    const second = open({ path });
    append(second, [[9 * MINUTE_MS, 'action.requested', 'act_2', REQUEST]]);
    append(second, [[9 * MINUTE_MS, 'action.succeeded', 'act_1', { status: 'success' }]]);
    expect(second.recording.recorded({ fromMs: 0, toMs: HOUR_MS }, 10 * MINUTE_MS).rollup.counters).toMatchObject({
      requested: 2,
      repeated: 1,
      succeeded: 1,
    });
  });

  it('counts the answer to a plan that was asked about hours before the daemon was started anew', () => {
    const path = temporaryFolder();
    const first = open({ path });
    const about = { plan: 'cnf_1', taskId: 'tsk_1' };
    first.write('relaxed', () => {
      first.tasks.insert(emptyTask);
      first.confirmations.insert(pendingPlan);
    });
    append(first, [
      [0, 'daemon.started'],
      [1_000, 'task.plan_asked', undefined, { ...about, risk: 'high' }],
    ]);
    first.close();
    const second = open({ path });
    append(second, [[5 * HOUR_MS, 'task.plan_allowed', undefined, about]]);
    expect(
      second.recording.recorded({ fromMs: 5 * HOUR_MS, toMs: 6 * HOUR_MS }, 6 * HOUR_MS).rollup.counters,
    ).toMatchObject({ promptAllowed: 1, promptAllowedElevated: 1 });
  });

  it('is up to now while the daemon is up, however little happens', ({ store }) => {
    append(store, [
      [0, 'daemon.started'],
      [MINUTE_MS, 'agent.readiness', undefined, { ready: true }],
    ]);
    const { upTime } = store.recording.recorded({ fromMs: 0, toMs: HOUR_MS }, 31 * MINUTE_MS);
    expect(upTime).toEqual({ upMs: 31 * MINUTE_MS, unlockedMs: 31 * MINUTE_MS, readyMs: 30 * MINUTE_MS });
  });

  it('sums up to the same, over any window, whether from minutes, hours or days', () => {
    fc.assert(
      fc.property(randomHappenings, fc.nat(4_000), fc.integer({ min: 1, max: 5_000 }), (happenings, from, length) => {
        const events = overDays(happenings);
        const store = open();
        append(store, events);
        const span = { fromMs: from * MINUTE_MS, toMs: (from + length) * MINUTE_MS };
        expect(store.recording.recorded(span, 0)).toEqual(recordedIn(recordAll(journal(events)), span));
      }),
      { numRuns: 12 },
    );
  });

  it('has parts that add up to every metric, by requester, type and device, over any window', () => {
    fc.assert(
      fc.property(randomHappenings, fc.nat(4_000), fc.integer({ min: 1, max: 5_000 }), (happenings, from, length) => {
        const store = open();
        append(store, overDays(happenings));
        const span = { fromMs: from * MINUTE_MS, toMs: (from + length) * MINUTE_MS };
        const { counters } = store.recording.recorded(span, 0).rollup;
        for (const [metric, { hits, of = hits }] of Object.entries(METRICS)) {
          const [count, total] = [hits, of].map((names) => sum(names.map((name) => counters[name])));
          for (const by of BREAKDOWNS) {
            const parts = store.recording.parts(span, by, { count: hits, total: of });
            const added = { count: sum(parts.map((part) => part.count)), total: sum(parts.map((part) => part.total)) };
            expect({ metric, by, ...added }).toEqual({ metric, by, count, total });
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  it('counts the events of an action by its requester, type and device, whenever they come', ({ store }) => {
    const act = { user: 'bob', type: 'OpenApp', risk: 'high', digest: 'd', verdict: 'allow', by: 'profile' };
    append(store, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', act],
      [2_000, 'action.dispatched', 'act_1', { user: 'bob', status: 'running', attempt: 1 }],
      [3 * HOUR_MS, 'action.failed', 'act_1', { user: 'bob', status: 'failed', sideEffect: 'done' }],
    ]);
    const counters = { count: ['executedHigh'], total: ['failed'] } as const;
    const [early, late] = [0, 2 * HOUR_MS].map((fromMs) => ({ fromMs, toMs: fromMs + 2 * HOUR_MS }));
    const parts = (span = { fromMs: 0, toMs: 0 }) =>
      (['requester', 'type'] as const).map((by) => store.recording.parts(span, by, counters));
    expect(parts(early)).toEqual([[], []]);
    expect(parts(late)).toEqual([[{ key: 'bob', count: 1, total: 1 }], [{ key: 'OpenApp', count: 1, total: 1 }]]);
  });

  it('keeps parts as long as sums', ({ store }) => {
    append(store, [[0, 'action.requested', 'act_1', REQUEST]]);
    const counters = { count: ['requested'], total: [] } as const;
    const parts = (unitMs: number) => store.recording.parts({ fromMs: 0, toMs: unitMs }, 'requester', counters).length;
    const kept = (days: number) => {
      store.write('relaxed', () => store.recording.prune(days * 24 * HOUR_MS + 1));
      return [MINUTE_MS, HOUR_MS, 24 * HOUR_MS].map(parts);
    };
    expect([34, 35, 366, 5 * 366].map(kept)).toEqual([
      [1, 1, 1],
      [0, 1, 1],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });

  it.each(['stopped', 'killed'])(
    'is the same when it is counted anew, though a daemon was %s and a clock set back',
    (how) => {
      fc.assert(
        fc.property(randomHappenings, fc.nat(200), (happenings, cut) => {
          const path = temporaryFolder();
          const events = overDays(happenings);
          const before = open({ path });
          append(before, events.slice(0, cut));
          insertRows(before, events.slice(0, cut));
          const left = how === 'killed' ? asLeftByKill(path) : path;
          before.close();
          const store = open({ path: left });
          append(store, [[(events[cut]?.[0] ?? 0) - 2 * HOUR_MS, 'daemon.started'], ...events.slice(cut)]);
          const counted = tables(store);
          store.write('relaxed', store.recording.rebuild);
          expect(tables(store)).toEqual(counted);
        }),
        { numRuns: 12 },
      );
    },
  );

  it('is stored once a second, and before it is read', ({ store }) => {
    const stored = () => Number(reading(store, (database) => database.prepare(REQUESTED).pluck().get()));
    append(store, [[10_000, 'action.requested', 'act_1', REQUEST]]);
    append(store, [[10_999, 'action.requested', 'act_2', REQUEST]]);
    expect(stored()).toBe(1);
    append(store, [[11_000, 'action.requested', 'act_3', REQUEST]]);
    expect(stored()).toBe(3);
    append(store, [[11_001, 'action.requested', 'act_4', REQUEST]]);
    expect(stored()).toBe(3);
    expect(requestedIn(store, 0, HOUR_MS)).toBe(4);
    expect(stored()).toBe(4);
  });

  it('is complete after a daemon was killed within the second in which it counted, and nothing is counted twice', () => {
    const path = temporaryFolder();
    const killed = open({ path });
    append(killed, [
      [0, 'daemon.started'],
      [1_000, 'agent.readiness', undefined, { ready: true }],
    ]);
    append(killed, [[2_000, 'action.requested', 'act_1', REQUEST]]);
    append(killed, [[2_100, 'action.requested', 'act_2', REQUEST]]);
    append(killed, [[2_200, 'screen.locked']]);
    const store = open({ path: asLeftByKill(path) });
    append(store, [[5_000, 'daemon.started']]);
    append(store, [[5_100, 'action.requested', 'act_3', REQUEST]]);
    const { rollup, upTime } = store.recording.recorded({ fromMs: 0, toMs: HOUR_MS }, 5_100);
    expect(rollup.counters).toMatchObject({ requested: 3, repeated: 2, novel: 1 });
    expect(upTime).toEqual({ upMs: 2_300, unlockedMs: 2_300, readyMs: 1_200 });
  });

  it('can be read on a full disk, and is complete when there is room again', ({ store }) => {
    append(store, [[1_000, 'action.requested', 'act_1', REQUEST]]);
    append(store, [[1_100, 'action.requested', 'act_2', REQUEST]]);
    const pages = Number(reading(store, (database) => database.pragma('page_count', { simple: true })));
    store.limitPages(pages);
    const filling = () => {
      for (let atMs = 1_200; ; atMs += 1) append(store, [[atMs, 'action.requested', `act_${atMs}`, REQUEST]]);
    };
    expect(filling).toThrow(StorageUnavailable);
    const whileFull = requestedIn(store, 0, HOUR_MS);
    store.limitPages(pages * 4);
    const kept = Number(reading(store, (database) => database.prepare('SELECT count(*) FROM journal').pluck().get()));
    expect(requestedIn(store, 0, HOUR_MS)).toBe(kept);
    expect(whileFull).toBeGreaterThan(0);
  });

  it('knows that a daemon was up for longer than its last event says, over a restart and a count anew', () => {
    const path = temporaryFolder();
    const before = open({ path });
    append(before, [[0, 'daemon.started']]);
    before.write('relaxed', () => before.recording.stillUp(30 * MINUTE_MS));
    before.write('relaxed', () => before.recording.stillUp(20 * MINUTE_MS));
    // It is killed, and started an hour later.
    before.close();
    const store = open({ path });
    append(store, [[90 * MINUTE_MS, 'daemon.started']]);
    const upMs = () => store.recording.recorded({ fromMs: 0, toMs: 90 * MINUTE_MS }, 90 * MINUTE_MS).upTime.upMs;
    expect(upMs()).toBe(30 * MINUTE_MS);
    store.write('relaxed', store.recording.rebuild);
    expect(upMs()).toBe(30 * MINUTE_MS);
  });

  it('is made from a journal that was there before anything was counted', () => {
    const path = temporaryFolder();
    const before = open({ path });
    append(before, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', REQUEST],
    ]);
    before.close();
    const database = new Database(`${path}/handrail.db`);
    database.exec('DELETE FROM guardian_counts');
    database.close();
    expect(requestedIn(open({ path }), 0, HOUR_MS)).toBe(1);
  });

  it('is kept for its time: minutes for 35 days, hours for a year, days for five', ({ store }) => {
    append(store, [
      [0, 'daemon.started'],
      [1_000, 'action.requested', 'act_1', REQUEST],
      [36 * 24 * HOUR_MS, 'action.requested', 'act_2', REQUEST],
    ]);
    store.write('relaxed', () => store.recording.prune(36 * 24 * HOUR_MS));
    expect(startsByUnit(store)).toEqual({ minute: 1, hour: 1, day: 1 });
    // The latest minute is summed up before it is removed, although nothing happened after it.
    store.write('relaxed', () => store.recording.prune(400 * 24 * HOUR_MS));
    expect(startsByUnit(store)).toEqual({ hour: 1, day: 2 });
  });
});

const emptyTask: TaskRow = {
  id: 'tsk_1',
  userId: 'ann',
  name: 'Look',
  onFailure: 'stop',
  status: 'pending',
  createdAtMs: 1_000,
  askedMs: 0,
  steps: [],
};
const pendingPlan: PlanConfirmation = {
  kind: 'plan',
  id: 'cnf_1',
  taskId: 'tsk_1',
  userId: 'ann',
  actionDigest: 'd',
  nonce: 'n',
  policyVersion: '1',
  status: 'pending',
  createdAtMs: 1_000,
  expiresAtMs: 91_000,
  steps: [],
};
const ENDS = new Set(['success', 'failed', 'denied', 'expired', 'cancelled', 'unknown']);
const REQUESTED = `SELECT sum(counts ->> 'requested') FROM guardian_counts WHERE unit = 'minute'`;
const REQUEST = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', digest: 'd' };

function overDays(happenings: readonly Happening[]): Happening[] {
  const spread = happenings.map(([atMs, ...rest]): Happening => [atMs * 20, ...rest]);
  return [[0, 'daemon.started'], ...spread];
}

/** In transactions of three events, as an action's are. */
function append(store: Store, happenings: readonly Happening[]): void {
  const events = journal(happenings);
  for (let at = 0; at < events.length; at += 3) {
    store.write('relaxed', () => {
      for (const { atMs, kind, userId, actionId, confirmationId, metadata } of events.slice(at, at + 3)) {
        const facts = JSON.parse(JSON.stringify(metadata ?? {}));
        store.journal.append(atMs, fromOtherBuild({ kind, userId, actionId, confirmationId, metadata: facts }));
      }
    });
  }
}

/** The rows of the actions and plans that have begun. */
function insertRows(store: Store, happenings: readonly Happening[]): void {
  const isEnded = (id: string) =>
    happenings.some(([, , actionId, metadata]) => actionId === id && ENDS.has(String(metadata?.status)));
  const isOver = (taskId: unknown) =>
    happenings.some(([, kind, , metadata]) => kind === 'task.ended' && metadata?.taskId === taskId);
  store.write('relaxed', () => {
    store.devices.insert(device());
    for (const [createdAtMs, kind, id = '', metadata] of happenings) {
      if (kind === 'action.requested' && metadata?.verdict !== 'block')
        store.actions.insert(action({ id, status: isEnded(id) ? 'success' : 'running', createdAtMs }));
      if (kind === 'task.plan_asked') insertPlan(store, { createdAtMs, metadata, isOver });
    }
  });
}

type AskedPlan = { createdAtMs: number; metadata: Happening[3]; isOver(taskId: unknown): boolean };

function insertPlan(store: Store, { createdAtMs, metadata, isOver }: AskedPlan): void {
  const [taskId, planId] = [String(metadata?.taskId), String(metadata?.plan)];
  const ended = isOver(taskId) ? ({ status: 'success', finishedAtMs: createdAtMs } as const) : {};
  store.tasks.insert({ ...emptyTask, id: taskId, createdAtMs, ...ended });
  store.confirmations.insert({ ...pendingPlan, id: planId, taskId, createdAtMs });
}

function requestedIn(store: Store, fromMs: number, toMs: number): number {
  return store.recording.recorded({ fromMs, toMs }, toMs).rollup.counters.requested;
}

function tables(store: Store): unknown {
  store.recording.settle();
  return reading(store, (database) =>
    [
      'guardian_counts',
      'guardian_up_intervals',
      'guardian_seen',
      'guardian_refused_requests',
      'guardian_refused_sources',
    ].map((table) => database.prepare<unknown[], { counts?: string }>(`SELECT * FROM ${table}`).all().map(readable)),
  );
}

/** The counts of a row are in the order in which they came. */
function readable({ counts = '{}', ...row }: { counts?: string }): object {
  return { ...row, counts: JSON.parse(counts) as unknown };
}

/** A copy of the files of a store in use, as they would be after a kill. */
function asLeftByKill(path: string): string {
  const copy = temporaryFolder();
  cpSync(path, copy, { recursive: true });
  return copy;
}

function startsByUnit(store: Store): unknown {
  return reading(store, (database) =>
    Object.fromEntries(
      database.prepare('SELECT unit, count(DISTINCT start_ms) FROM guardian_counts GROUP BY unit').raw().all() as [
        string,
        number,
      ][],
    ),
  );
}

function reading<Result>({ path }: Store, read: (database: Database.Database) => Result): Result {
  const database = new Database(`${path}/handrail.db`, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
