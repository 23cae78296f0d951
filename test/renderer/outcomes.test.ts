import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FeedState } from '../../renderer/src/feed/feed.ts';
import { createObservable } from '../../renderer/src/observable.ts';
import { createOutcomes, isShownStill } from '../../renderer/src/prompt/outcomes.ts';
import type { Action } from '../../src/contract/action.ts';
import type { StreamEvent } from '../../src/contract/event.ts';
import { newConfirmation, newTask } from '../browser/made-up.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const NOTHING: FeedState = {
  connection: 'live',
  confirmations: [],
  status: undefined,
  grants: [],
  profiles: undefined,
  stuckTasks: [],
};

function rig() {
  const state = createObservable(NOTHING);
  const actions = new Map<string, Action>();
  const asked: string[] = [];
  const journal: StreamEvent[] = [];
  const failure = { code: 'action_not_found', detail: '' } as const;
  const outcomes = createOutcomes({
    feed: { ...state, refresh: async () => true, follow: async () => undefined },
    client: {
      async activityDetail(id) {
        asked.push(id);
        const action = actions.get(id);
        if (action === undefined) return { ok: false, failure };
        return {
          ok: true,
          value: { action, device: { id: action.targetDeviceId, name: 'Desk' }, rule: '', journal },
        };
      },
      task: async (taskId) => ({ ok: true, value: newTask({ taskId, status: 'success' }) }),
    },
    now: Date.now,
  });
  outcomes.watch();
  const notify = () => state.set({ ...NOTHING });
  const change = async () => {
    notify();
    await vi.advanceTimersByTimeAsync(600);
  };
  /** The person answers a request; answers its record. */
  function add(
    status: Action['status'],
    decision: 'allow' | 'deny',
    { userId = 'ann', isLasting = false } = {},
  ): Action {
    const confirmation = newConfirmation({ userId });
    const record = { ...confirmation.action, status };
    outcomes.add(confirmation, { isLasting, equal: [], decision, record });
    return record;
  }
  return { outcomes, actions, asked, journal, notify, change, add };
}

function created(grantId: string): StreamEvent {
  return { id: '1', at: new Date().toISOString(), kind: 'grant.created', metadata: { grantId } };
}

test('an allowed request is followed until it has ended, and not longer', async () => {
  const { outcomes, actions, asked, change, add } = rig();
  const record = add('queued', 'allow');
  actions.set(record.actionId, { ...record, status: 'running' });
  await change();
  expect(outcomes.get()[0]?.record.status).toBe('running');
  actions.set(record.actionId, { ...record, status: 'failed', finishedAt: new Date().toISOString() });
  await change();
  expect(outcomes.get()[0]?.record.status).toBe('failed');
  const before = asked.length;
  await change();
  expect(asked).toHaveLength(before);
});

test('how a request stands is asked four times a second at most', async () => {
  const { actions, asked, notify, add } = rig();
  const record = add('queued', 'allow');
  actions.set(record.actionId, { ...record, status: 'running' });
  notify();
  await vi.advanceTimersByTimeAsync(0);
  notify();
  await vi.advanceTimersByTimeAsync(249);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
});

test('a denial can be undone for almost ten seconds, an approval not at all', () => {
  const { outcomes, add } = rig();
  add('awaiting_confirmation', 'deny');
  add('queued', 'allow', { userId: 'bob' });
  expect(outcomes.get().map(({ undoUntilMs }) => undoUntilMs)).toEqual([0, Date.now() + 9_500]);
});

test('each denial can be undone, whoever asked', () => {
  const { outcomes, add } = rig();
  for (const userId of ['ann', 'bob', 'ann']) add('awaiting_confirmation', 'deny', { userId });
  expect(outcomes.get().map(({ undoUntilMs }) => undoUntilMs > 0)).toEqual([true, true, true]);
});

test.each(['success', 'running'] as const)(
  'an approval that lasts has the grants that the journal names, while the action is %s',
  async (status) => {
    const { outcomes, actions, journal, add } = rig();
    journal.push(created('grt_1'), { ...created('grt_2'), kind: 'grant.revoked' }, created('grt_3'));
    const record = add(status, 'allow', { isLasting: true });
    actions.set(record.actionId, record);
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes.get()[0]?.grantIds).toEqual(['grt_1', 'grt_3']);
  },
);

test('access to apps is given once its action has succeeded, and is found then', async () => {
  const { outcomes, actions, journal, change, add } = rig();
  const record = add('running', 'allow', { isLasting: true });
  actions.set(record.actionId, record);
  await vi.advanceTimersByTimeAsync(300);
  expect(outcomes.get()[0]?.grantIds).toEqual([]);
  journal.push(created('grt_1'));
  actions.set(record.actionId, { ...record, status: 'success', finishedAt: new Date().toISOString() });
  await change();
  expect(outcomes.get()[0]?.grantIds).toEqual(['grt_1']);
});

test('five answers are kept at most, and one can be closed', () => {
  const { outcomes, add } = rig();
  for (let count = 0; count < 6; count += 1) add('queued', 'allow');
  const [first] = outcomes.get();
  expect(outcomes.get()).toHaveLength(5);
  outcomes.remove(first?.confirmationId ?? '');
  expect(outcomes.get()).toHaveLength(4);
});

test('the card of an answer says when it was given, and leaves a minute after the request has ended', async () => {
  const { outcomes, actions, change, add } = rig();
  const record = add('running', 'allow');
  const shown = () => outcomes.get().filter((outcome) => isShownStill(outcome, Date.now())).length;
  expect(outcomes.get()[0]?.answeredAtMs).toBe(Date.now());
  await vi.advanceTimersByTimeAsync(120_000);
  expect(shown()).toBe(1);
  actions.set(record.actionId, { ...record, status: 'success', finishedAt: new Date().toISOString() });
  await change();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(shown()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(shown()).toBe(0);
});
