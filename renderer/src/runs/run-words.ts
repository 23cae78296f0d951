import type { Run } from '../../../src/contract/run.ts';
import { ACTION_STATUS_WORDS, toneOf, typeWords } from '../activity/activity-words.ts';
import { dayWords, durationWords } from '../time-words.ts';

/** The subject of a run in an address, from the id of one of its actions, and back. */
export const subjectOfRun = (actionId: string) => actionId.replace(/^act_/, 'run_');
export const actionOfSubject = (subject: string) => subject.replace(/^run_/, 'act_');
export const isRunSubject = (subject: string) => subject.startsWith('run_');

/** The title of a run: what it did and where. One that only looked, or whose contents are no longer kept, has the name of its task or its most frequent actions. */
export function runTitle({ taskName, types, actions, effects, isPlanAllowed }: Run): string {
  if (effects.length > 0) {
    const places = effects.map(({ place, did }) => `${place}: ${didWords(did)}`);
    return `${places.join(' · ')}${isPlanAllowed === true ? ` ${PLAN_ALLOWED}` : ''}`;
  }
  if (taskName !== undefined) return taskName;
  const named = types.map(({ actionType, count }) => `${typeWords(actionType)}${count > 1 ? ` × ${count}` : ''}`);
  const listed = types.reduce((sum, { count }) => sum + count, 0);
  return [...named, ...(actions > listed ? [`${actions - listed} more`] : [])].join(', ');
}

export const didWords = (did: readonly string[]) => did.join('; ');
export const PLAN_ALLOWED = '(you allowed the plan)';

/** How its actions ended, such as `12 done · 1 denied`. */
export function statusesWords({ statuses, artifacts, isCut }: Run): string {
  const worstFirst = statuses.toSorted((one, other) => rankOf(one.status) - rankOf(other.status));
  const parts = worstFirst.map(({ status, count }) => `${count} ${ACTION_STATUS_WORDS[status].toLowerCase()}`);
  const results = artifacts === 0 ? [] : [`${artifacts} ${artifacts === 1 ? 'result' : 'results'}`];
  return [...parts, ...results, ...(isCut ? ['began earlier'] : [])].join(' · ');
}

const rankOf = (status: string) => ['bad', 'open', 'quiet', 'good'].indexOf(toneOf(status));

/** From when to when, such as `10:32 – 10:48`, and how long that is: from the first request to the last end, with the person's answers. */
export function spanWords({ startedAt, endedAt }: Run): string {
  const start = clockWords(startedAt);
  if (endedAt === undefined) return `since ${start}`;
  const end = clockWords(endedAt);
  const tookMs = Date.parse(endedAt) - Date.parse(startedAt);
  return `${start === end ? start : `${start} – ${end}`}, took ${durationWords(tookMs)}`;
}

export function clockWords(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

export const TODAY = 'Today';

/** `Today`, `Yesterday`, or the day. */
export function dayOf(at: string, nowMs: number): string {
  const day = new Date(at).toDateString();
  if (day === new Date(nowMs).toDateString()) return TODAY;
  if (day === new Date(nowMs - 86_400_000).toDateString()) return 'Yesterday';
  return dayWords(Date.parse(at), nowMs);
}

/** The tone of a run: the worst end among its actions. */
export function runTone({ endedAt, statuses }: Run): 'open' | 'bad' | 'quiet' | 'good' {
  const has = (...words: readonly string[]) => statuses.some(({ status }) => words.includes(status));
  if (endedAt === undefined) return 'open';
  if (has('failed', 'blocked', 'unknown')) return 'bad';
  return has('denied', 'expired', 'cancelled') ? 'quiet' : 'good';
}
