import Database from 'better-sqlite3';
import type { Page } from 'playwright';
import { expect, test, vi } from 'vitest';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { pageDatabase } from '../bench/page-database.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import { WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const ACTIONS = 30_000;
const ROW_PX = 34;
/** The rows of a window of 800 pixels and 12 on each side of them; the focused row comes on top of that. */
const MOST_ROWS = 60;

const NEWEST_FIRST = 'SELECT id FROM actions ORDER BY id DESC';

const { openAt, current } = useRealDaemon({ HANDRAIL_RATE_LIMITS: 'off' }, () =>
  pageDatabase({ rows: ACTIONS, days: 60, isCounted: false }),
);
/** Newest first, as the list shows them. */
let ids: string[] = [];

function stored(sql: string): string[] {
  const { dataDirectory } = current().daemon;
  const database = new Database(dataDirectoryAt(dataDirectory).database, { readonly: true });
  const rows = database.prepare(sql).pluck().all();
  database.close();
  return rows.map(String);
}

/** The page Activity, signed in, with its first rows. */
async function openActivity() {
  const { daemon, page } = await openAt('#/activity?view=actions');
  await page.locator('.activity-row').first().waitFor();
  await page.locator('.activity-rows').hover();
  ids = stored(NEWEST_FIRST);
  return { daemon, page };
}

/** The state of the list: its scroll offset and height in pixels, its rows in the DOM, and the row that has the focus. */
type Look = { top: number; height: number; rows: { id: string; y: number }[]; focused: string | undefined };

/** Runs in the page. */
const LOOK = `(() => {
  const list = document.querySelector('.activity-rows');
  const listY = list.getBoundingClientRect().y + list.clientTop;
  const idOf = (row) => row?.getAttribute('href').match(/act_[0-9A-Z]+/)?.[0];
  return {
    top: list.scrollTop,
    height: list.clientHeight,
    rows: [...list.querySelectorAll('.activity-row')].map((row) => ({ id: idOf(row), y: row.getBoundingClientRect().y - listY })),
    focused: idOf(document.activeElement?.closest('.activity-row')),
  };
})()`;

const look = (page: Page) => page.evaluate<Look>(LOOK);

/** The rows in the upper part of the list, of a height in pixels. */
const inSight = ({ rows }: Look, height: number) => rows.filter(({ y }) => y > -ROW_PX && y < height);

/** Fails if the visible rows have a gap, or differ from the rows of the database at these positions. */
function expectNoGap({ top, height, rows }: Look, wanted: readonly string[] = ids): void {
  const visible = rows.filter(({ y }) => y > -ROW_PX && y < height);
  const first = Math.floor(top / ROW_PX);
  expect(visible.map(({ id }) => id)).toEqual(wanted.slice(first, first + visible.length));
  expect(visible[0]?.y).toBeLessThan(1.5);
  for (const [index, { y }] of visible.entries())
    expect(Math.abs(y - (visible[0]?.y ?? 0) - index * ROW_PX)).toBeLessThan(1);
  const below = (visible.at(-1)?.y ?? 0) + ROW_PX;
  expect(below >= height - 2 || first + visible.length === wanted.length).toBe(true);
  expect(rows.length).toBeLessThanOrEqual(MOST_ROWS);
}

/** The same after a jump, once the list has drawn its rows there. */
function expectNoGapSoon(page: Page, wanted?: readonly string[]): Promise<void> {
  return vi.waitFor(async () => expectNoGap(await look(page), wanted), { timeout: 20_000 });
}

/** Turns the wheel downwards until so many rows are loaded, and answers with the stops on the way. */
async function wheelDownTo(page: Page, count: number): Promise<Look[]> {
  const looks: Look[] = [];
  while ((await loadedRows(page)) < count) {
    // Read before the wheel turns: older rows may be there right after it.
    const before = await page.locator('.activity-count').textContent();
    await page.mouse.wheel(0, 500 * ROW_PX);
    await page.waitForFunction((text) => document.querySelector('.activity-count')?.textContent !== text, before, {
      polling: 'raf',
      timeout: 10_000,
    });
    looks.push(await look(page));
  }
  return looks;
}

/** Runs in the page: goes to the end again and again, as the scroll bar does, until there are no older rows. */
const LOAD_ALL = `(async () => {
  const list = document.querySelector('.activity-rows');
  while (document.querySelector('.activity-count').textContent.includes('scroll for older')) {
    list.scrollTo(0, list.scrollHeight);
    await new Promise(requestAnimationFrame);
  }
})()`;

async function loadedRows(page: Page): Promise<number> {
  return Number((await page.locator('.activity-count').textContent())?.split(' ')[0]?.replaceAll(',', ''));
}

test('the wheel goes through all of 30,000 actions: no gap, none twice, and never more rows than a screen needs', async () => {
  const { page } = await openActivity();
  for (const stop of await wheelDownTo(page, 5_000)) expectNoGap(stop);
  // In a low window fewer rows are drawn for each page that is loaded.
  await page.setViewportSize({ ...WINDOW, height: 200 });
  await page.evaluate(LOAD_ALL);
  await page.setViewportSize(WINDOW);
  await expect.poll(() => page.locator('.activity-count').textContent()).toBe('30,000 actions');
  await page.mouse.wheel(0, ACTIONS * ROW_PX);
  await expect.poll(async () => (await look(page)).rows.at(-1)?.id).toBe(ids.at(-1));
  // The browser turns the wheel over several frames, and would go on from a place that the list is put to meanwhile.
  const toEnd = () =>
    page.locator('.activity-rows').evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
  await expect.poll(toEnd).toBeLessThanOrEqual(1);
  await expectNoGapSoon(page);
  for (const share of [0.75, 0.5, 0.1, 0]) {
    const top = Math.round(share * ACTIONS * ROW_PX);
    await page.locator('.activity-rows').evaluate((list, to) => list.scrollTo(0, to), top);
    await expect
      .poll(async () => (await look(page)).rows.some(({ id }) => id === ids[Math.floor(top / ROW_PX)]))
      .toBe(true);
    await expectNoGapSoon(page);
  }
}, 180_000);

