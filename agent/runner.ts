import type { EffectClass, SideEffect } from '../src/contract/action.ts';
import type { CancelReason, HelloParams, PerformParams } from '../src/contract/link.ts';
import type { Driver } from './drivers/driver.ts';
import type { Failed, Outcome } from './drivers/outcome.ts';
import { DAEMON_STUCK } from './drivers/stopping.ts';
import { PERFORMERS } from './performers.ts';
import {
  type AttemptKey,
  cancelledMessage,
  type ResultMessage,
  resultMessageOf,
  staleMessage,
} from './result-message.ts';

/** Performs each attempt that the daemon asks for once, and has an answer for every attempt. */
export type Runner = {
  perform(params: PerformParams): void;
  cancel(key: AttemptKey, reason: CancelReason): void;
  inflight(): HelloParams['inflight'];
  /** Whether an attempt runs that can have an effect. */
  isActing(): boolean;
  /** Stops every attempt that can have an effect, because the daemon is stuck and could not stop it. */
  callOff(): void;
  /** Stops every attempt; resolves when all are answered. */
  stop(reason: CancelReason): Promise<void>;
  /** Answers every attempt as failed, its effect unknown: the agent itself is broken. */
  abandon(message: string): void;
};

type Options = {
  driver: () => Promise<Driver>;
  /** Before any effect of the attempt. */
  accepted(key: AttemptKey, effectClass: EffectClass): void;
  answered(key: AttemptKey, answer: ResultMessage): void;
  /** The attempt was answered before and has come again; false when that answer is no longer kept. */
  answerAgain(key: AttemptKey): boolean;
  log(line: string): void;
  /** How long a stopped driver may take to come to an end; after that its effect counts as unknown. */
  stopPatienceMs?: number;
};

/** Below the 7.5 s after which the daemon stops waiting for the answer to a cancel. */
export const STOP_PATIENCE_MS = 5_000;
const MOST_AT_ONCE = 1_024;
const MOST_REMEMBERED = 10_000;

export function createRunner(options: Options): Runner {
  return new LiveRunner(options);
}

type Job = {
  key: AttemptKey;
  phase: 'accepted' | 'performing';
  effectClass: EffectClass;
  controller: AbortController;
};

/**
 * Waits for the work, and once the signal has aborted no longer than the patience: then for `giveUp` in its place.
 * Work that is given up goes on unheard.
 */
function untilStuck<Result>(
  work: Promise<Result>,
  { signal, patienceMs, giveUp }: { signal: AbortSignal; patienceMs: number; giveUp: () => Result },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let patience: NodeJS.Timeout | undefined;
    const startClock = () => {
      patience = setTimeout(() => resolve(giveUp()), patienceMs);
    };
    const rest = () => {
      clearTimeout(patience);
      signal.removeEventListener('abort', startClock);
    };
    signal.addEventListener('abort', startClock, { once: true });
    work.then(
      (result) => {
        rest();
        resolve(result);
      },
      (error: unknown) => {
        rest();
        reject(error);
      },
    );
  });
}

class LiveRunner implements Runner {
  readonly #options: Options;
  readonly #jobs = new Map<string, Job>();
  /** The last attempt of each of the latest actions. */
  readonly #attempts = new Map<string, number>();
  #whenIdle: (() => void)[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  perform(params: PerformParams): void {
    const key = { actionId: params.actionId, attempt: params.attempt };
    const last = this.#attempts.get(key.actionId) ?? 0;
    if (key.attempt > last) this.#begin(key, params);
    else if (key.attempt < last || !this.#willAnswer(key)) this.#options.answered(key, staleMessage(key));
  }

  cancel({ actionId, attempt }: AttemptKey, reason: CancelReason): void {
    const job = this.#jobs.get(actionId);
    if (job?.key.attempt === attempt) job.controller.abort(reason);
  }

