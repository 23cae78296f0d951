import { webAddress } from '../../../../src/contract/web-address.ts';
import type { InputOutcome } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import { refuseOpener } from '../../resolved-risk.ts';
import { withinDeadline } from '../../stopping.ts';
import type { Applications } from '../applications.ts';
import type { Clock } from '../clock.ts';
import { readDesktop } from '../desktop-state.ts';
import { type Opener, openerOf } from '../opener.ts';
import { cleanEnvironment, howItEnded, type RunProgram } from '../run-script.ts';

const OPEN = '/usr/bin/open';
const OPEN_MS = 10_000;
const WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 100;

/** The effect is confirmed by a window that comes, goes to the front or gets another title. */
export function createOpenUrl(needs: OpenUrlNeeds) {
  const { run, clock } = needs;
  return async ({ url: text }: { url: string }, attempt: Attempt): Promise<InputOutcome> => {
    const address = webAddress(text);
    if ('fault' in address) return refused({ code: 'invalid_target', message: address.fault });
    const signal = withinDeadline(attempt);
    const before = await windowsNow(run, signal);
    const opener = await openerOf(address.scheme, { ...needs, signal });
    if (signal.aborted) return stoppedInput(signal);
    const change = refuseOpener(address.scheme, opener?.app ?? null, attempt);
    if (change !== null) return refused(change);
    const failed = await give(address.url, opener, { run, signal });
    if (failed !== null) return failed;
    if (await windowsChange({ run, clock }, before, signal))
      return inputDone('The address was opened.', { isConfirmed: true, data: {} });
    if (signal.aborted) return stoppedInput(signal, 'The address was given to the browser.');
    return inputDone('The address was given to the browser; no window has changed.', { isConfirmed: false, data: {} });
  };
}

/** To the app by its path, so that it is the one that was judged. */
async function give(
  url: string,
  opener: Opener | null,
  { run, signal }: { run: RunProgram; signal: AbortSignal },
): Promise<InputOutcome | null> {
  const args = opener === null ? [url] : ['-a', opener.path, url];
  const environment = cleanEnvironment(process.env);
  const opened = await run({ program: OPEN, args, timeoutMs: OPEN_MS, environment, signal });
  if (signal.aborted) return stoppedInput(signal, 'The address may have been given to the browser.');
  if (opened.kind === 'exited' && opened.exitCode === 0) return null;
  return refused({ code: 'not_supported', message: `The address could not be opened: ${howItEnded(opened)}` });
}

export type OpenUrlNeeds = { run: RunProgram; clock: Clock; applications: Applications };

async function windowsChange(
  { run, clock }: Omit<OpenUrlNeeds, 'applications'>,
  before: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = clock.now() + WITHIN_MS;
  while (clock.now() < endMs && !signal.aborted) {
    const now = await windowsNow(run, signal);
    if (before !== undefined && now !== undefined && now !== before) return true;
    await clock.wait(LOOK_EVERY_MS, signal);
  }
  return false;
}

async function windowsNow(run: RunProgram, signal: AbortSignal): Promise<string | undefined> {
  const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
  if (!state.ok) return undefined;
  const front = state.data.apps.find((app) => app.frontmost)?.pid;
  return JSON.stringify([front, state.data.windows.map(({ id, title }) => [id, title])]);
}
