import { expect, test } from 'vitest';
import type { Plan, Prompt } from '../../src/contract/console.ts';
import { dangersOf, worstOf } from '../../src/contract/dangers.ts';

type Level = Prompt['risk']['level'];

function step(level: Level, ...dangers: string[]) {
  const noticed = dangers.map((words, index) => ({ words, lines: [index + 1] }));
  return { consent: 'asked', risk: { level, reasons: [] }, script: { noticed, noticedCut: false } };
}

const shownOf = (...steps: ReturnType<typeof step>[]) => {
  const prompt = { risk: { level: 'critical', reasons: [] } } as unknown as Prompt;
  return worstOf(dangersOf(prompt, { steps } as unknown as Plan), 'plan').shown.map(
    ({ words, at }) => `${words}, ${at}`,
  );
};

test('A5: the dangers of the riskiest step of a plan come first, wherever it stands', () => {
  const mild = ['looks at the clock', 'looks at the disk', 'looks at the memory', 'looks at the load'];
  const shown = shownOf(step('medium', ...mild), step('critical', 'sends ~/.ssh/id_rsa to evil.example'));
  expect(shown[0]).toBe('Sends ~/.ssh/id_rsa to evil.example, step 2');
});

test('A5: many dangers of one step do not push out the only one of another', () => {
  const many = ['deletes a', 'deletes b', 'deletes c', 'deletes d', 'deletes e'];
  const shown = shownOf(step('critical', ...many), step('critical', 'adds to ~/.bashrc'));
  expect(shown).toContain('Adds to ~/.bashrc, step 2');
});