/** Lets a requester do so many actions. */
async function doActions(running: RunningDaemon, count: number): Promise<void> {
  const { id: targetDeviceId } = await running.register();
  for (let left = count; left > 0; left -= 1)
    await running.submit({ targetDeviceId, actionType: 'Wait', parameters: { durationMs: 0 } });
}

test.each([
  { when: 'while the page watches', isOffline: false, count: 12 },
  { when: 'while the page was cut off, more than one page of them', isOffline: true, count: 260 },
])(
  'the visible rows keep their place when new actions arrive, $when',
  async ({ isOffline, count }) => {
    const { page, daemon: running } = await openActivity();
    await wheelDownTo(page, 3_000);
    await page.locator('.activity-rows').evaluate((list, to) => list.scrollTo(0, to), 1_234 * ROW_PX + 11);
    await expect.poll(async () => (await look(page)).rows.length).toBeGreaterThan(20);
    await page.waitForTimeout(300);
    const before = await look(page);
    const loaded = await loadedRows(page);
    await page.context().setOffline(isOffline);
    await doActions(running, count);
    await page.context().setOffline(false);
    await expect.poll(() => loadedRows(page), { timeout: 20_000 }).toBeGreaterThanOrEqual(loaded + count);
    const after = await look(page);
    // Guardian may tell of the burst meanwhile, in a notice above the list that makes it lower.
    const height = Math.min(before.height, after.height);
    expect(inSight(after, height)).toEqual(inSight(before, height));
    ids = stored(NEWEST_FIRST);
    expectNoGap(after);
    // At the top, the newest is seen at once.
    await page.locator('.activity-rows').evaluate((list) => list.scrollTo(0, 0));
    await doActions(running, 1);
    ids = stored(NEWEST_FIRST);
    await expect.poll(async () => (await look(page)).rows[0]?.id).toBe(ids[0]);
    await expectNoGapSoon(page);
  },
  60_000,
);

test('filters show exactly the actions that match, from the first one on, however far the list was scrolled', async () => {
  const { page } = await openActivity();
  await wheelDownTo(page, 5_000);
  const choices = [
    { label: 'Status', value: 'failed', sql: "status = 'failed'" },
    { label: 'Requester', value: 'bob', sql: "status = 'failed' AND user_id = 'bob'" },
    { label: 'Risk', value: 'high', sql: "status = 'failed' AND user_id = 'bob' AND risk_level = 'high'" },
  ];
  for (const { label, value, sql } of choices) {
    const wanted = stored(`SELECT id FROM actions WHERE ${sql} ORDER BY id DESC`);
    expect(wanted.length).toBeGreaterThan(2);
    await page.getByLabel(label, { exact: true }).selectOption(value);
    await expect.poll(async () => (await look(page)).rows[0]?.id, { timeout: 10_000 }).toBe(wanted[0]);
    await expectNoGapSoon(page, wanted);
    await page.locator('.activity-rows').hover();
    await wheelDownTo(page, Math.min(1_000, wanted.length));
    await expectNoGapSoon(page, wanted);
  }
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(async () => (await look(page)).rows[0]?.id).toBe(ids[0]);
  await expectNoGapSoon(page);
}, 60_000);

test('the keyboard alone goes through the list, and the focus stays where it was when the list is scrolled away', async () => {
  const { page } = await openActivity();
  await page.locator('.activity-row').first().focus();
  const press = async (key: string, times = 1) => {
    for (let left = times; left > 0; left -= 1) await page.keyboard.press(key);
  };
  /** The row has the focus and lies whole in the window of the list. The list may still be on its way there. */
  const focusIsAt = async (index: number) => {
    const seen = async () => {
      const { focused, rows, height } = await look(page);
      const y = rows.find(({ id }) => id === ids[index])?.y ?? Number.NaN;
      return { focused: ids.indexOf(focused ?? ''), isWhole: y >= -1 && y + ROW_PX <= height + 1 };
    };
    await expect.poll(seen).toEqual({ focused: index, isWhole: true });
  };
  await press('ArrowDown', 40);
  await focusIsAt(40);
  await press('ArrowUp');
  await focusIsAt(39);
  const page1 = Math.floor((await look(page)).height / ROW_PX) - 1;
  await press('PageDown', 10);
  await focusIsAt(39 + 10 * page1);
  await press('PageUp', 2);
  await focusIsAt(39 + 8 * page1);
  await page.locator('.activity-rows').hover();
  await page.mouse.wheel(0, -9_000);
  await expect.poll(async () => (await look(page)).top).toBeLessThan(200);
  await press('ArrowDown');
  await focusIsAt(40 + 8 * page1);
  await press('Home');
  await focusIsAt(0);
  await press('End');
  await expect.poll(async () => ids.indexOf((await look(page)).focused ?? '')).toBeGreaterThanOrEqual(499);
  await expectNoGapSoon(page);
  await press('Enter');
  await page.locator('.detail').waitFor();
  const opened = new URL(page.url()).hash.split(/[/?]/)[2];
  expect(ids.indexOf(opened ?? '')).toBeGreaterThanOrEqual(499);
}, 60_000);
