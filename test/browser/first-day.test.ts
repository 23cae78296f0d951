import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStore } from '../../src/store/store.ts';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { dayEvents } from '../guardian/day-journal.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { seriousFaults } from './accessibility.ts';
import { typeCode, usePages, WINDOW } from './page-rig.ts';

const { openPage } = usePages();
const HOUR_MS = 3_600_000;
const HANDS = 'mcp:claude-code';

/** The data of a desktop whose first hour has sixteen high-risk actions that the person approved one by one. */
function firstHour(): string {
  const path = mkdtempSync(join(tmpdir(), 'handrail-first-day-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const startMs = Date.now() - HOUR_MS;
  const high = { type: 'ClickElement', risk: 'high', irreversible: true, answer: 'allowed', afterMs: 7_000 } as const;
  const batches = [
    { atHour: 0.05, count: 16, everyMs: 90_000, userId: HANDS, ...high },
    { atHour: 0.05, count: 9, everyMs: 150_000, userId: HANDS, type: 'DescribeScreen' },
  ];
  const day = { upFromHour: 0, upToHour: 0.9, batches, tasks: [], others: [] };
  const store = createStore({ path, now: Date.now });
  store.write('relaxed', () => {
    for (const { atMs, ...event } of dayEvents(day, { startMs, name: 'first' }))
      store.journal.append(atMs, fromOtherBuild(event));
  });
  store.close();
  return path;
}

/** A time zone in which it is noon now, so that the hour before is of the same day. */
function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

async function openFirstDay() {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', TZ: zoneOfNoon() }, firstHour());
  onTestFinished(daemon.stop);
  const { id } = await daemon.register(undefined, HANDS);
  const wait = { targetDeviceId: id, actionType: 'Wait', parameters: { durationMs: 1 } };
  await daemon.submit(wait, { userId: HANDS });
  const { page } = await openPage({ viewport: WINDOW });
  await page.goto(daemon.base);
  await typeCode(page, daemon.signInCode);
  await page.getByText('No requests waiting').waitFor();
  return page;
}

test('a first hour with hands is moderate, each fact of it is told once, and a requester leads to what it did', async () => {
  const page = await openFirstDay();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByRole('heading', { name: /^Moderate risk/ }).waitFor();
  await page.getByRole('link', { name: 'Look at the actions that you allowed' }).first().waitFor();
  expect(await page.getByRole('button', { name: `Pause ${HANDS}` }).count()).toBe(0);
  // The risk tells the insight about the requester.
  await page.locator('.contributor', { hasText: HANDS }).first().waitFor();
  expect(await page.locator('.insight', { hasText: HANDS }).count()).toBe(0);
  await page.getByText(/^since \d\d:\d\d$/).waitFor();
  const row = page.getByRole('table', { name: 'Requesters today' }).getByRole('row', { name: HANDS });
  await row.getByText('unusual, as the risk says').waitFor();
  await row.getByRole('img', { name: /with requests, at most \d+ in one$/ }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await row.getByRole('link', { name: HANDS }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(page.url()).toMatch(/#\/activity\?requester=mcp%3Aclaude-code$/);
});

test('a requester is chosen from the known ones, and a name that is nearly one of them warns and offers it', async () => {
  const page = await openFirstDay();
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  const field = page.getByRole('form', { name: 'Allow a folder' }).getByLabel('For');
  const list = page.locator(`datalist[id="${await field.getAttribute('list')}"] option`);
  expect(await list.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([HANDS, '*']);
  await field.fill('mcp:claude-cod');
  await page.getByText('No requester is called mcp:claude-cod yet. Check the name.').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: `Take ${HANDS}` }).click();
  expect(await field.inputValue()).toBe(HANDS);
  expect(await page.getByText('No requester is called').count()).toBe(0);
});
