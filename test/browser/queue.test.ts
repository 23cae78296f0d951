import { expect, test } from 'vitest';
import { newConfirmation } from './made-up.ts';
import { usePages, WINDOW } from './page-rig.ts';

const { openDashboard } = usePages();
const sentence = (text: string) => ({ prompt: { sentence: text } });

test('prompts come one at a time, the most dangerous first, then the oldest; the rest is named', async () => {
  const { page, daemon, url, prompt, denyIsAlive, notice } = await openDashboard();
  await page.goto('about:blank');
  daemon.ask(sentence('First medium'));
  daemon.ask(sentence('Second medium'));
  daemon.ask({ level: 'critical', ...sentence('A critical one') });
  await page.goto(url);
  for (const [text, place] of [
    ['A critical one', '2 more waiting'],
    ['First medium', '1 more waiting'],
    ['Second medium', ''],
  ] as const) {
    await prompt.getByRole('heading', { name: text }).waitFor();
    expect(await prompt.count()).toBe(1);
    await expect.poll(() => prompt.locator('.time-left').textContent()).toContain(place);
    await denyIsAlive();
    await page.keyboard.press('Escape');
    await notice.getByText(`Denied: ${text}`).waitFor();
  }
  await page.getByText('No requests waiting').waitFor();
  expect(daemon.answers).toHaveLength(3);
});

test('a more dangerous request does not take the place of the one a person is reading', async () => {
  const { page, daemon, prompt } = await openDashboard();
  const { id } = daemon.ask(sentence('Being read'));
  await prompt.getByRole('heading', { name: 'Being read' }).waitFor();
  // Until the page has said so, nobody reads it.
  await expect.poll(() => daemon.shownCount(id)).toBe(1);
  daemon.ask({ level: 'critical', ...sentence('More dangerous') });
  await page.locator('.queue').getByText('More dangerous').waitFor();
  expect(await prompt.getByRole('heading').textContent()).toBe('Being read');
});

test('a prompt that waits keeps its place, its delay and its focus while others come and go', async () => {
  const { page, daemon, allowIsAlive, deny } = await openDashboard();
  const { id } = daemon.ask(sentence('Being read'));
  await allowIsAlive();
  const other = daemon.ask(sentence('Another'));
  await page.locator('.queue').getByText('Another').waitFor();
  daemon.end(other.id, 'expired');
  await page.locator('.queue').waitFor({ state: 'detached' });
  await allowIsAlive();
  expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(daemon.shownCount(id)).toBe(1);
});

test('whoever floods is one row that can be denied as a whole, or paused', async () => {
  const { page, daemon, prompt } = await openDashboard();
  for (let count = 0; count < 6; count += 1) daemon.ask({ userId: 'flooder' });
  daemon.ask({ userId: 'ann', ...sentence('Ann asks') });
  const queue = page.locator('.queue');
  await queue.getByText('flooder asks for 6 things at once').waitFor();
  await expect.poll(() => queue.getByRole('listitem').count()).toBe(2);
  await queue.getByRole('button', { name: 'Choose' }).click();
  const ticks = queue.getByRole('list', { name: 'Requests of flooder' }).getByRole('checkbox');
  expect(await ticks.count()).toBe(6);
  await ticks.first().uncheck();
  await queue.getByRole('button', { name: 'Deny 5' }).waitFor();
  await ticks.first().check();
  await queue.getByRole('button', { name: 'Pause flooder' }).click();
  await page.getByText('flooder is paused: you said so').waitFor();
  await queue.getByRole('button', { name: 'Deny all 6' }).click();
  await page.getByText('Denied everything flooder was asking for.').waitFor();
  await prompt.getByRole('heading', { name: 'Ann asks' }).waitFor();
  expect(daemon.answers).toEqual(['deny all of flooder']);
});

test('P1: everything that strangers ask for is denied by one click, and nothing else', async () => {
  const { page, daemon, prompt } = await openDashboard();
  const requester = newConfirmation({}).prompt.requester;
  for (const userId of ['made-up-1', 'made-up-2'])
    daemon.ask({ prompt: { requester: { ...requester, userId, isStranger: true } } });
  daemon.ask({ userId: 'ann', ...sentence('Ann asks') });
  await page.getByText('2 requests come from strangers').waitFor();
  await page.getByRole('button', { name: 'Deny all from strangers' }).click();
  await prompt.getByRole('heading', { name: 'Ann asks' }).waitFor();
  await page.getByRole('button', { name: 'Deny all from strangers' }).waitFor({ state: 'detached' });
  expect(daemon.answers).toEqual(['deny all of strangers']);
});

test('a more dangerous request comes first as long as the one before it was not fully on screen', async () => {
  const { daemon, prompt, denyIsAlive } = await openDashboard();
  const long = { prompt: { sentence: 'A long one', arguments: 'x'.repeat(5_000) } };
  daemon.ask(long);
  await prompt.getByRole('heading', { name: 'A long one' }).waitFor();
  await denyIsAlive();
  daemon.ask({ level: 'critical', ...sentence('More dangerous') });
  await prompt.getByRole('heading', { name: 'More dangerous' }).waitFor();
});

test('what waits behind the first prompt comes as rows, and each is fetched whole when it is its turn', async () => {
  const { page, daemon, prompt, denyIsAlive, notice } = await openDashboard();
  const plan = (name: string) => ({
    ...sentence(name),
    plan: Array.from({ length: 100 }, (_, index) => ({ id: `step${index}`, arguments: `{"of":"${name}"}` })),
  });
  const [first, second] = ['First plan', 'Second plan'].map((name) => daemon.ask(plan(name)));
  const list = page.waitForResponse((response) => response.url().endsWith('/api/console/confirmations'));
  daemon.ask(sentence('A third'));
  const { items } = await (await list).json();
  expect(items[0]).toHaveProperty('plan');
  for (const row of items.slice(1)) expect(JSON.stringify(row).length).toBeLessThan(700);
  await prompt.getByRole('heading', { name: 'First plan' }).waitFor();
  expect(daemon.fetched).toEqual([]);
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await notice.getByText('Denied: First plan').waitFor();
  await prompt.getByRole('heading', { name: 'Second plan' }).waitFor();
  expect(daemon.fetched).toContain(second?.id);
  expect(daemon.fetched).not.toContain(first?.id);
});

test('what waits for an answer stands above the cards of ended requests', async () => {
  const { page, daemon, denyIsAlive } = await openDashboard({ viewport: WINDOW });
  const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
  daemon.ask(sentence('An old one'));
  await denyIsAlive();
  await page.keyboard.press('Escape');
  await page.locator('.outcome').getByText('Denied: An old one').waitFor();
  daemon.stick();
  await page.getByRole('heading', { name: 'Did it happen?' }).waitFor();
  expect(await topOf('.task')).toBeLessThan(await topOf('.outcome'));
  daemon.ask(sentence('Being read'));
  daemon.ask({ userId: 'ann', ...sentence('Another') });
  await page.locator('.queue').getByText('Another').waitFor();
  expect(await topOf('.queue')).toBeLessThan(await topOf('.outcome'));
});
