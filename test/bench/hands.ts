import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openSeat } from '../../agent/drivers/linux/input/seat.ts';
import { createClient } from '../../src/client/handrail.ts';
import type { Action, ActionSubmission } from '../../src/contract/action.ts';
import type { ScreenDescription, ScreenElement } from '../../src/contract/screen.ts';
import type { Rig, RigApp } from '../desktop/rig.ts';
import type { Console, RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, timed } from './statistics.ts';

const CLICKS = { calls: shortened(40), warmUp: shortened(5) };
const TEXTS = { calls: shortened(15), warmUp: shortened(3) };
const TWENTY = 'twenty characters !!';
const SCRIPTS = [
  'Grüße, “Ça va?” ',
  '日本語と中文 ',
  '👩‍👩‍👧‍👦🇪🇺 ',
  'مرحبا بالعالم ',
  '{}|~^`"<>@# ',
  'ñandú Ελληνικά ',
];

type OnDaemon = { daemon: RunningDaemon; person: Console; rig: Rig; report: Report };
type Bench = { rig: Rig; report: Report; act: ReturnType<typeof actsOf>; whole: ReturnType<typeof wholeActionsOf> };

/** The speeds of input and of the looks that it needs: whole path, over HTTP and the agent, with `xdotool` beside. */
export async function benchHands({ daemon, person, rig, report }: OnDaemon): Promise<void> {
  const whole = wholeActionsOf(daemon, (await daemon.register()).id);
  const act = actsOf(whole);
  const bench = { rig, report, act, whole };
  report.heading('Hands: clicks, on the whole path with their target, beside xdotool');
  await benchEvents(bench);
  await benchClicks(bench, { name: 'a field of a GTK 3 form', ...(await form(rig, 2)) });
  await benchClicks(bench, { name: 'a button of a GTK 4 calculator', ...(await calculator(rig)) });
  const site = await pagesServed();
  await accessTo(site.host, { daemon, person });
  await benchClicks(bench, { name: 'a field of a page in Chromium', ...(await page(rig, site, 20)) });
  report.heading('Hands: texts, into what has the keyboard, read back');
  await benchTexts(bench);
  report.heading('Hands: looks at a window with 300 elements');
  await benchLooks(bench, site);
  site.close();
}

/** Performs an action and answers it as it ended. Throws where it does not succeed. */
function wholeActionsOf(daemon: RunningDaemon, targetDeviceId: string) {
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  return async (
    actionType: ActionSubmission['actionType'],
    parameters: ActionSubmission['parameters'],
  ): Promise<Action> => {
    const reply = await client.act({ targetDeviceId, actionType, parameters });
    if (!reply.ok || reply.value.status !== 'success')
      throw new Error(`expected ${actionType} to succeed: ${JSON.stringify(reply)}`);
    return reply.value;
  };
}

/** The same, for its result. */
function actsOf(whole: ReturnType<typeof wholeActionsOf>) {
  return async <Data>(...wish: Parameters<typeof whole>): Promise<Data> => (await whole(...wish)).data as Data;
}

/** What the agent itself does for a click, and all that xdotool does. */
async function benchEvents({ rig, report }: Bench): Promise<void> {
  const seat = await openSeat(rig.env.DISPLAY ?? '');
  const place = { x: 3, y: 3 };
  const samples = await timed(CLICKS, () =>
    seat.send([
      { kind: 'motion', ...place },
      { kind: 'button', button: 1, isDown: true },
      { kind: 'button', button: 1, isDown: false },
    ]),
  );
  await seat.close();
  report.figure({ name: 'in the agent, p50', value: median(samples), unit: 'ms', goal: { atMost: 3 } });
  const beside = await timed(CLICKS, () => rig.ask('xdotool', 'mousemove', '3', '3', 'click', '1'));
  report.figure({ name: 'xdotool, its process included, p50', value: median(beside), unit: 'ms' });
}

type Targets = { name: string; app: RigApp; isTarget(element: ScreenElement): boolean };

/** Two targets in turn, so that each click changes something. */
async function benchClicks({ rig, report, act, whole }: Bench, { name, app, isTarget }: Targets): Promise<void> {
  const places = (await elementsWhere({ rig, act }, isTarget)).flatMap(({ bounds }) =>
    bounds === null ? [] : [{ x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }],
  );
  const clicks: Action[] = [];
  const samples = await timed(CLICKS, async () => {
    clicks.push(await whole('Click', places[clicks.length % 2] ?? {}));
  });
  const total = median(samples);
  report.figure({ name: `${name}, p50`, value: total, unit: 'ms', goal: { atMost: 25 } });
  const stored = median(clicks.map(({ createdAt, finishedAt = '' }) => Date.parse(finishedAt) - Date.parse(createdAt)));
  const inAgent = median(clicks.map(({ durationMs = 0 }) => durationMs));
  const shares = {
    'the first look at the target, and HTTP': total - stored,
    'storing and sending': stored - inAgent,
    'in the agent: the second look, the click, and the wait until it settled': inAgent,
  };
  for (const [of, ms] of Object.entries(shares))
    report.figure({ name: `  ${of}`, value: (100 * ms) / total, unit: '%' });
  await app.end();
}

