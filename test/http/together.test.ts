import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createTogether } from '../../src/http/together.ts';
import type { Submission, SubmissionAnswer } from '../../src/services/requester-services.ts';

/** A service that notes in which call each submission came, and answers when it is told to. */
function startTogether() {
  const calls: string[][] = [];
  const ends = new Map<string, () => void>();
  const held = ({ userId }: Submission) =>
    new Promise<SubmissionAnswer>((resolve) => {
      ends.set(userId, () => resolve({ kind: 'dryRun', dryRun: {} } as SubmissionAnswer));
    });
  const note = (submissions: readonly Submission[]) => {
    calls.push(submissions.map(({ userId }) => userId));
    return submissions.map(held);
  };
  const submit = createTogether({
    submit: (submission) => note([submission])[0] ?? Promise.reject(new Error('no submission')),
    submitTogether: note,
  });
  const charged: string[] = [];
  const requestOf = (userId: string) =>
    ({ workedSinceMs: 0, chargeWork: () => void charged.push(userId) }) as unknown as FastifyRequest;
  const send = (userId: string) => submit({ userId } as Submission, requestOf(userId));
  return { calls, charged, send, end: (userId: string) => ends.get(userId)?.() };
}

test('the first submission is submitted at once; those of one turn that come meanwhile are submitted together', async () => {
  const { calls, send } = startTogether();
  void send('one');
  expect(calls).toEqual([['one']]);
  void send('two');
  void send('three');
  expect(calls).toEqual([['one']]);
  await nextTurn();
  expect(calls).toEqual([['one'], ['two', 'three']]);
  void send('four');
  await nextTurn();
  expect(calls.at(-1)).toEqual(['four']);
});

test('when all were answered, the next one is submitted at once again', async () => {
  const { calls, send, end } = startTogether();
  const answers = [send('one'), send('two')];
  await nextTurn();
  end('one');
  end('two');
  await Promise.all(answers);
  void send('three');
  expect(calls).toEqual([['one'], ['two'], ['three']]);
});

test('the work for submissions that came together is charged to each of their requesters', async () => {
  const { charged, send } = startTogether();
  for (const userId of ['one', 'two', 'three']) void send(userId);
  await nextTurn();
  expect(charged).toEqual(['two', 'three']);
});

test('an error while several are submitted together reaches each of their callers', async () => {
  const submit = createTogether({
    submit: () => new Promise(() => undefined),
    submitTogether: () => {
      throw new Error('the disk is full');
    },
  });
  const request = { workedSinceMs: 0, chargeWork: () => undefined } as unknown as FastifyRequest;
  const [, ...together] = ['one', 'two', 'three'].map((userId) => submit({ userId } as Submission, request));
  expect(await Promise.allSettled(together)).toMatchObject([
    { status: 'rejected', reason: { message: 'the disk is full' } },
    { status: 'rejected', reason: { message: 'the disk is full' } },
  ]);
});
