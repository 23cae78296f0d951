import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { DeviceAgent } from '../../contract/device.ts';
import {
  type AgentStatusParams,
  CLOSE,
  type HelloParams,
  type HelloVerdict,
  requestIdOf,
} from '../../contract/link.ts';
import type { Transport } from '../../contract/transport.ts';
import type { AgentListener, AgentPort, AgentStatus } from '../../services/agent/port.ts';
import { unsentOutcome } from './attempt-outcome.ts';
import type { OpenAttempt, OpenAttempts } from './attempt-results.ts';
import { LINK_LIMITS, type LinkLimits } from './limits.ts';
import { createSession, type Session, type SessionEnd } from './session.ts';

/** The daemon's end of the agent link: the port the services use, and the door the agent comes in by. */
export type AgentLink = {
  port: AgentPort;
  door: AgentDoor;
  /** Names the one who is told what the agent does. Called once, before the agent's process is started. */
  listen(listener: AgentListener): void;
  /** The supervisor reports the agent's process here, and gets the tokens for it. */
  process: AgentProcessObserver;
  /** A process will be started as soon as its desktop is there: calls wait for it from now on. */
  coming(): void;
  /** Ends the link for good: the daemon stops. */
  close(): void;
};

/** The interface through which `http` lets an agent in: first `admit`, then, on `ok`, the upgrade and `attach`. */
export type AgentDoor = {
  /** Judges the bearer token of an upgrade (an empty string for none). `ok` spends it and must be followed by `attach`. */
  admit(token: string): 'ok' | 'invalid' | 'already_connected';
  /** Takes over the connection that was admitted; for `ws`: `attach(createWebSocketTransport(socket))`. */
  attach(transport: Transport): void;
};

export type AgentProcessObserver = {
  /** A token for one connection; the one before it, if unspent, is void. */
  issueToken(): string;
  started(): void;
  /** The process has ended; another one follows when `restarts` is true. */
  gone(next: { restarts: boolean }): void;
};

type Options = {
  limits?: Partial<LinkLimits>;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** The process lives, but its link is beyond hope: replace it, or with `retry: false` leave it ended. */
  abandon(next: { retry: boolean }): void;
  /** Told why scripts do not work, when the agent finds it out, and `undefined` when another agent comes. */
  scriptsTested?(reason: string | undefined): void;
};

/** A peer that has missed one ping is silent: a fresh connection may take its place. */
export const SILENT_AFTER_BEATS = 1.5;

/** How long the last words of an ended process may take to be read. */
const LAST_WORDS_MS = 100;

/** After these close codes another connection would be refused too (LINK.md, rule 7). */
const FINAL_CODES: ReadonlySet<number> = new Set([CLOSE.unauthorized, CLOSE.unsupportedVersion]);

export function createAgentLink({
  limits,
  now = () => performance.now(),
  abandon,
  scriptsTested = () => undefined,
}: Options): AgentLink {
  const link = new LiveLink({ limits: { ...LINK_LIMITS, ...limits }, now, abandon, scriptsTested });
  return {
    port: link,
    door: link,
    listen: (listener) => link.listen(listener),
    process: link,
    coming: () => link.coming(),
    close: () => link.close(),
  };
}

/** One-use secrets that let the built-in agent connect. At most one is live; only its digest is kept. */
type Tokens = {
  /** A new token of 32 random bytes; the one before it, if unspent, is void. */
  issue(): string;
  isLive(token: string): boolean;
  /** Voids the live token. */
  spend(): void;
};

