import { expect, test } from 'vitest';
import type { MachineView } from '../../src/contract/machine-view.ts';
import type { PersonVerb, PersonVerbRequest } from '../../src/contract/person-verb.ts';
import { personVerbs } from '../../src/daemon/person-verbs.ts';
import { NO_DIFF } from '../http/empty-console.ts';
import { refused } from '../http/refused.ts';

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

const STUDIO = { name: 'studio', address: 'ann@studio.local' };
const STUDIO_VIEW: MachineView = { ...STUDIO, status: 'starting', running: 0, addedAt: '2026-11-29T10:00:00.000Z' };

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
    {
      createSignInCode: () => 'QQQQ-7777',
      person,
      policy: {
        list: () => ({ items: [], assignments: [] }),
        async diff({ days, profiles }) {
          done.push(`diff ${profiles.map(({ name }) => name)} ${days}`);
          return NO_DIFF;
        },
      },
      machines: {
        list: () => ({ items: [] }),
        add({ name }) {
          done.push(`add ${name}`);
          if (name === 'taken') return refused('validation_failed', 'There is a machine "taken" already.');
          return { items: [STUDIO_VIEW] };
        },
        tryNow: async () => STUDIO_VIEW,
        remove(name) {
          done.push(`remove ${name}`);
          return { items: [] };
        },
      },
    },
    { hasTerminal, log: { info: log, warn: log, error: log } as never },
  );
  return {
    done,
    ask: async (verb: PersonVerb, words = '', given: Omit<PersonVerbRequest, 'words'> = {}) =>
      verbs[verb]({ words, ...given }),
  };
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

test.each([true, false])(
  'the rules are told, and compared with other ones, with a terminal or without (%s)',
  async (hasTerminal) => {
    const { ask, done } = rig({ hasTerminal });
    expect(await ask('policy')).toEqual({ done: JSON.stringify({ items: [], assignments: [] }) });
    const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' } as const;
    const question = { days: 7, profiles: [{ name: 'office', byLevel, rules: [] }] };
    expect(await ask('policy-diff', '', { policy: question })).toEqual({ done: JSON.stringify(NO_DIFF) });
    expect(done).toEqual(['diff office 7']);
  },
);

test('a comparison without profiles is declined', async () => {
  const { ask, done } = rig();
  expect(await ask('policy-diff')).toEqual({ declined: 'There are no profiles to compare with.' });
  expect(done).toEqual([]);
});

test('without a terminal the key alone adds, tries and removes a machine', async () => {
  const { ask, done } = rig();
  expect(await ask('machine-add', '', { machine: STUDIO })).toEqual({ done: JSON.stringify({ items: [STUDIO_VIEW] }) });
  expect(await ask('machine-test', '', { machine: STUDIO })).toEqual({ done: JSON.stringify(STUDIO_VIEW) });
  expect(await ask('machine-remove', '', { machine: { name: 'studio' } })).toEqual({ done: '{"items":[]}' });
  expect(done.filter((each) => !each.startsWith('log:'))).toEqual(['add studio', 'remove studio']);
});

test.each(['machine-add', 'machine-remove'] as const)(
  'U4: with a terminal %s takes the code that was read there',
  async (verb) => {
    const { ask, done } = rig({ hasTerminal: true });
    for (const code of ['', '7KQF-3XWX'])
      expect(await ask(verb, code, { machine: STUDIO })).toEqual({
        declined: expect.stringContaining('press Enter in its terminal'),
      });
    expect(done.filter((each) => !each.startsWith('log:'))).toEqual([]);
    expect(await ask(verb, '7KQF-3XWA', { machine: STUDIO })).toEqual({ done: expect.any(String) });
  },
);

test('a machine that the services refuse is declined in their words, and one without an address at once', async () => {
  const { ask } = rig();
  const taken = await ask('machine-add', '', { machine: { ...STUDIO, name: 'taken' } });
  expect(taken).toEqual({ declined: 'There is a machine "taken" already.' });
  expect(await ask('machine-add', '', { machine: { name: 'studio' } })).toEqual({
    declined: expect.stringContaining('its address'),
  });
});

test('the machines are told with a terminal too', async () => {
  expect(await rig({ hasTerminal: true }).ask('machines')).toEqual({ done: '{"items":[]}' });
});
