import { expect, test } from 'vitest';
import { usePages } from './page-rig.ts';

const { openDashboard } = usePages();

const createdAt = () => new Date(Date.now() - 200_000).toISOString();
const action = () =>
  ({
    kind: 'action',
    id: 'act_1',
    userId: 'helper',
    title: 'Wait 60 s',
    status: 'running',
    createdAt: createdAt(),
  }) as const;
const task = () =>
  ({
    kind: 'task',
    id: 'tsk_1',
    userId: 'nightly',
    title: 'Tidy up',
    status: 'pending',
    createdAt: createdAt(),
  }) as const;

test('the page lists the actions and tasks that have not ended, and none where all have', async () => {
  const { page, daemon } = await openDashboard();
  expect(await page.getByRole('heading', { name: 'Running now' }).count()).toBe(0);
  daemon.set({ underWay: [action(), task()] });
  await page.getByRole('heading', { name: 'Running now' }).waitFor();
  await expect
    .poll(() => page.locator('.under-way p').allTextContents())
    .toEqual([
      'Wait 60 s',
      'helper · running · requested 3 minutes ago',
      '“Tidy up”',
      'nightly · waiting for its turn · requested 3 minutes ago',
    ]);
  daemon.set({ underWay: [] });
  await page.getByRole('heading', { name: 'Running now' }).waitFor({ state: 'detached' });
});

test.each([
  ['Cancel: Wait 60 s', 'Cancelled: Wait 60 s', 'cancel action act_1', '“Tidy up”'],
  ['Cancel: Tidy up', 'Cancelled: Tidy up', 'cancel task tsk_1', 'Wait 60 s'],
])('the person presses %s', async (button, said, answer, rest) => {
  const { page, daemon } = await openDashboard();
  daemon.set({ underWay: [action(), task()] });
  await page.getByRole('button', { name: button }).click();
  await page.getByText(said).waitFor();
  await page.locator('.under-way').nth(1).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.under-way .grant-literal').allTextContents()).toEqual([rest]);
  expect(daemon.answers).toEqual([answer]);
});
