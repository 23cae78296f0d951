import { expect, test, vi } from 'vitest';
import type { ActionSubmission } from '../../src/contract/action.ts';
import type { Submission } from '../../src/services/requester-services.ts';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import type { Store } from '../../src/store/store.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';

function submissionOf(rig: Rig, body: Partial<ActionSubmission> = {}, rest: Partial<Submission> = {}): Submission {
  return {
    userId: 'ann',
    body: { targetDeviceId: rig.deviceId, actionType: 'Wait', parameters: { durationMs: 0 }, ...body },
    gone: new AbortController().signal,
    ...rest,
  };
}

/** The transactions from here on, each with how many events it appended to the journal. */
function transactionsOf(rig: Rig): number[] {
  const { write } = rig.store;
  const appended: number[] = [];
  vi.spyOn(rig.store, 'write').mockImplementation((durability, work) => {
    const before = rig.store.journal.head().seq;
    const result = write(durability, work);
    appended.push(rig.store.journal.head().seq - before);
    return result;
  });
  return appended;
}

/** The next transaction does its work and is then refused by the storage, as with a full disk. */
function refuseNext(store: Store): void {
  const { write } = store;
  vi.spyOn(store, 'write').mockImplementationOnce((durability, work) =>
    write(durability, () => {
      work();
      throw new StorageUnavailable('the disk is full');
    }),
  );
}

const idsSent = (rig: Rig) => rig.agent.sent.map(({ actionId }) => actionId);

test('submissions that came together begin in one transaction, and the agent is told after it', () => {
  const rig = startServices();
  const transactions = transactionsOf(rig);
  const perform = vi.spyOn(rig.agent, 'perform').mockImplementation(() => void expect(transactions).toEqual([6]));
  void rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig), submissionOf(rig)]);
  expect(perform).toHaveBeenCalledTimes(3);
  expect(transactions).toEqual([6]);
});

test('outcomes that are read together are stored in one transaction, and each caller gets its own', async () => {
  const rig = startServices();
  const answers = rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig)]);
  const transactions = transactionsOf(rig);
  const [first, second] = rig.agent.sent;
  if (first === undefined || second === undefined) throw new Error('two actions should have been sent');
  rig.agent.listener.finished(first, done({ details: 'One.' }));
  rig.agent.listener.finished(second, notDone({ message: 'Two.' }));
  expect(await Promise.all(answers)).toMatchObject([
    { action: { actionId: first.actionId, status: 'success', details: 'One.' } },
    { action: { actionId: second.actionId, status: 'failed', details: 'Two.' } },
  ]);
  expect(transactions).toEqual([2]);
  expect(rig.agent.acknowledged.map(({ actionId }) => actionId)).toEqual([first.actionId, second.actionId]);
});

test('what cannot be sent at once, is refused or has to be on disk first takes its own way', async () => {
  const rig = startServices();
  const answers = rig.services.actions.submitTogether([
    submissionOf(rig),
    submissionOf(rig, { actionType: 'Nothing' }),
    submissionOf(rig, { actionType: 'OpenApp', parameters: { appName: 'Calculator' } }, { waitMs: 0 }),
    submissionOf(rig, { dryRun: true }),
    submissionOf(rig, { actionType: 'TakeScreenshot', parameters: {} }),
    submissionOf(rig, {}, { idempotencyKey: 'k', waitMs: 0 }),
    submissionOf(rig, {}, { idempotencyKey: 'k', waitMs: 0 }),
  ]);
  const [, unknown, app, dry, asking, keyed, again] = answers;
  expect(await unknown).toMatchObject({ refused: 'unknown_action_type' });
  expect(await app).toMatchObject({ action: { status: 'running' } });
  expect(await dry).toMatchObject({ kind: 'dryRun' });
  expect(await asking).toMatchObject({ action: { status: 'awaiting_confirmation' } });
  expect(await keyed).toMatchObject({ action: { status: 'running' } });
  expect(await again).toMatchObject({ refused: 'idempotency_in_progress' });
  expect(rig.agent.sent.map(({ actionType }) => actionType).toSorted()).toEqual(['OpenApp', 'Wait', 'Wait']);
});

