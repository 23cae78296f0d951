import { expect, test } from 'vitest';
import type { TaskStep } from '../../src/contract/task.ts';
import { newTask } from './made-up.ts';
import { usePages } from './page-rig.ts';

const { openDashboard } = usePages();

function unknown(id: string, sentence: string): TaskStep {
  const [step] = newTask().steps;
  if (step === undefined) throw new Error('a task that is made up has a step');
  const startedAt = new Date(Date.now() - 200_000).toISOString();
  return { ...step, id, status: 'unknown', sentence, startedAt };
}

const leftOpen = () => {
  return {
    name: 'Tidy the desk',
    steps: [unknown('quit', 'Quit the app “mousepad”')],
    progress: { done: 2, total: 5, byStatus: { success: 2, pending: 2, unknown: 1 } },
  };
};

test('a task that needs the person’s word is counted at once, and says what nobody knows', async () => {
  const { page, daemon } = await openDashboard();
  daemon.stick(leftOpen());
  await page.getByRole('heading', { name: 'Did it happen?' }).waitFor();
  await page.getByRole('link', { name: 'Requests 1' }).waitFor();
  const texts = await page.locator('.task h2, .task h3, .task p, .task button').allTextContents();
  expect(texts).toEqual([
    '“Tidy the desk”',
    'nightly-report · asked for just now · 2 of 5 steps done',
    'Quit the app “mousepad” quit',
    'sent 3 minutes ago, and no word came back',
    'It happened',
    'It did not happen',
    'Try again',
  ]);
});

test.each([
  ['It happened', 'happened quit', 'done, as you say. The task goes on.'],
  ['It did not happen', 'did_not_happen quit', 'not done, as you say.'],
  ['Try again', 'again quit', 'tried again.'],
])('the person says: %s', async (words, answer, said) => {
  const { page, daemon } = await openDashboard();
  daemon.stick(leftOpen());
  await page.getByRole('button', { name: `${words}: Quit the app “mousepad”` }).click();
  await page.getByText(`Quit the app “mousepad”: ${said}`).waitFor();
  await page.getByRole('heading', { name: 'No requests waiting' }).waitFor();
  expect(daemon.answers).toEqual([answer]);
});

test('a task with two such steps keeps the one that is still open', async () => {
  const { page, daemon } = await openDashboard();
  daemon.stick({ ...leftOpen(), steps: [unknown('one', 'Quit the app “one”'), unknown('two', 'Quit the app “two”')] });
  await page.getByRole('button', { name: 'It happened: Quit the app “one”' }).click();
  await page.locator('.unknown-step').filter({ hasText: 'Quit the app “one”' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.unknown-step h3').allTextContents()).toEqual(['Quit the app “two” two']);
});

test('prompts come before it, and name it among what waits', async () => {
  const { page, daemon, denyIsAlive, prompt } = await openDashboard();
  daemon.ask();
  daemon.stick(leftOpen());
  await page.locator('.queue').getByText('Did it happen? “Tidy the desk”').waitFor();
  await prompt.waitFor();
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'It happened: Quit the app “mousepad”' }).waitFor();
});
