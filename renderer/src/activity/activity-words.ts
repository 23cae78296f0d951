import type { Action, ActionStatus } from '../../../src/contract/action.ts';
import { doing } from '../../../src/contract/doing.ts';
import { durationWords } from '../time-words.ts';

/** A status in one or two words, as a person reads it. */
export const ACTION_STATUS_WORDS: Record<ActionStatus, string> = {
  awaiting_confirmation: 'Waiting for you',
  queued: 'Queued',
  running: 'Running',
  success: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  expired: 'Expired',
  cancelled: 'Cancelled',
  blocked: 'Blocked',
  unknown: 'Unknown',
};

/** The status as the person knows it: what they denied is denied, also while they can undo that. */
export function statusOf({ status, confirmation }: Pick<Action, 'status' | 'confirmation'>): ActionStatus {
  return confirmation?.denialFinalAt === undefined ? status : 'denied';
}

/** The tone in which a status is shown. The words say the same, so colour is never the only sign. */
export type Tone = 'good' | 'bad' | 'open' | 'quiet';

const TONES: Record<ActionStatus, Tone> = {
  awaiting_confirmation: 'open',
  queued: 'open',
  running: 'open',
  success: 'good',
  failed: 'bad',
  denied: 'quiet',
  expired: 'quiet',
  cancelled: 'quiet',
  blocked: 'bad',
  unknown: 'bad',
};

export function toneOf(status: string): Tone {
  const [, tone] = Object.entries(TONES).find(([name]) => name === status) ?? [];
  return tone ?? 'quiet';
}

/** The name of an action type in words, such as `Take screenshot`. */
export function typeWords(actionType: string): string {
  const words = doing(actionType);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A moment of today by its time, an earlier one with its day; in the time zone of the page. */
export function momentWords(at: string, nowMs: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date(nowMs).toDateString();
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat('en-GB', { ...day, ...time }).format(moment);
}

export function tookWords(durationMs: number | undefined): string {
  return durationMs === undefined ? '' : durationWords(durationMs);
}