async function elementsWhere({ rig, act }: Pick<Bench, 'rig' | 'act'>, isTarget: Targets['isTarget']) {
  return rig.until('two targets are described', async () => {
    const { elements } = await act<ScreenDescription>('DescribeScreen', { contents: true });
    const found = elements.filter(isTarget);
    return found.length < 2 ? undefined : found;
  });
}

async function form(rig: Rig, fields: number) {
  const names = Array.from({ length: fields }, (_, index) => `--add-entry=Field ${index + 1}`);
  const { app } = await rig.open('zenity', ['--forms', '--text=Fill in', ...names]);
  return { app, isTarget: ({ role }: ScreenElement) => role === 'textbox' };
}

async function calculator(rig: Rig) {
  const { app } = await rig.open('gnome-calculator');
  return { app, isTarget: ({ role, name }: ScreenElement) => role === 'button' && (name === '7' || name === '8') };
}

/** Pages with a number of buttons, the last part of their address. */
async function pagesServed() {
  const server = createServer(({ url = '/' }, answer) =>
    answer.setHeader('content-type', 'text/html').end(pageWith(Number(url.slice(1)))),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { host: `127.0.0.1:${Object(server.address()).port}`, close: () => server.close() };
}

/** The person lets the bench act on the page: no profile lets input reach a site. */
async function accessTo(host: string, { daemon, person }: Pick<OnDaemon, 'daemon' | 'person'>): Promise<void> {
  const parameters = { apps: ['chromium'], allow: 'input', sites: [host], minutes: 30 };
  const { id: targetDeviceId } = await daemon.register();
  await daemon.submit({ targetDeviceId, actionType: 'RequestAccess', parameters });
  await person.answer('allow');
}

function pageWith(buttons: number): string {
  const button = (_: unknown, index: number) => `<button type="button">${index}</button>`;
  const groups = Array.from(
    { length: buttons / 20 },
    () => `<div>${Array.from({ length: 20 }, button).join('')}</div>`,
  );
  return `<title>Form</title><form><input aria-label="One"><input aria-label="Two">${groups.join('')}`;
}

async function page(rig: Rig, { host }: { host: string }, buttons: number) {
  const folder = mkdtempSync(join(rig.env.HOME ?? '', 'page-'));
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  const { app } = await rig.open('chromium', [
    ...flags,
    `--user-data-dir=${folder}/profile`,
    `http://${host}/${buttons}`,
  ]);
  return { app, isTarget: ({ name }: ScreenElement) => name === 'One' || name === 'Two' };
}

async function benchTexts({ rig, report, act }: Bench): Promise<void> {
  const { app, window } = await rig.open('mousepad', ['--disable-server']);
  await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
  const short = await timed(TEXTS, () => act('TypeText', { text: TWENTY }));
  report.figure({ name: '20 characters, p50', value: median(short), unit: 'ms', goal: { atMost: 50 } });
  const beside = await timed(TEXTS, () => rig.ask('xdotool', 'type', TWENTY));
  report.figure({ name: 'xdotool type, not read back, p50', value: median(beside), unit: 'ms' });
  const mixed = Array.from({ length: 2_000 }, (_, index) => SCRIPTS[index % SCRIPTS.length]).join('');
  const text = [...mixed].slice(0, 2_000).join('');
  const long = await timed({ calls: shortened(8), warmUp: shortened(2) }, () => act('TypeText', { text, clear: true }));
  report.figure({ name: '2,000 of many scripts, p50', value: median(long), unit: 'ms', goal: { atMost: 300 } });
  await app.end();
}

async function benchLooks({ rig, report, act }: Bench, site: { host: string }): Promise<void> {
  const windows = { 'a GTK 3 form': () => form(rig, 200), 'a page in Chromium': () => page(rig, site, 280) };
  for (const [of, open] of Object.entries(windows)) {
    const { app, isTarget } = await open();
    await elementsWhere({ rig, act }, isTarget);
    const describe = () => act<ScreenDescription>('DescribeScreen', { contents: true });
    const { elements } = await describe();
    const described = await timed(TEXTS, describe);
    const name = `description of ${elements.length} elements, ${of}, p50`;
    report.figure({ name, value: median(described), unit: 'ms', goal: { atMost: 60 } });
    await app.end();
  }
  const { app } = await rig.open('mousepad', ['--disable-server']);
  const plain = median(await timed(TEXTS, () => act('TakeScreenshot', {})));
  const marked = median(await timed(TEXTS, () => act('TakeScreenshot', { marks: true })));
  const note = `${marked.toFixed(1)} with them, ${plain.toFixed(1)} without`;
  report.figure({ name: 'marks add, p50', value: marked - plain, unit: 'ms', goal: { atMost: 30 }, note });
  await app.end();
}
