import { expect } from 'vitest';
import type { Run } from '../../../src/contract/run.ts';
import type { ActivityFilter } from '../../../src/store/records/activity.ts';
import { action } from '../../store/rig.ts';
import { parsedPage } from '../page-items.ts';
import { actionIn, done, type Rig, startServices, test } from '../rig.ts';
import { submittedTask } from '../tasks-rig.ts';

const MINUTE_MS = 60_000;
const WAIT = { actionType: 'Wait', parameters: { durationMs: 0 } };

async function pageOf({ services }: Pick<Rig, 'services'>, filter: ActivityFilter, page = { limit: 50 }) {
  const { items, nextCursor } = await parsedPage<Run>(services.console.runs.list(filter, page));
  return { runs: items, nextCursor };
}

async function runsOf(rig: Pick<Rig, 'services'>, filter: ActivityFilter = {}): Promise<Run[]> {
  return (await pageOf(rig, filter)).runs;
}

/** ann: two actions two minutes apart, then one four minutes later. bob: one beside the first two. */
async function withRuns() {
  const rig = startServices();
  const { clock } = rig;
  const bobs = rig.deviceOf('bob');
  const submit = async (userId: string, body: object = WAIT) =>
    actionIn(await rig.submit(body, { userId, waitMs: 0 })).action.actionId;
  const first = await submit('ann');
  await rig.agent.answer(done());
  await clock.advance(MINUTE_MS);
  const bob = await submit('bob', { ...WAIT, targetDeviceId: bobs });
  await rig.agent.answer(done());
  await clock.advance(MINUTE_MS);
  const second = await submit('ann', { actionType: 'DescribeScreen', parameters: {} });
  await rig.agent.answer(done());
  await clock.advance(4 * MINUTE_MS);
  const third = await submit('ann');
  return { ...rig, ids: { first, bob, second, third } };
}

test('a break of more than three minutes ends a run, and a run of another requester beside it does not', async () => {
  const rig = await withRuns();
  const { ids } = rig;
  const runs = await runsOf(rig);
  expect(runs.map(({ id, userId, actions }) => ({ id, userId, actions }))).toEqual([
    { id: ids.third, userId: 'ann', actions: 1 },
    { id: ids.first, userId: 'ann', actions: 2 },
    { id: ids.bob, userId: 'bob', actions: 1 },
  ]);
  expect(runs[0]).not.toHaveProperty('endedAt');
  expect(runs[1]).toMatchObject({
    endedAt: expect.any(String),
    statuses: [{ status: 'success', count: 2 }],
    types: [
      { actionType: 'DescribeScreen', count: 1 },
      { actionType: 'Wait', count: 1 },
    ],
    isCut: false,
  });
  expect(await rig.services.console.runs.one(ids.second)).toEqual(runs[1]);
  expect(await rig.services.console.runs.one('act_none')).toMatchObject({ refused: 'action_not_found' });
});

test('an action that is under way keeps its run together, however long it takes', async ({ rig }) => {
  await rig.submitted({ actionType: 'DescribeScreen', parameters: {}, timeoutMs: 600_000 });
  await rig.clock.advance(9 * MINUTE_MS);
  await rig.agent.answer(done());
  await rig.clock.advance(2 * MINUTE_MS);
  await rig.submitted(WAIT);
  expect(await runsOf(rig)).toMatchObject([{ actions: 2 }]);
});

test('a run is found whole by a filter that one of its actions matches', async () => {
  const rig = await withRuns();
  const { ids } = rig;
  const found = async (filter: ActivityFilter) => (await runsOf(rig, filter)).map(({ id, actions }) => [id, actions]);
  expect(await found({ text: 'describe SCREEN' })).toEqual([[ids.first, 2]]);
  expect(await found({ text: '100%_' })).toEqual([]);
  expect(await found({ userId: 'bob' })).toEqual([[ids.bob, 1]]);
  expect(await found({ types: ['Wait'], statuses: ['success'] })).toEqual([
    [ids.bob, 1],
    [ids.first, 2],
  ]);
});

test('a task is one run with its name, and an action outside of it is of another', async ({ rig }) => {
  await submittedTask(rig, [{ id: 'one' }, { id: 'two' }], { name: 'Tidy \u202eup' });
  await rig.sent();
  await rig.submitted(WAIT);
  const runs = await runsOf(rig);
  expect(runs.map(({ taskName, actions }) => ({ taskName, actions }))).toEqual([
    { taskName: undefined, actions: 1 },
    { taskName: 'Tidy \\u{202e}up', actions: 2 },
  ]);
});

async function allRunsOf(rig: Rig, limit: number): Promise<Run[]> {
  const all: Run[] = [];
  let cursor: string | undefined;
  do {
    const page = await pageOf(rig, {}, { limit, ...(cursor !== undefined && { cursor }) });
    all.push(...page.runs);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && all.length < 1_000);
  return all;
}

/** Actions that have ended, each of these requesters' turn, so long after the first one. */
function fill(
  { store, deviceId }: Rig,
  { count, users }: { count: number; users: string[] },
  at: (n: number) => number,
) {
  store.write('relaxed', () => {
    for (let number = 0; number < count; number += 1) {
      const createdAtMs = 1_600_000_000_000 + at(number);
      const id = `act_${String(number).padStart(26, '0')}`;
      const userId = users[number % users.length] ?? '';
      store.actions.insert(action({ id, userId, deviceId, status: 'success', createdAtMs, finishedAtMs: createdAtMs }));
    }
  });
}

test('pages of runs follow one another without a gap and without a run twice', async ({ rig }) => {
  // Each of them every two minutes, with a break of an hour after every tenth.
  const at = (number: number) => number * 40_000 + Math.floor(number / 30) * 3_600_000;
  fill(rig, { count: 900, users: ['ann', 'bob', 'eve'] }, at);
  const all = await allRunsOf(rig, 7);
  expect(all.map(({ actions }) => actions)).toEqual(Array.from({ length: 90 }, () => 10));
  expect(new Set(all.map(({ id }) => id)).size).toBe(90);
  expect(await rig.services.console.runs.list({}, { limit: 1, cursor: 'x' })).toMatchObject({ refused: 'bad_request' });
});

test('a requester that acts without a pause has runs of 5,000 actions, and each page is bounded', async ({ rig }) => {
  fill(rig, { count: 12_000, users: ['ann'] }, (number) => number * 1_000);
  const runs = await allRunsOf(rig, 50);
  // A page may end within such a requester's actions; then the run that goes on misses the one at the end.
  expect(runs.map(({ actions, isCut }) => [actions, isCut])).toEqual([
    [5_000, true],
    [5_000, true],
    [1_999, false],
  ]);
});