  inflight(): HelloParams['inflight'] {
    return [...this.#jobs.values()].map(({ key, phase }) => ({ ...key, phase }));
  }

  isActing(): boolean {
    return this.#acting().length > 0;
  }

  callOff(): void {
    for (const { controller } of this.#acting()) controller.abort(DAEMON_STUCK);
  }

  async stop(reason: CancelReason): Promise<void> {
    for (const { controller } of this.#jobs.values()) controller.abort(reason);
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  abandon(message: string): void {
    for (const job of this.#jobs.values()) {
      this.#finish(job, resultMessageOf(job.key, broken(job, message)));
      job.controller.abort('shutdown' satisfies CancelReason);
    }
  }

  #acting(): Job[] {
    return [...this.#jobs.values()].filter(({ effectClass }) => effectClass !== 'pure');
  }

  /** An attempt that is running, or whose answer is kept, is answered without being performed again. */
  #willAnswer(key: AttemptKey): boolean {
    return this.#jobs.get(key.actionId)?.key.attempt === key.attempt || this.#options.answerAgain(key);
  }

  #begin(key: AttemptKey, params: PerformParams): void {
    const refusal = this.#refusal(key);
    this.#remember(key);
    if (refusal !== null) {
      this.#options.answered(key, resultMessageOf(key, refusal));
      return;
    }
    const job: Job = { key, phase: 'accepted', effectClass: params.effectClass, controller: new AbortController() };
    this.#jobs.set(key.actionId, job);
    this.#options.accepted(key, params.effectClass);
    void this.#run(job, params);
  }

  #refusal({ actionId }: AttemptKey): Failed | null {
    const running = this.#jobs.get(actionId);
    if (running !== undefined) return busy(`attempt ${running.key.attempt} of ${actionId} is still being performed`);
    return this.#jobs.size >= MOST_AT_ONCE ? busy(`${MOST_AT_ONCE} actions are being performed`) : null;
  }

  #remember({ actionId, attempt }: AttemptKey): void {
    this.#attempts.delete(actionId);
    this.#attempts.set(actionId, attempt);
    if (this.#attempts.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#attempts.keys();
    if (oldest !== undefined) this.#attempts.delete(oldest);
  }

  async #run(job: Job, params: PerformParams): Promise<void> {
    const deadline = setTimeout(() => job.controller.abort('timeout' satisfies CancelReason), params.deadlineMs);
    const outcome = await this.#outcome(job, params);
    clearTimeout(deadline);
    this.#finish(job, this.#answer(job, outcome));
  }

  async #outcome(job: Job, params: PerformParams): Promise<Outcome<unknown>> {
    const performer = PERFORMERS.get(params.actionType);
    if (performer === undefined) return unsupported(params.actionType);
    const { deadlineMs, targets, requester, keepAt, contents, evidence, dashboards } = params;
    const attempt = {
      signal: job.controller.signal,
      deadlineMs,
      targets,
      requester,
      keepAt,
      contents,
      evidence,
      dashboards,
      begin: () => {
        job.phase = 'performing';
      },
    };
    try {
      const work = performer({ parameters: params.parameters, attempt, driver: this.#options.driver });
      return await untilStuck(work, {
        signal: attempt.signal,
        patienceMs: this.#options.stopPatienceMs ?? STOP_PATIENCE_MS,
        giveUp: () => stuck(job),
      });
    } catch (error) {
      this.#options.log(`the driver failed in ${params.actionType}: ${errorText(error)}`);
      return broken(job, `The device agent failed in ${params.actionType}; its log says more.`);
    }
  }

  #answer(job: Job, outcome: Outcome<unknown>): ResultMessage {
    const { aborted, reason } = job.controller.signal;
    const wasCancelled = aborted && reason !== 'timeout' && reason !== DAEMON_STUCK;
    if (wasCancelled && !outcome.ok) return cancelledMessage(job.key, outcome);
    try {
      return resultMessageOf(job.key, outcome);
    } catch (error) {
      this.#options.log(`an outcome cannot be sent: ${errorText(error)}`);
      return resultMessageOf(job.key, broken(job, 'The device agent made a result that cannot be sent.'));
    }
  }

  /** Work that the runner has given up may still finish later. Only its first end counts. */
  #finish(job: Job, answer: ResultMessage): void {
    if (this.#jobs.get(job.key.actionId) !== job) return;
    this.#jobs.delete(job.key.actionId);
    this.#options.answered(job.key, answer);
    if (this.#jobs.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

function busy(reason: string): Failed {
  return { ok: false, code: 'busy', message: `The device agent is busy: ${reason}.`, sideEffect: 'none' };
}

function unsupported(actionType: string): Failed {
  const known = [...PERFORMERS.keys()].join(', ');
  return {
    ok: false,
    code: 'not_supported',
    message: `Expected one of ${known}, got ${JSON.stringify(actionType.slice(0, 64))}.`,
    sideEffect: 'none',
  };
}

function stuck(job: Job): Failed {
  return {
    ok: false,
    code: 'timeout',
    message: 'The action was told to stop and did not come to an end in time.',
    sideEffect: possibleEffect(job),
  };
}

function broken(job: Job, message: string): Failed {
  return { ok: false, code: 'internal_error', message, sideEffect: possibleEffect(job) };
}

function possibleEffect({ effectClass, phase }: Job): SideEffect {
  return effectClass === 'pure' || phase === 'accepted' ? 'none' : 'unknown';
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
