import { expect } from 'vitest';
import type { CallingProgram } from '../../../src/contract/program.ts';
import { isRefusal } from '../../../src/services/refusal.ts';
import { nameKeyOf } from '../../../src/services/requesters/calling-programs.ts';
import { isShort } from '../../domain/processor-time.ts';
import { done, type Rig, startServices, test } from '../rig.ts';
import { submitTask } from '../tasks-rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const AGENT: CallingProgram = {
  kind: 'program',
  uid: 501,
  pid: 9,
  name: 'python3.13',
  path: '/usr/bin/python3.13',
  script: '/home/ann/agent\u202e.py',
  startedBy: [{ pid: 8, name: 'zsh\u0007', path: '/bin/zsh' }],
};
const DAY_MS = 86_400_000;

/** Says which program calls, and counts how often it is asked. */
function caller(program: CallingProgram) {
  let asked = 0;
  const find = async () => {
    asked += 1;
    return program;
  };
  return { find, asked: () => asked };
}

const programs = (rig: Rig) =>
  rig.services.console.confirmations.list().map(({ id }) => {
    const confirmation = rig.services.console.confirmations.get(id);
    return isRefusal(confirmation) ? confirmation : confirmation.prompt.requester.program;
  });
const journaled = (rig: Rig) =>
  rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'requester.program');

test('a prompt names the program that asks, with its script and parents, in visible characters', async ({ rig }) => {
  await rig.submit(screenshot, { waitMs: 0, program: caller(AGENT).find });
  expect(programs(rig)).toEqual([
    {
      ...AGENT,
      script: '/home/ann/agent\\u{202e}.py',
      startedBy: [{ pid: 8, name: 'zsh\\u{7}', path: '/bin/zsh' }],
    },
  ]);
  expect(journaled(rig)).toMatchObject([{ userId: 'ann', metadata: { program: '/usr/bin/python3.13' } }]);
});

test('an action that asks nobody has its program too, where the connection was not looked up before', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const asked: boolean[] = [];
  const find = async (isAsked: boolean) => {
    asked.push(isAsked);
    return isAsked || asked.length === 1 ? AGENT : undefined;
  };
  const wait = { parameters: { durationMs: 5 } };
  for (const body of [wait, wait, screenshot]) await rig.submit(body, { waitMs: 0, program: find });
  expect(asked).toEqual([false, false, true]);
  expect(journaled(rig).map(({ metadata }) => metadata?.program)).toEqual([
    '/usr/bin/python3.13',
    '/usr/bin/python3.13',
  ]);
});

test('a prompt of a caller that was not found says that the program is unknown, and why', async ({ rig }) => {
  await rig.submit(screenshot, { waitMs: 0, program: caller({ kind: 'unknown', because: 'it has ended' }).find });
  expect(programs(rig)).toEqual([{ kind: 'unknown', because: 'it has ended' }]);
});

test('a look-up that fails leaves the prompt as it is', async ({ rig }) => {
  const answer = await rig.submit(screenshot, { waitMs: 0, program: () => Promise.reject(new Error('no')) });
  expect(isRefusal(answer)).toBe(false);
  expect(programs(rig)).toEqual([{ kind: 'unknown', because: 'it was not looked up' }]);
});

test('the plan of a task, and a step that asks later by itself, name the program that submitted the task', async () => {
  const rig = startServices();
  const steps = [
    { id: 'look', actionType: 'DescribeScreen', parameters: {} },
    { id: 'shot', ...screenshot },
    { id: 'crop', ...screenshot, parameters: { maxWidth: { $from: 'look.data.width' } }, dependsOn: ['look'] },
  ];
  expect(await submitTask(rig, steps, { program: caller(AGENT).find })).toMatchObject({ kind: 'task' });
  await rig.agent.answer(done({ data: { width: 100 } }));
  expect(programs(rig)).toMatchObject([
    { kind: 'program', pid: 9 },
    { kind: 'program', pid: 9 },
  ]);
  expect(journaled(rig)).toMatchObject([{ metadata: { taskId: expect.stringMatching(/^tsk_/) } }]);
});

test('the record of the program survives a restart of the daemon', async ({ rig }) => {
  await rig.submit(screenshot, { waitMs: 0, program: caller(AGENT).find });
  const [id] = rig.services.console.confirmations.list().map(({ id: each }) => each);
  expect(id).toMatch(/^cnf_/);
  const [action] = rig.store.actions.live();
  expect(rig.crashAndRestart().store.callingPrograms.find(String(action?.id))).toEqual(AGENT);
});

test('two scripts of one interpreter are two programs, and an unknown one is none', () => {
  const other = { ...AGENT, script: '/tmp/other.py' };
  expect(nameKeyOf(AGENT)).not.toBe(nameKeyOf(other));
  expect(nameKeyOf({ ...AGENT, pid: 10, startedBy: [] })).toBe(nameKeyOf(AGENT));
  expect(nameKeyOf({ kind: 'unknown', because: 'it has ended' })).toBe('');
});

test('a change of the program is told once a name was used by another one before the day, and by nobody else', async () => {
  const rig = startServices();
  const other: CallingProgram = { ...AGENT, name: 'node', path: '/usr/bin/node', script: '/tmp/thief.js' };
  const ask = (program: CallingProgram, userId = 'ann') =>
    rig.submit(screenshot, { waitMs: 0, userId, program: caller(program).find });
  const changes = () => rig.store.callingPrograms.changes({ afterMs: rig.clock.nowMs() - DAY_MS, limit: 10 });
  await ask(AGENT);
  rig.clock.advance(2 * DAY_MS);
  await ask(AGENT);
  await ask({ kind: 'unknown', because: 'it has ended' });
  expect(changes()).toEqual([]);
  await ask(other);
  expect(changes()).toMatchObject([{ userId: 'ann', now: { name: 'node' }, before: { name: 'python3.13' } }]);
  rig.clock.advance(2 * DAY_MS);
  await ask(other);
  expect(changes()).toEqual([]);
});

test('changes are found quickly among thousands of records of one program', ({ rig: { store, clock } }) => {
  const program = { ...AGENT, startedBy: [] };
  store.write('relaxed', () => {
    for (let number = 0; number < 6_000; number += 1) {
      const atMs = clock.nowMs() - 2 * DAY_MS + number * 25_000;
      store.callingPrograms.put(`act_${number}`, { userId: 'ann', nameKey: nameKeyOf(program), program, atMs });
    }
  });
  const changes = () => store.callingPrograms.changes({ afterMs: clock.nowMs() - DAY_MS, limit: 10 });
  expect(changes()).toEqual([]);
  // To look up each record by itself takes seconds, a hundred times as long as the loop.
  expect(isShort(changes)).toBe(true);
});

test('records are forgotten after ninety days', async ({ rig }) => {
  await rig.submit(screenshot, { waitMs: 0, program: caller(AGENT).find });
  const [{ actionId } = { actionId: undefined }] = journaled(rig);
  rig.store.write('relaxed', () => rig.store.callingPrograms.forgetBefore(rig.clock.nowMs()));
  expect(rig.store.callingPrograms.find(String(actionId))).toEqual(AGENT);
  rig.store.write('relaxed', () => rig.store.callingPrograms.forgetBefore(rig.clock.nowMs() + 1));
  expect(rig.store.callingPrograms.find(String(actionId))).toBeUndefined();
});
