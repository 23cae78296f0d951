import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export type Condition<Value> = () => Value | undefined | null | false | Promise<Value | undefined | null | false>;

const POLL_MS = 25;

/** A wait that has lasted long asks more seldom, because each question costs the asked program processor time. */
const SLOWEST_POLL_MS = 100;
const SHARE_OF_WAIT = 1 / 20;

/** On a busy machine one question may take as long as the wait, and its answer is then of long ago. */
const LEAST_QUESTIONS = 5;

/** Resolves with what the condition answers as soon as that is something. Rejects after 20 s and 5 questions, saying what was awaited. */
export async function until<Value>(
  description: string,
  condition: Condition<Value>,
  timeoutMs = 20_000,
  pollMs = POLL_MS,
) {
  const beganAtMs = performance.now();
  for (let asked = 1; ; asked++) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = performance.now() - beganAtMs;
    if (waitedMs > timeoutMs && asked >= LEAST_QUESTIONS)
      throw new Error(`waited ${timeoutMs} ms in vain until ${description}`);
    await pause(Math.max(pollMs, Math.min(SLOWEST_POLL_MS, waitedMs * SHARE_OF_WAIT)));
  }
}

export type RunningProcess = { pid: number; command: string };

/** The processes that were started with this setting in their environment. */
export function processesWith(setting: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => procFile(pid, 'environ').split('\0').includes(setting))
    .map((pid) => ({ pid: Number(pid), command: procFile(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
