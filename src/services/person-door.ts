import type { ConsoleStatus } from '../contract/console-status.ts';
import type { Permissions } from '../contract/device.ts';
import { LOOK_AGAIN } from '../contract/link.ts';
import type { RiskLevel } from '../contract/risk-level.ts';
import type { Session } from '../contract/session.ts';
import type { AgentPort } from './agent/port.ts';
import type { Log } from './context.ts';
import { isRefusal } from './refusal.ts';
import type { ServiceRoot } from './wiring.ts';

/** A prompt that waits, in a line. `isCalled`: the person was called for it; the limits of calls hold the others back. */
export type WaitingPrompt = { id: string; userId: string; sentence: string; level: RiskLevel; isCalled: boolean };

/** How the rail stands, for a menu. `permissions` is null until the agent has told them. */
export type PersonView = { status: ConsoleStatus; prompts: WaitingPrompt[]; permissions: Permissions | null };

/**
 * The person's side of the daemon, for a desktop shell in the same process. It stops, shows and signs in. It has no call that
 * allows anything: that takes the prompt on screen, at the dashboard.
 */
export type PersonDoor = {
  /** Opens a session for a window of the shell, by the public key of its page. The key stays in memory; no code is made that another program could enter. */
  openSession(publicKey?: string): Session;
  closeSession(key: string): void;
  /** Spends a sign-in code that the person typed at the command line. False when it is not the good one. No session stays open. */
  spendSignInCode(code: string): boolean;
  view(): PersonView;
  /** Stops everything at once. Throws when the storage does not take it; the stop holds all the same. */
  pause(): void;
  resume(): Promise<void>;
  /** Verb and object of a prompt that waits; undefined when it waits no longer. */
  sentenceOf(confirmationId: string): string | undefined;
  /** A notification, the person's hook or a terminal took the call for a prompt. */
  callTaken(confirmationId: string): void;
  /** The system has recognized the person's finger for this prompt. False when it waits no longer. */
  touched(confirmationId: string): boolean;
  /** Has the agent look at the permissions now instead of within the next minute. */
  lookAgain(): Promise<void>;
  /** Calls back soon after something has happened, at most once in `everyMs`; the answer ends that. */
  onChange(listener: () => void, everyMs?: number): () => void;
};

const CHANGES_EVERY_MS = 100;
const PROGRAM = 'the Handrail app';
const COMMAND_LINE = 'the command line of Handrail';

export function createPersonDoor(
  services: ServiceRoot,
  { port, log }: { port: Pick<AgentPort, 'agent'>; log: Pick<Log, 'warn'> },
): PersonDoor {
  const { console, events } = services;
  return {
    openSession(publicKey) {
      const session = console.sessions.open(services.createSignInCode(), { program: PROGRAM, publicKey });
      if (isRefusal(session)) throw new Error(`no session was opened: ${session.detail}`);
      return session;
    },
    closeSession: console.sessions.close,
    spendSignInCode(code) {
      const session = console.sessions.open(code, { program: COMMAND_LINE });
      if (isRefusal(session)) return false;
      console.sessions.close(session.key);
      return true;
    },
    view: () => ({
      status: console.status(),
      prompts: console.confirmations.list().map(({ id, calledAt, prompt: { requester, sentence, risk } }) => {
        return { id, userId: requester.userId, sentence, level: risk.level, isCalled: calledAt !== undefined };
      }),
      permissions: port.agent()?.permissions ?? null,
    }),
    pause: () => void console.pause(),
    async resume() {
      await console.resume();
    },
    sentenceOf(confirmationId) {
      const confirmation = console.confirmations.get(confirmationId);
      return isRefusal(confirmation) ? undefined : confirmation.prompt.sentence;
    },
    callTaken: console.confirmations.callTaken,
    touched: (confirmationId) => !isRefusal(services.touched(confirmationId)),
    async lookAgain() {
      await services.ask({ type: LOOK_AGAIN, parameters: {} });
    },
    onChange(listener, everyMs = CHANGES_EVERY_MS) {
      const ended = new AbortController();
      void tellChanges({ events, listener, everyMs, signal: ended.signal, log });
      return () => ended.abort();
    },
  };
}

type Telling = {
  events: ServiceRoot['events'];
  listener: () => void;
  everyMs: number;
  signal: AbortSignal;
  log: Pick<Log, 'warn'>;
};

async function tellChanges({ events, listener, everyMs, signal, log }: Telling): Promise<void> {
  let seenId = events.latestId();
  while (!signal.aborted) {
    await events.more(seenId, signal);
    if (signal.aborted) return;
    seenId = events.latestId();
    try {
      listener();
    } catch (error) {
      log.warn({ err: error }, 'a change could not be told to the shell; the next one is');
    }
    await pause(everyMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
