import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { type WebAddress, webAddress } from '../../../src/contract/web-address.ts';
import { refuseOpener } from '../apps/resolved-risk.ts';
import type { InputDriver, InputOutcome } from '../input.ts';
import type { Attempt } from '../outcome.ts';
import { withinDeadline } from '../stopping.ts';
import type { Failure } from './acting.ts';
import { inputDone, refused, stoppedInput } from './input-outcome.ts';

const WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 100;

/** How one desktop opens an address. */
export type OpenUrlDesk<Opener extends { app: ResolvedApp }> = {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** A text that is another one when a window comes, goes to the front or gets another title; `undefined` where that is not known. */
  windows(signal: AbortSignal): Promise<string | undefined | Failure>;
  /** The app that opens the addresses of a scheme, or `null`. */
  openerOf(scheme: WebAddress['scheme'], signal: AbortSignal): Promise<Opener | null>;
  /** Gives it to the app that was judged itself: another program could choose another app. Answers why it could not, if so. */
  give(address: WebAddress, opener: Opener | null, signal: AbortSignal): Promise<Failure | null>;
};

export function createOpenUrl<Opener extends { app: ResolvedApp }>(
  desk: OpenUrlDesk<Opener>,
): Pick<InputDriver, 'opener' | 'openUrl'> {
  return {
    opener: async ({ scheme }, attempt) => (await desk.openerOf(scheme, withinDeadline(attempt)))?.app ?? null,
    openUrl: (wish, attempt) => openUrl(desk, wish, attempt),
  };
}

/** The effect is confirmed by a window that comes, goes to the front or gets another title. */
async function openUrl<Opener extends { app: ResolvedApp }>(
  desk: OpenUrlDesk<Opener>,
  { url }: { url: string },
  attempt: Attempt,
): Promise<InputOutcome> {
  const address = webAddress(url);
  if ('fault' in address) return refused({ code: 'invalid_target', message: address.fault });
  const signal = withinDeadline(attempt);
  const before = await desk.windows(signal);
  if (typeof before === 'object') return before;
  const opener = await desk.openerOf(address.scheme, signal);
  if (signal.aborted) return stoppedInput(signal);
  const change = refuseOpener(address.scheme, opener?.app ?? null, attempt);
  if (change !== null) return refused(change);
  const failed = await desk.give(address, opener, signal);
  if (failed !== null) return failed;
  if (await isChanged(desk, before, signal))
    return inputDone('The address was opened.', { isConfirmed: true, data: {} });
  if (signal.aborted) return stoppedInput(signal, 'The address was given to the browser.');
  return inputDone('The address was given to the browser; no window has changed.', { isConfirmed: false, data: {} });
}

async function isChanged(
  { now, wait, windows }: Pick<OpenUrlDesk<never>, 'now' | 'wait' | 'windows'>,
  before: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = now() + WITHIN_MS;
  while (now() < endMs && !signal.aborted) {
    const text = await windows(signal);
    if (before !== undefined && typeof text === 'string' && text !== before) return true;
    await wait(LOOK_EVERY_MS, signal);
  }
  return false;
}
