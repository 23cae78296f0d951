import { expect, test } from 'vitest';
import { type Call, type Channel, createReach } from '../../src/reach/reach.ts';

type Prompt = { id: string; userId: string; sentence: string; level: string; isCalled: boolean };

function asked(id: string, more: Partial<Prompt> = {}): Prompt {
  return { id, userId: 'ann', sentence: 'Take a screenshot', level: 'medium', isCalled: true, ...more };
}

function start(problems: { desktop?: string } = {}) {
  const [calls, gone, warnings]: [Call[], string[], string[]] = [[], [], []];
  let prompts: Prompt[] = [];
  let changed = (): void => undefined;
  const channel: Channel = {
    name: 'desktop',
    async call(call) {
      if (problems.desktop !== undefined) throw new Error(problems.desktop);
      calls.push(call);
    },
    withdraw: async (id) => void gone.push(id),
    close: async () => undefined,
  };
  const taken: string[] = [];
  const person = {
    view: () => ({ prompts }),
    onChange(listener: () => void) {
      changed = listener;
      return () => undefined;
    },
    callTaken: (id: string) => void taken.push(id),
  };
  const reach = createReach({ person, channels: [channel], log: { warn: (_facts, text) => warnings.push(text) } });
  const show = (...now: Prompt[]) => {
    prompts = now;
    changed();
  };
  return { reach, calls, gone, taken, warnings, problems, show };
}

test('the person is called once for each prompt, and the call is taken back when the prompt has ended', () => {
  const { calls, gone, show } = start();
  show(asked('a'));
  show(asked('a'), asked('b', { level: 'high', sentence: 'Open the app “xterm”' }));
  expect(calls).toEqual([
    { id: 'a', title: 'Handrail needs your answer', body: 'Take a screenshot. medium risk, asked by “ann”' },
    { id: 'b', title: 'Handrail needs your answer', body: 'Open the app “xterm”. high risk, asked by “ann”' },
  ]);
  show(asked('b'));
  expect(gone).toEqual(['a']);
});

test('a prompt that the limits of calls hold back calls nobody', () => {
  const { calls, show } = start();
  show(asked('a', { isCalled: false }));
  expect(calls).toEqual([]);
});

test('characters that show nothing are visible in a call, and a long text is cut', () => {
  const { calls, show } = start();
  show(asked('a', { userId: 'ann\u202e\n', sentence: 'x'.repeat(60_000) }));
  expect(calls[0]?.body).toBe(`${'x'.repeat(200)}…. medium risk, asked by “ann\\u{202e}\\u{a}”`);
});

test('a channel that fails is told once, until it works again', async () => {
  const rig = start({ desktop: 'no server' });
  rig.show(asked('a'));
  await Promise.resolve();
  rig.show(asked('b'));
  await Promise.resolve();
  expect(rig.warnings).toHaveLength(1);
  expect(await rig.reach.tryOut()).toEqual([{ channel: 'desktop', problem: 'no server' }]);
  delete rig.problems.desktop;
  expect(await rig.reach.tryOut()).toEqual([{ channel: 'desktop' }]);
});

test('the end of the daemon takes every call back', async () => {
  const { reach, gone, show } = start();
  show(asked('a'));
  await reach.close();
  expect(gone).toEqual(['a']);
});

test('a call that a channel took counts as having reached somebody, and one that failed does not', async () => {
  const { taken, problems, show } = start();
  show(asked('a'));
  await expect.poll(() => taken).toEqual(['a']);
  problems.desktop = 'there is no notification server';
  show(asked('a'), asked('b'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toEqual(['a']);
});
