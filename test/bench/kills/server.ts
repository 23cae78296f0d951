import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Action } from '../../../src/contract/action.ts';
import { processesWith, until } from '../../desktop/processes.ts';
import { progress } from '../progress.ts';
import type { Report } from '../report.ts';
import { median } from '../statistics.ts';
import { type PrivateDesktop, startPrivateDesktop } from './desktop.ts';

/** What is under way while the X server is killed. */
const UNDER_WAY: readonly (readonly [string, Record<string, unknown>])[] = [
  ['TakeScreenshot', {}],
  ['TypeText', { text: 'the quick brown fox '.repeat(100) }],
  ['OpenApp', { appName: 'mousepad' }],
  ['DescribeScreen', { contents: true }],
  ['Wait', { durationMs: 300 }],
];
const LATEST_KILL_MS = 600;

/** Kills the X server of the daemon's private desktop, and sees that the daemon goes on, says why, and comes back with a desktop that works. */
export async function benchKilledServer(rounds: number, report: Report): Promise<void> {
  report.heading(`Kills: ${rounds} kill -9 of the X server of the daemon's own desktop`);
  const desktop = await startPrivateDesktop();
  const tally = { told: new Map<string, number>(), backMs: [] as number[], faults: [] as string[] };
  const fault = (round: number, words: string) => {
    tally.faults.push(words);
    console.log(`  round ${round + 1}: ${words}`);
  };
  try {
    await works(desktop);
    for (let round = 0; round < rounds; round += 1) {
      progress.at(`round ${round + 1} of ${rounds}`);
      const { action, backMs } = await killed(desktop, round, (words) => fault(round, words));
      const why = action.status === 'success' ? '' : `: ${action.error?.message ?? action.details}`;
      const name = `${action.actionType} ${action.status}, effect ${action.effect}${why}`;
      tally.told.set(name, (tally.told.get(name) ?? 0) + 1);
      tally.backMs.push(backMs);
      console.log(`  ${round + 1} of ${rounds}: ${name}; a desktop that works after ${Math.round(backMs)} ms`);
    }
  } finally {
    await desktop.daemon.stop();
  }
  report.figure({ name: 'from the kill to a desktop that works, p50', value: median(tally.backMs), unit: 'ms' });
  report.figure({ name: 'the same, slowest', value: Math.max(...tally.backMs), unit: 'ms' });
  report.figure({ name: 'faults', value: tally.faults.length, unit: '', goal: { atMost: 0 } });
}

async function killed(desktop: PrivateDesktop, round: number, fault: (words: string) => void) {
  const { daemon, serverPid } = desktop;
  const [actionType, parameters] = UNDER_WAY[round % UNDER_WAY.length] ?? ['TakeScreenshot', {}];
  const [server, folder, loggedBefore] = [serverPid(), desktop.folder(), daemon.log().length];
  if (server === undefined) throw new Error('expected the daemon to have an X server');
  const begun = await desktop.begin(actionType, parameters);
  await pause(Math.random() * LATEST_KILL_MS);
  const killedAtMs = performance.now();
  process.kill(server, 'SIGKILL');
  if ((await daemon.health()).status !== 200) fault('GET /health was not answered');
  const action = await desktop.ended(begun);
  if (action.details === '') fault(`no reason is told: ${JSON.stringify(action)}`);
  await until('another X server is there', () => serverPid() !== undefined && serverPid() !== server);
  await until('an agent works on another desktop', async () => {
    await desktop.agentBack();
    return desktop.folder() !== folder;
  });
  await works(desktop).catch((error: unknown) => fault(`the new desktop does not work: ${error}`));
  const backMs = performance.now() - killedAtMs;
  if (!daemon.log().slice(loggedBefore).includes('the virtual desktop ended; a fresh one is started'))
    fault('the log does not say that the desktop ended');
  await until('nothing is left of the former desktop', () => leftOf(folder).length === 0).catch(() =>
    fault(`left of the former desktop: ${leftOf(folder).join(', ')}`),
  );
  return { action, backMs };
}

function leftOf(folder: string): string[] {
  const programs = processesWith(`XDG_RUNTIME_DIR=${folder}`).map(({ pid, command }) => `${command} (${pid})`);
  return existsSync(folder) ? [folder, ...programs] : programs;
}

/** An app opens, its window is listed, and a picture is taken. */
async function works(desktop: PrivateDesktop): Promise<void> {
  const succeeded = async (...wish: Parameters<PrivateDesktop['begin']>): Promise<Action> => {
    const action = await desktop.ended(await desktop.begin(...wish));
    if (action.status !== 'success') throw new Error(`${action.actionType} ${action.status}: ${action.details}`);
    return action;
  };
  await succeeded('OpenApp', { appName: 'mousepad' });
  await until('the window of mousepad is listed', async () =>
    /mousepad/iu.test(JSON.stringify((await succeeded('ListWindows', {})).data)),
  );
  await succeeded('TakeScreenshot', {});
}
