import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { webAddress } from '../../../../src/contract/web-address.ts';
import type { InputOutcome } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import { isExecutable } from '../desktop-entries.ts';
import { appEnvironment } from '../launch.ts';
import { withoutDisplay } from '../without-display.ts';
import type { X11 } from '../x11.ts';

/** The programs that open an address in the person's browser; both take it as one argument. */
const OPENERS: readonly (readonly [program: string, ...args: string[]])[] = [['xdg-open'], ['gio', 'open']];
const WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 100;

/** The effect is confirmed by a window that comes, goes to the front or gets another title. */
export function createOpenUrl({ x11, environment }: { x11: X11; environment: NodeJS.ProcessEnv }) {
  return async ({ url: text }: { url: string }, attempt: Attempt): Promise<InputOutcome> => {
    const address = webAddress(text);
    if ('fault' in address) return refused({ code: 'invalid_target', message: address.fault });
    const signal = withinDeadline(attempt);
    const before = await windowsNow(x11);
    if (typeof before !== 'string') return refused(before);
    if (signal.aborted) return stoppedInput(signal);
    const opener = await openerOf(environment);
    if (opener === undefined || !(await start(opener, address.url, environment))) return refused(NO_OPENER);
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

async function openerOf(environment: NodeJS.ProcessEnv) {
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
