import { setTimeout as pause } from 'node:timers/promises';
import type { Action } from '../../../src/contract/action.ts';
import { heldDown } from '../../desktop/held.ts';
import { progress } from '../progress.ts';
import type { Report } from '../report.ts';
import { median } from '../statistics.ts';
import { type PrivateDesktop, startPrivateDesktop } from './desktop.ts';
import { type Act, type Got, gotOf, lieIn } from './verdict.ts';
import { openWitness, PLACES, type Seen, type Witness } from './witness.ts';

const WARM_UPS = 3;
const TELL_EVERY = 10;
/** Of the time that an act usually takes. One kill in three comes anywhere from its submission on, the others after its first key or press. */
const LATEST_KILL = { fromSubmission: 2, fromFirst: 0.5 };
/** A window that tells nothing of its field gets texts by keys alone. */
const TEXT = 'The quick brown fox jumps over the lazy dog: ';
const COPIES = [2, 20];
const ACTS = ['TypeText', 'Click', 'PressKeys', 'Drag'] as const;

type Bench = { desktop: PrivateDesktop; witness: Witness };
/** `stuck`: the keys and buttons that are still down when the next agent is there. */
type Round = { act: Act; action: Action; seen: Seen; got: Got; tookMs: number; stuck: string[] };
type Tally = { told: Map<string, number>; lies: string[]; stuck: string[] };

/**
 * The running product on its private desktop, with a window of Tk as the app: the agent is killed at any moment of a text, a
 * click, a chord and a drag. What the window got is compared with what the daemon answers.
 */
export async function benchKilledHands(rounds: number, report: Report): Promise<void> {
  report.heading(`Kills: ${rounds} kill -9 of the agent in a text, a click, a chord and a drag, in a window`);
  const desktop = await startPrivateDesktop();
  try {
    const bench = { desktop, witness: await openWitness(desktop) };
    const usualMs = await warmUp(bench);
    const tally: Tally = { told: new Map(), lies: [], stuck: [] };
    for (let index = 0; index < rounds; index += 1) {
      progress.at(`round ${index + 1} of ${rounds}`);
      const act = actOf(index);
      const from = index % 3 === 0 ? 'fromSubmission' : 'fromFirst';
      const afterMs = Math.random() * LATEST_KILL[from] * (usualMs.get(act.actionType) ?? 0);
      count(tally, await round(bench, act, { from, afterMs }), index);
      if ((index + 1) % TELL_EVERY === 0) console.log(`  ${index + 1} of ${rounds} rounds: ${wordsOf(tally)}`);
    }
    tellTally(tally, { rounds, report });
  } finally {
    await desktop.daemon.stop();
  }
}

function actOf(index: number): Act {
  const actionType = ACTS[index % ACTS.length] ?? 'TypeText';
  const turn = Math.floor(index / ACTS.length);
  return actionType === 'TypeText'
    ? { actionType, text: TEXT.repeat(COPIES[turn % COPIES.length] ?? 1) }
    : { actionType };
}

/** How long each kind of act takes where nobody kills. Each must be whole and told as done. */
async function warmUp(bench: Bench): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>(ACTS.map((each) => [each, []]));
  for (let index = 0; index < WARM_UPS * ACTS.length; index += 1) {
    progress.at(`warm-up ${index + 1} of ${WARM_UPS * ACTS.length}`);
    const { act, action, got, tookMs } = await round(bench, actOf(index));
    if (got !== 'whole' || action.status !== 'success')
      throw new Error(`without a kill the window got ${got} of ${act.actionType}: ${JSON.stringify(action)}`);
    samples.get(act.actionType)?.push(tookMs);
  }
  return new Map([...samples].map(([actionType, each]) => [actionType, median(each)]));
}

type Kill = { from: keyof typeof LATEST_KILL; afterMs: number };

async function round({ desktop, witness }: Bench, act: Act, kill?: Kill): Promise<Round> {
  const parameters = await parametersOf(act, desktop);
  const startedAtMs = performance.now();
  const first = witness.begun();
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
  const seen = await witness.told();
  return { act, action: ended, seen, got: gotOf(act, seen), tookMs, stuck };
}

/** With a look before it, as a requester takes one. */
async function parametersOf({ actionType, text }: Act, { ask, begin, ended }: PrivateDesktop) {
  await ended(await begin('DescribeScreen', {}));
  const shown = await ask('xwininfo', '-name', 'Witness');
  const [left = 0, top = 0] = [...shown.matchAll(/Absolute upper-left [XY]:\s+(\d+)/gu)].map(([, each]) =>
    Number(each),
  );
  const at = ({ x, y }: { x: number; y: number }) => ({ x: left + x, y: top + y });
  const wishes = {
    TypeText: { text },
    Click: at(PLACES.button),
    PressKeys: { keys: 'ctrl+shift+f9', holdMs: 200 },
    Drag: { from: at(PLACES.from), to: at(PLACES.to) },
  };
  return wishes[actionType];
}

function wordsOf({ told, lies, stuck }: Tally): string {
  const each = [...told].map(([name, times]) => `${times} × ${name}`);
  return `${lies.length} lies, ${stuck.length} keys or buttons down; ${each.join('; ')}`;
}

function count({ told, lies, stuck }: Tally, { act, action, seen, got, stuck: down }: Round, index: number): void {
  stuck.push(...down);
  const name = `${action.status}, the window got ${got}`;
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
