import { fork } from 'node:child_process';
import type { LifeReport } from './simulate.ts';

/** Why a life has no result: it took too long, or its process ended before it was done. */
export type NoResult = { seed: number; problem: string };

export type Outcome = LifeReport | NoResult;

export type Running = {
  /** A script that sends one `LifeReport` to its parent, and its arguments. */
  script: string;
  args: readonly string[];
  /** After so long the process of a life is ended. */
  limitMs: number;
  /** Ends all lives that are not over. */
  signal: AbortSignal;
};

export function hasResult(outcome: Outcome): outcome is LifeReport {
  return !('problem' in outcome);
}

/** Lives one life in a process of its own. It always answers: a life that takes too long or breaks off has no result, and says why. */
export function liveInChild(seed: number, { script, args, limitMs, signal }: Running): Promise<Outcome> {
  const child = fork(script, ['--seed', String(seed), ...args]);
  const ended = { because: '' };
  const end = (because: string) => {
    ended.because ||= because;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => end(`it took longer than ${limitMs / 60_000} minutes`), limitMs);
  const interrupt = () => end('the run was interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  return new Promise((resolve) => {
    let life: LifeReport | undefined;
    const answer = (problem: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      resolve(life ?? { seed, problem: ended.because || problem });
    };
    child.once('message', (message) => {
      life = message as LifeReport;
    });
    child.once('error', ({ message }) => answer(`its process failed: ${message}`));
    child.once('exit', (code, by) => answer(`its process ended with ${by ?? `code ${code}`} before it was done`));
  });
}

/** Lives several lives, so many at a time, in the order of the seeds; `done` is called with each as soon as it is over. */
export async function liveAll(
  seeds: readonly number[],
  {
    atOnce,
    live,
    begun,
    done,
  }: {
    atOnce: number;
    live(seed: number): Promise<Outcome>;
    begun(seed: number): void;
    done(outcome: Outcome): void;
  },
): Promise<Outcome[]> {
  const waiting = [...seeds];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      begun(seed);
      const outcome = await live(seed);
      outcomes.push(outcome);
      done(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes.toSorted((one, other) => one.seed - other.seed);
}
