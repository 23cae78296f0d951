import { expect } from 'vitest';
import { test } from './rig.ts';

const read = { actionType: 'ReadFile', parameters: { path: '/home/ann/notes.txt' }, dryRun: true };
const NOT_FOLLOWED = /The device agent has not looked up the target/u;

test('a dry run waits for an agent that starts, and says so when the path was not followed', async ({ rig }) => {
  rig.agent.become('starting');
  const answer = rig.submit(read);
  await Promise.resolve();
  expect(rig.agent.sent).toEqual([]);
  rig.clock.advance(10_000);
  expect(await answer).toMatchObject({
    kind: 'dryRun',
    dryRun: { target: '/home/ann/notes.txt', details: expect.stringMatching(NOT_FOLLOWED) },
  });
});

test('a dry run without an agent answers at once, and says that the path was not followed', async ({ rig }) => {
  rig.agent.become('offline');
  expect(await rig.submit(read)).toMatchObject({ dryRun: { details: expect.stringMatching(NOT_FOLLOWED) } });
});
