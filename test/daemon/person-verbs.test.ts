import { expect, test } from 'vitest';
import type { PersonVerb } from '../../src/contract/person-verb.ts';
import { personVerbs } from '../../src/daemon/person-verbs.ts';

const VIEW = {
  status: {
    paused: true,
    locked: false,
    agent: 'online',
    waiting: 2,
    running: 1,
    underWay: [],
    requesters: [],
    lastEventId: '7',
  },
  prompts: [],
  permissions: null,
};

/** The verbs over a person whose only good code is 7KQF-3XWA; `done` lists what happened. */
function rig({ hasTerminal = false, canStore = true } = {}) {
  const done: string[] = [];
  const log = (_facts: object, line?: string) => void done.push(`log: ${line}`);
  const person = {
    pause: () => {
      done.push('pause');
      if (!canStore) throw new Error('the disk is full');
    },
    resume: async () => void done.push('resume'),
    spendSignInCode: (code: string) => code === '7KQF-3XWA',
    view: () => VIEW,
  };
  const verbs = personVerbs(
    { createSignInCode: () => 'QQQQ-7777', person },
    { hasTerminal, log: { info: log, warn: log, error: log } as never },
  );
  return { done, ask: async (verb: PersonVerb, words = '') => verbs[verb](words) };
}

test('without a terminal the command line gets a code, which is not logged', async () => {
  const { ask, done } = rig();
  expect(await ask('login')).toEqual({ done: 'QQQQ-7777' });
  expect(done).toEqual(['log: the command line was given a fresh sign-in code']);
});

test('U4: with a terminal the command line gets no code: only the person reads it there', async () => {
  const { ask, done } = rig({ hasTerminal: true });
  expect(await ask('login')).toEqual({ declined: expect.stringContaining('Press Enter there') });
  expect(done).toEqual([]);
});

test.each([true, false])(
  'the stop is open to every program of the person, with a terminal or without (%s)',
  async (hasTerminal) => {
    const { ask, done } = rig({ hasTerminal });
    expect(await ask('pause')).toEqual({ done: '' });
    expect(done).toContain('pause');
  },
);

test('a stop that cannot be stored holds, so it is no refusal', async () => {
  const { ask, done } = rig({ canStore: false });
  expect(await ask('pause')).toEqual({ done: '' });
  expect(done.at(-1)).toBe('log: the stop holds, but could not be stored yet');
});

test.each([
  ['no code', ''],
  ['a wrong code', '7KQF-3XWX'],
])('U4: with a terminal %s does not end the stop', async (_what, code) => {
  const { ask, done } = rig({ hasTerminal: true });
  expect(await ask('resume', code)).toEqual({ declined: expect.stringContaining('press Enter in its terminal') });
  expect(done).not.toContain('resume');
});

test('with a terminal the code that was read there ends the stop', async () => {
  const { ask, done } = rig({ hasTerminal: true });
  expect(await ask('resume', '7KQF-3XWA')).toEqual({ done: '' });
  expect(done).toContain('resume');
});

test('without a terminal the key alone guards the end of the stop, as it guards the code', async () => {
  const { ask, done } = rig();
  expect(await ask('resume')).toEqual({ done: '' });
  expect(done).toContain('resume');
});

test('the status has counts and states, and nothing of a request', async () => {
  const answer = await rig().ask('status');
  expect(answer).toEqual({ done: expect.any(String) });
  expect(JSON.parse(String('done' in answer && answer.done))).toEqual({
    paused: true,
    locked: false,
    agent: 'online',
    waiting: 2,
    running: 1,
    permissions: null,
    hasTerminal: false,
  });
});
