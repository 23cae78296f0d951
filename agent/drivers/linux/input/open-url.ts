import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type WebAddress, webAddress } from '../../../../src/contract/web-address.ts';
import type { InputOutcome } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import { refuseOpener } from '../../resolved-risk.ts';
import { withinDeadline } from '../../stopping.ts';
import { type DesktopEntries, isExecutable } from '../desktop-entries.ts';
import { appEnvironment, launch } from '../launch.ts';
import { type Opener, openerOf } from '../opener.ts';
import { withoutDisplay } from '../without-display.ts';
import type { X11 } from '../x11.ts';

/** The programs that open an address where the app for it is not known; both take it as one argument. */
const OPENERS: readonly (readonly [program: string, ...args: string[]])[] = [['xdg-open'], ['gio', 'open']];
const WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 100;

export type OpenUrlNeeds = {
  x11: X11;
  entries: DesktopEntries;
  environment: NodeJS.ProcessEnv;
  /** For startup notification: a text nobody else uses. */
  uniqueId(): string;
};

/** The effect is confirmed by a window that comes, goes to the front or gets another title. */
export function createOpenUrl(needs: OpenUrlNeeds) {
  const { x11 } = needs;
  return async ({ url: text }: { url: string }, attempt: Attempt): Promise<InputOutcome> => {
    const address = webAddress(text);
    if ('fault' in address) return refused({ code: 'invalid_target', message: address.fault });
    const signal = withinDeadline(attempt);
    const before = await windowsNow(x11);
    if (typeof before !== 'string') return refused(before);
    const opener = await openerOf(address.scheme, { ...needs, signal });
    if (signal.aborted) return stoppedInput(signal);
    const change = refuseOpener(address.scheme, opener?.app ?? null, attempt);
    const failed = change ?? (await give(address, opener, needs));
    if (failed !== null) return refused(failed);
    if (await windowsChange(x11, before, signal))
      return inputDone('The address was opened.', { isConfirmed: true, data: {} });
    if (signal.aborted) return stoppedInput(signal, 'The address was given to the browser.');
    return inputDone('The address was given to the browser; no window has changed.', { isConfirmed: false, data: {} });
  };
}

async function windowsChange(x11: X11, before: string, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + WITHIN_MS;
  while (performance.now() < endMs && !signal.aborted) {
    if ((await windowsNow(x11)) !== before) return true;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

async function windowsNow(x11: X11) {
  const desktop = await x11.desktop();
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  return JSON.stringify(desktop.value.windows.map(({ id, title, focused }) => [id, title, focused]));
}

/** Starts the app that was judged itself: another program could choose another app. */
async function give({ url }: WebAddress, opener: Opener | null, { environment, uniqueId }: OpenUrlNeeds) {
  if (opener === null) {
    const program = await programThatOpens(environment);
    return program !== undefined && (await start(program, url, environment)) ? null : NO_OPENER;
  }
  const startupId = `handrail-${uniqueId()}`;
  const result = await launch({ entry: opener.entry, startupId, environment, address: url });
  if (result.ok) return null;
  const message = `${opener.app.appName} is set to open the address, but it cannot be started: ${result.reason}.`;
  return { code: 'app_not_found', message } as const;
}

async function programThatOpens(environment: NodeJS.ProcessEnv) {
  for (const opener of OPENERS) if (await isExecutable(opener[0], environment)) return opener;
  return undefined;
}

async function start([program, ...args]: readonly [string, ...string[]], url: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: appEnvironment(environment) });
  const started = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
  child.on('error', () => undefined);
  child.unref();
  return started;
}

const NO_OPENER = {
  code: 'not_supported',
  message: 'Neither xdg-open nor gio could be started to open the address.',
  fix: 'Install xdg-utils.',
} as const;
