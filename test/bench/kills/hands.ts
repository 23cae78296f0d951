import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Action } from '../../../src/contract/action.ts';
import type { ScreenDescription } from '../../../src/contract/screen.ts';
import { QUIET, WHOLE_CHROMIUM } from '../../browser/chromium.ts';
import { heldDown } from '../../desktop/held.ts';
import { until } from '../../desktop/processes.ts';
import type { Report } from '../report.ts';
import { median } from '../statistics.ts';
import { type PrivateDesktop, startPrivateDesktop } from './desktop.ts';
import { END_OF_ROUND, openWitnessPage, type Seen, type WitnessPage } from './page.ts';
import { type Act, type Got, gotOf, lieIn } from './verdict.ts';

const WARM_UPS = 3;
const TELL_EVERY = 20;
/** Of the time that an act usually takes. One kill in three comes anywhere from its submission on, the others after its first key or press. */
const LATEST_KILL = { fromSubmission: 2, fromFirst: 0.5 };
/** By keys, and in scripts that no keyboard has. */
const TEXTS = [
  (round: number) => `round ${round}: ${'the quick brown fox jumps '.repeat(12)}`,
  (round: number) => `Runde ${round}: ${'Grüße, 日本語と中文, مرحبا, ñandú. '.repeat(8)}`,
];
const ACTS = ['TypeText', 'Click', 'PressKeys', 'Drag'] as const;

type Bench = { desktop: PrivateDesktop; page: WitnessPage };
/** `stuck`: the keys and buttons that are still down when the next agent is there. */
type Round = { act: Act; action: Action; seen: Seen; got: Got; tookMs: number; stuck: string[] };
type Tally = { told: Map<string, number>; lies: string[]; stuck: string[] };

/**
 * The running product on its private desktop, with a page in Chromium as the app: the agent is killed at any moment of a text, a
 * click, a chord and a drag. What the page got is compared with what the daemon answers.
 */
export async function benchKilledHands(rounds: number, report: Report): Promise<void> {
  report.heading(`Kills: ${rounds} kill -9 of the agent in a text, a click, a chord and a drag, in a page in Chromium`);
  const [desktop, page] = [await startPrivateDesktop(), await openWitnessPage()];
  const profile = mkdtempSync(join(tmpdir(), 'handrail-kills-'));
  try {
    const flags = [...QUIET, '--force-renderer-accessibility', '--password-store=basic', `--user-data-dir=${profile}`];
    desktop.launch(WHOLE_CHROMIUM, [...flags, `http://${page.host}/`]);
    const bench = { desktop, page };
    await accessTo(page.host, desktop);
    const usualMs = await warmUp(bench);
    const tally: Tally = { told: new Map(), lies: [], stuck: [] };
    for (let index = 0; index < rounds; index += 1) {
      const act = actOf(index);
      const from = index % 3 === 0 ? 'fromSubmission' : 'fromFirst';
      const afterMs = Math.random() * LATEST_KILL[from] * (usualMs.get(act.actionType) ?? 0);
      count(tally, await round(bench, act, { from, afterMs }), index);
      if ((index + 1) % TELL_EVERY === 0) console.log(`  ${index + 1} of ${rounds} rounds`);
    }
    tellTally(tally, { rounds, report });
  } finally {
    await desktop.daemon.stop();
    page.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

function actOf(index: number): Act {
  const actionType = ACTS[index % ACTS.length] ?? 'TypeText';
  const turn = Math.floor(index / ACTS.length);
  return actionType === 'TypeText' ? { actionType, text: TEXTS[turn % TEXTS.length]?.(turn) ?? '' } : { actionType };
}

async function accessTo(site: string, { begin, ended }: PrivateDesktop): Promise<void> {
  const wish = { apps: ['chromium'], allow: 'input', sites: [site], minutes: 480 };
  const action = await ended(await begin('RequestAccess', wish));
  if (action.status !== 'success') throw new Error(`expected access to the page: ${JSON.stringify(action)}`);
}

/** How long each kind of act takes where nobody kills. Each must be whole and told as done. */
async function warmUp(bench: Bench): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>(ACTS.map((each) => [each, []]));
  for (let index = 0; index < WARM_UPS * ACTS.length; index += 1) {
    const { act, action, got, tookMs } = await round(bench, actOf(index));
    if (got !== 'whole' || action.status !== 'success')
      throw new Error(`without a kill the page got ${got} of ${act.actionType}: ${JSON.stringify(action)}`);
    samples.get(act.actionType)?.push(tookMs);
  }
  return new Map([...samples].map(([actionType, each]) => [actionType, median(each)]));
}

type Kill = { from: keyof typeof LATEST_KILL; afterMs: number };

async function round({ desktop, page }: Bench, act: Act, kill?: Kill): Promise<Round> {
  const parameters = await parametersOf(act, desktop);
  const startedAtMs = performance.now();
  const first = page.begun();
  const action = await desktop.begin(act.actionType, parameters);
  if (kill !== undefined) {
    if (kill.from === 'fromFirst') await Promise.race([first, desktop.ended(action)]);
    await pause(kill.afterMs);
    process.kill(await desktop.daemon.agentPid(), 'SIGKILL');
  }
  const ended = await desktop.ended(action);
  const tookMs = performance.now() - startedAtMs;
  await desktop.agentBack();
  const stuck = await heldDown(desktop.ask);
  const seen = await page.tell(() => desktop.ask('xdotool', 'key', END_OF_ROUND));
  return { act, action: ended, seen, got: gotOf(act, seen), tookMs, stuck };
}

const PLACES: Readonly<Record<string, string>> = { Field: 'field', Count: 'button', Here: 'from', There: 'to' };

async function parametersOf({ actionType, text }: Act, { begin, ended }: PrivateDesktop) {
  const places = await until('the page is described', async () => {
    const { data } = await ended(await begin('DescribeScreen', { contents: true }));
    const elements = (data as ScreenDescription | undefined)?.elements ?? [];
    const found = elements.filter(({ name }) => name in PLACES).map(({ name, id }) => [PLACES[name], id]);
    return found.length >= Object.keys(PLACES).length ? Object.fromEntries(found) : undefined;
  });
  const wishes = {
    TypeText: { text },
    Click: { elementId: places.button },
    PressKeys: { keys: 'ctrl+shift+f9', holdMs: 200 },
    Drag: { from: { elementId: places.from }, to: { elementId: places.to } },
  };
  return wishes[actionType];
}

function count({ told, lies, stuck }: Tally, { act, action, seen, got, stuck: down }: Round, index: number): void {
  stuck.push(...down);
  const name = `${action.status}, the page got ${got}`;
  told.set(name, (told.get(name) ?? 0) + 1);
  const lie = lieIn(action, got);
  if (lie === undefined) return;
  lies.push(lie);
  console.log(`  round ${index + 1}, ${act.actionType}: ${lie}\n    told: ${JSON.stringify(action)}`);
  console.log(`    seen: ${JSON.stringify(seen)}`);
}

function tellTally({ told, lies, stuck }: Tally, { rounds, report }: { rounds: number; report: Report }): void {
  for (const [name, value] of [...told].toSorted(([one], [other]) => one.localeCompare(other)))
    report.figure({ name, value, unit: `of ${rounds}` });
  report.figure({ name: 'keys and buttons that stayed down', value: stuck.length, unit: '', goal: { atMost: 0 } });
  report.figure({ name: 'answers that were a lie', value: lies.length, unit: '', goal: { atMost: 0 } });
}