test('where each has to be on disk before it is sent, there is one transaction for each and none for all', async () => {
  const rig = startServices();
  await rig.services.actions.submit(
    submissionOf(rig, { actionType: 'OpenApp', parameters: { appName: 'Calculator' } }, { waitMs: 0 }),
  );
  const transactions = transactionsOf(rig);
  const opening = { actionType: 'OpenApp', parameters: { appName: 'Calculator' } };
  const answers = rig.services.actions.submitTogether([1, 2].map(() => submissionOf(rig, opening, { waitMs: 0 })));
  await Promise.all(answers);
  expect(transactions).toHaveLength(2);
});

test('no more begin together than there are places: the others wait for their turn', async () => {
  const rig = startServices();
  const many = Array.from({ length: 20 }, () => submissionOf(rig, {}, { waitMs: 0 }));
  const answers = await Promise.all(rig.services.actions.submitTogether(many));
  expect(rig.agent.sent).toHaveLength(16);
  const statuses = answers.map((answer) => ('action' in answer ? answer.action.status : answer));
  expect(statuses.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 'running'));
  expect(statuses.slice(16)).toEqual(Array.from({ length: 4 }, () => 'queued'));
});

test('submissions whose transaction the storage refuses are tried one by one, and none is sent twice', async () => {
  const rig = startServices();
  refuseNext(rig.store);
  void rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig)]);
  expect(new Set(idsSent(rig)).size).toBe(2);
  expect(rig.kinds().filter((kind) => kind === 'action.requested')).toHaveLength(2);
  expect(rig.kinds().filter((kind) => kind === 'action.dispatched')).toHaveLength(2);
});

test('submissions of a transaction that was refused do not count against a limit on how many a minute', async () => {
  const rig = startServices();
  rig.services.console.profiles.put({
    name: 'slow',
    byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
    rules: [{ verdict: 'block', morePerMinuteThan: 2 }],
  });
  rig.services.console.profiles.assign('ann', 'slow');
  refuseNext(rig.store);
  void rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig)]);
  expect(idsSent(rig)).toHaveLength(2);
  const [third] = rig.services.actions.submitTogether([submissionOf(rig)]);
  expect(await third).toMatchObject({ action: { status: 'blocked' } });
});

test('a limit on how many a minute counts those that came together', async () => {
  const rig = startServices();
  rig.services.console.profiles.put({
    name: 'slow',
    byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
    rules: [{ verdict: 'block', morePerMinuteThan: 2 }],
  });
  rig.services.console.profiles.assign('ann', 'slow');
  const answers = rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig), submissionOf(rig)]);
  expect(idsSent(rig)).toHaveLength(2);
  expect(await answers[2]).toMatchObject({ action: { status: 'blocked' } });
});

test('outcomes whose transaction the storage refuses are stored one by one, and acknowledged after that', async () => {
  const rig = startServices();
  const answers = rig.services.actions.submitTogether([submissionOf(rig), submissionOf(rig)]);
  refuseNext(rig.store);
  for (const sent of rig.agent.sent) rig.agent.listener.finished(sent, done());
  expect(rig.agent.acknowledged).toEqual([]);
  expect(await Promise.all(answers)).toMatchObject([
    { action: { status: 'success' } },
    { action: { status: 'success' } },
  ]);
  await new Promise(setImmediate);
  expect(rig.agent.acknowledged.map(({ actionId }) => actionId)).toEqual(idsSent(rig));
  expect(rig.kinds().filter((kind) => kind === 'action.succeeded')).toHaveLength(2);
});

test('an outcome that was read ends its action as reported, although the agent is lost in the same turn', async () => {
  const rig = startServices();
  const [answer] = rig.services.actions.submitTogether([submissionOf(rig)]);
  const [sent] = rig.agent.sent;
  if (sent === undefined) throw new Error('nothing was sent to the agent');
  rig.agent.listener.finished(sent, done());
  rig.agent.listener.lost();
  expect(await answer).toMatchObject({ action: { status: 'success' } });
});