function createTokens(): Tokens {
  let live: Buffer | null = null;
  return {
    issue() {
      const token = randomBytes(32).toString('base64url');
      live = digest(token);
      return token;
    },
    // All digests have the same length, so the time of the comparison reveals nothing about the token.
    isLive: (token) => live !== null && timingSafeEqual(live, digest(token)),
    spend() {
      live = null;
    },
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

class LiveLink implements AgentPort, AgentDoor, AgentProcessObserver {
  readonly #limits: LinkLimits;
  readonly #now: () => number;
  readonly #abandon: Options['abandon'];
  readonly #scriptsTested: Required<Options>['scriptsTested'];
  readonly #tokens = createTokens();
  readonly #open: OpenAttempts = new Map();
  #listener: AgentListener | null = null;
  #session: Session | null = null;
  /** Known from the hello to the end of its session. */
  #agent: DeviceAgent | null = null;
  #process: 'none' | 'coming' | 'running' = 'none';
  /** The boot id of the process that may hold attempts: the last one that sent a hello, until `lost`. */
  #bootId: string | null = null;
  #patience: NodeJS.Timeout | undefined;

  constructor({ limits, now, abandon, scriptsTested }: Required<Options> & { limits: LinkLimits }) {
    this.#limits = limits;
    this.#now = now;
    this.#abandon = abandon;
    this.#scriptsTested = scriptsTested;
  }

  listen(listener: AgentListener): void {
    this.#listener = listener;
  }

  status(): AgentStatus {
    if (this.#agent !== null) return 'online';
    return this.#process === 'none' ? 'offline' : 'starting';
  }

  agent(): DeviceAgent | null {
    return this.#agent;
  }

  perform(params: Parameters<AgentPort['perform']>[0]): void {
    const key = { actionId: params.actionId, attempt: params.attempt };
    if (this.#session === null || this.#agent === null) {
      queueMicrotask(() => this.#told().finished(key, unsentOutcome()));
      return;
    }
    this.#open.set(requestIdOf(key), { key, accepted: false, cancelled: null });
    this.#session.perform(params);
  }

  cancel(...[key, reason]: Parameters<AgentPort['cancel']>): void {
    const sent = this.#open.get(requestIdOf(key));
    if (sent !== undefined) sent.cancelled = reason;
    this.#session?.cancel(key, reason);
  }

  acknowledge(key: Parameters<AgentPort['acknowledge']>[0]): void {
    this.#session?.acknowledge(key);
  }

  issueToken(): string {
    return this.#tokens.issue();
  }

  admit(token: string): 'ok' | 'invalid' | 'already_connected' {
    if (!this.#tokens.isLive(token)) return 'invalid';
    if (this.#isHeard()) return 'already_connected';
    this.#tokens.spend();
    return 'ok';
  }

  attach(transport: Transport): void {
    this.#endSession(CLOSE.replaced, 'replaced by a new connection');
    this.#session = createSession({
      transport,
      sessionId: randomUUID(),
      open: this.#open,
      limits: this.#limits,
      now: this.#now,
      events: {
        hello: (hello) => this.#greet(hello),
        status: (status) => this.#updateStatus(status),
        accepted: (key) => this.#told().accepted(key),
        finished: (key, outcome) => this.#told().finished(key, outcome),
        violated: (violation) => this.#told().violated(violation),
        ended: (end) => this.#afterEnd(end),
      },
    });
  }

  coming(): void {
    this.#process = 'coming';
  }

  started(): void {
    if (this.#session !== null) this.#bury();
    this.#process = 'running';
    this.#awaitLink(this.#limits.startMs);
    this.#told().statusChanged();
  }

  gone({ restarts }: { restarts: boolean }): void {
    this.#tokens.spend();
    this.#process = restarts ? 'coming' : 'none';
    clearTimeout(this.#patience);
    if (this.#session === null) this.#bury();
    else this.#patience = setTimeout(() => this.#bury(), LAST_WORDS_MS);
  }

  close(): void {
    this.#tokens.spend();
    this.#process = 'none';
    clearTimeout(this.#patience);
    this.#endSession(CLOSE.goingAway, 'the daemon stops');
  }

  #isHeard(): boolean {
    const silentAfterMs = SILENT_AFTER_BEATS * this.#limits.heartbeatMs;
    return this.#session !== null && this.#session.silentForMs() < silentAfterMs;
  }

  #greet(hello: HelloParams): HelloVerdict[] {
    clearTimeout(this.#patience);
    if (this.#bootId !== hello.bootId) {
      this.#lose();
      this.#scriptsTested(undefined);
    }
    this.#bootId = hello.bootId;
    this.#agent = agentOf(hello);
    const before = new Map(this.#open);
    this.#open.clear();
    const verdicts = this.#told().online(hello);
    for (const verdict of verdicts) this.#reopen(verdict, before.get(requestIdOf(verdict)));
    const held = new Set([...hello.inflight, ...hello.unacknowledged].map(requestIdOf));
    for (const [requestId, { key }] of before) {
      if (!held.has(requestId)) this.#told().finished(key, unsentOutcome());
    }
    this.#told().statusChanged();
    return verdicts;
  }

  /** A wish to cancel that was spoken while the link was down, or lost with it, is passed on now. */
  #reopen({ actionId, attempt, verdict }: HelloVerdict, before: OpenAttempt | undefined): void {
    if (verdict === 'forget') return;
    const cancelled = before?.cancelled ?? null;
    const key = { actionId, attempt };
    this.#open.set(requestIdOf(key), { key, accepted: true, cancelled });
    if (cancelled !== null) this.#session?.cancel(key, cancelled);
  }

  #updateStatus({ displays, permissions, scriptsFail }: AgentStatusParams): void {
    if (this.#agent === null) return;
    if (scriptsFail !== undefined) this.#scriptsTested(scriptsFail);
    this.#agent = { ...this.#agent, displays, permissions };
    this.#told().statusChanged();
  }

  #afterEnd(end: SessionEnd): void {
    this.#session = null;
    this.#agent = null;
    if (this.#process !== 'running') this.#bury();
    else if (end.kind === 'fault') this.#giveUp({ retry: !FINAL_CODES.has(end.closeCode) });
    else {
      this.#awaitLink(this.#limits.graceMs);
      this.#told().statusChanged();
    }
  }

  #awaitLink(patienceMs: number): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#giveUp({ retry: true }), patienceMs);
  }

  #giveUp({ retry }: { retry: boolean }): void {
    this.#process = retry ? 'coming' : 'none';
    this.#bury();
    this.#abandon({ retry });
  }

  /** Nothing more can come from the process that was. */
  #bury(): void {
    clearTimeout(this.#patience);
    this.#endSession(CLOSE.goingAway, 'the agent is gone');
    this.#lose();
    this.#told().statusChanged();
  }

  #lose(): void {
    this.#open.clear();
    if (this.#bootId === null) return;
    this.#bootId = null;
    this.#told().lost();
  }

  #endSession(code: number, reason: string): void {
    this.#session?.close(code, reason);
    this.#session = null;
    this.#agent = null;
  }

  #told(): AgentListener {
    if (this.#listener === null) throw new Error('Expected listen() before the agent link is used.');
    return this.#listener;
  }
}

function agentOf({ bootId, platform, hostname, agentVersion, displays, permissions }: HelloParams): DeviceAgent {
  return { id: bootId, platform, hostname, version: agentVersion, displays, permissions };
}
