import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { audit, open, temporaryFolder } from './rig.ts';

/** Rows as builds before and after this one write them: the kind, the action, and the facts as they are in the file. */
const ROWS = [
  ['daemon.started', null, '{}'],
  ['action.requested', 'act_1', '{"digest":"d","risk":"high","type":"OpenApp","verdict":"allow"}'],
  ['action.dispatched', 'act_1', '{"status":"running"}'],
  ['action.succeeded', 'act_1', '{"status":"success"}'],
  ['action.requested', 'act_2', '{}'],
  ['action.requested', 'act_3', '{"risk":"extreme","type":7,"verdict":"perhaps"}'],
  ['action.succeeded', 'act_3', '{"status":"splendid"}'],
  ['action.delegated', 'act_3', '{"status":"success","to":["bob"]}'],
  ['request.refused', null, '{"code":"user_key_invalid"}'],
  ['request.refused', null, '{"code":"user_key_invalid","count":"many"}'],
  ['daemon.slept', null, '{}'],
  ['task.ended', null, '{"status":"success","workedMs":"long"}'],
  ['planet.discovered', null, '{"mass":{"kg":6e24}}'],
  ['confirmation.shown', 'act_2', 'null'],
] as const;

/** A data directory with the rows, chained as the store chains them, and nothing counted yet. */
function storedRows(): string {
  const path = temporaryFolder();
  open({ path }).close();
  const database = new Database(`${path}/handrail.db`);
  const insert = database.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  let previous = '00'.repeat(32);
  for (const [index, [kind, actionId, metadata]] of ROWS.entries()) {
    const row = [index + 1, 60_000 + index, kind, 'ann', null, actionId, null, metadata];
    const hash = createHash('sha256')
      .update(`${previous}${JSON.stringify(row)}`)
      .digest('hex');
    insert.run(...row, Buffer.from(previous, 'hex'), Buffer.from(hash, 'hex'));
    previous = hash;
  }
  database.close();
  return path;
}

test('rows of other builds verify, and are passed on as they are stored', () => {
  const store = open({ path: storedRows() });
  expect(audit(store)).toEqual({ valid: true, rows: ROWS.length });
  const passedOn = store.journal.readAfter(0, 100);
  expect(passedOn.map(({ kind, actionId, metadata }) => [kind, actionId ?? null, metadata])).toEqual(
    ROWS.map(([kind, actionId, metadata]) => [kind, actionId, JSON.parse(metadata)]),
  );
});

test('rows of other builds are counted as far as this build understands them', () => {
  const store = open({ path: storedRows() });
  const { rollup, upTime } = store.recording.recorded({ fromMs: 60_000, toMs: 120_000 }, 60_100);
  const counted = Object.entries(rollup.counters).filter(([, times]) => times !== 0);
  expect(Object.fromEntries(counted)).toEqual({
    requested: 3,
    requestedLow: 2,
    requestedHigh: 1,
    requestedAllowed: 1,
    repeated: 1,
    novel: 2,
    executed: 1,
    executedElevated: 1,
    executedHigh: 1,
    succeeded: 1,
    outcomeUnexpected: 1,
    promptShown: 1,
    taskSucceeded: 1,
    credentialRefused: 2,
    userKeyRefused: 2,
  });
  expect(rollup.types).toEqual({ OpenApp: 1, unknown: 2 });
  expect(upTime.upMs).toBe(100);
});

test('the daemon goes on counting actions that rows of other builds began', () => {
  const path = storedRows();
  open({ path }).close();
  const store = open({ path });
  store.write('relaxed', () =>
    store.journal.append(60_050, { kind: 'action.dispatched', actionId: 'act_2', metadata: { status: 'running' } }),
  );
  expect(store.recording.recorded({ fromMs: 60_000, toMs: 120_000 }, 60_100).rollup.counters.executed).toBe(2);
});
