import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSeat } from '../../agent/drivers/linux/input/seat.ts';
import { createClient } from '../../src/client/handrail.ts';
import type { ActionSubmission } from '../../src/contract/action.ts';
import type { ScreenDescription, ScreenElement } from '../../src/contract/screen.ts';
import type { Rig, RigApp } from '../desktop/rig.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { median, timed } from './statistics.ts';

const CLICKS = { calls: 40, warmUp: 5 };
const TEXTS = { calls: 15, warmUp: 3 };
const TWENTY = 'twenty characters !!';
const SCRIPTS = [
  'Grüße, “Ça va?” ',
  '日本語と中文 ',
  '👩‍👩‍👧‍👦🇪🇺 ',
  'مرحبا بالعالم ',
  '{}|~^`"<>@# ',
  'ñandú Ελληνικά ',
];

type Bench = { rig: Rig; report: Report; act: ReturnType<typeof actsOf> };

/** The speeds of input and of the looks that it needs: whole path, over HTTP and the agent, with `xdotool` beside. */
export async function benchHands(daemon: RunningDaemon, rig: Rig, report: Report): Promise<void> {
  const act = actsOf(daemon, (await daemon.register()).id);
  const bench = { rig, report, act };
  report.heading('Hands: clicks, on the whole path with their target, beside xdotool');
  await benchEvents(bench);
  await benchClicks(bench, { name: 'a field of a GTK 3 form', ...(await form(rig, 2)) });
  await benchClicks(bench, { name: 'a button of a GTK 4 calculator', ...(await calculator(rig)) });
  await benchClicks(bench, { name: 'a field of a page in Chromium', ...(await page(rig, 20)) });
  report.heading('Hands: texts, into what has the keyboard, read back');
  await benchTexts(bench);
  report.heading('Hands: looks at a window with 300 elements');
  await benchLooks(bench);
}

/** Performs an action and answers its result. Throws where it does not succeed. */
function actsOf(daemon: RunningDaemon, targetDeviceId: string) {
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  return async <Data>(
    actionType: ActionSubmission['actionType'],
    parameters: ActionSubmission['parameters'],
  ): Promise<Data> => {
    const reply = await client.act({ targetDeviceId, actionType, parameters });
    if (!reply.ok || reply.value.status !== 'success')
      throw new Error(`expected ${actionType} to succeed: ${JSON.stringify(reply)}`);
    return reply.value.data as Data;
  };
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
async function benchClicks({ rig, report, act }: Bench, { name, app, isTarget }: Targets): Promise<void> {
  const places = (await elementsWhere({ rig, act }, isTarget)).flatMap(({ bounds }) =>
    bounds === null ? [] : [{ x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }],
  );
  let count = 0;
  const samples = await timed(CLICKS, () => {
    count += 1;
    return act('Click', places[count % 2] ?? {});
  });
  report.figure({ name: `${name}, p50`, value: median(samples), unit: 'ms', goal: { atMost: 25 } });
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

async function page(rig: Rig, buttons: number) {
  const folder = mkdtempSync(join(rig.env.HOME ?? '', 'page-'));
  const file = join(folder, 'page.html');
  const button = (_: unknown, index: number) => `<button type="button">${index}</button>`;
  const groups = Array.from(
    { length: buttons / 20 },
    () => `<div>${Array.from({ length: 20 }, button).join('')}</div>`,
  );
  writeFileSync(file, `<title>Form</title><form><input aria-label="One"><input aria-label="Two">${groups.join('')}`);
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', '--password-store=basic'];
  const { app } = await rig.open('chromium', [...flags, `--user-data-dir=${folder}/profile`, `file://${file}`]);
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
  const long = await timed({ calls: 8, warmUp: 2 }, () => act('TypeText', { text, clear: true }));
  report.figure({ name: '2,000 of many scripts, p50', value: median(long), unit: 'ms', goal: { atMost: 300 } });
  await app.end();
}

async function benchLooks({ rig, report, act }: Bench): Promise<void> {
  const windows = { 'a GTK 3 form': () => form(rig, 200), 'a page in Chromium': () => page(rig, 280) };
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
