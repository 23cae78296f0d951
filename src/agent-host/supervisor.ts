import { Compile } from 'typebox/compile';
import { ChildMessage, type ParentMessage, REFUSED_EXIT_CODE } from '../contract/link.ts';
import type { AgentProcessObserver } from './link/agent-link.ts';

/** Keeps one agent process running, and says so when it cannot. */
export type AgentSupervisor = {
  start(): void;
  /** Starts the agent again at the person's request; earlier failures no longer count. */
  restart(): void;
  /** Ends the process that runs: its link is beyond hope. With `retry: false` no other follows. */
  replace(next: { retry: boolean }): void;
  /** Asks the process to stop, insists, and resolves when it is gone; nothing is started after it. */
  stop(): Promise<void>;
  /** Whether the agent waits for the system to have a process and open files for it. */
  isShort(): boolean;
};

/** A child process, on any runtime. */
export type AgentProcess = {
  send(message: ParentMessage): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
};

export type AgentProcessEvents = {
  message(message: unknown): void;
  /** A line it wrote for the log. */
  line(text: string): void;
  /** It has ended, or could not be started. Called once. */
  ended(end: AgentEnd): void;
};

/** `reason` is for the log. `isShortage`: the system had no process, open file or memory left to start it. */
export type AgentEnd = { exitCode: number | null; reason: string; isShortage?: boolean };

/** Starts an agent. Never throws: a failure is reported as an end, after the call has returned. */
export type SpawnAgent = (events: AgentProcessEvents) => AgentProcess;

export type SupervisorLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

type Options = {
  spawn: SpawnAgent;
  /** Where the agent connects, known once the daemon listens. */
  url: () => string;
  link: AgentProcessObserver;
  log: SupervisorLog;
  /** From 0 up to, but not including, 1. */
  random?: () => number;
  now?: () => number;
  limits?: Partial<SupervisorLimits>;
};

export type SupervisorLimits = {
  /** The longest first pause before a restart; it doubles with every start that counts. */
  backoffMs: number;
  longestBackoffMs: number;
  /** So many starts within the window, and the agent stays away. */
  starts: number;
  windowMs: number;
  /** After the wish to stop: when to insist, and when to end it. */
  termAfterMs: number;
  killAfterMs: number;
  /** The pause before a start is tried again for which the system had no process or open file. */
  shortageMs: number;
};

export const SUPERVISOR_LIMITS: SupervisorLimits = {
  backoffMs: 250,
  longestBackoffMs: 10_000,
  starts: 5,
  windowMs: 10 * 60_000,
  termAfterMs: 3_500,
  killAfterMs: 4_500,
  shortageMs: 2_000,
};
const LONGEST_LINE = 4_000;

const SHORTAGE =
  'the system has no process, open file or memory left to start the agent; it is tried again every two seconds';
const AGAIN = 'start it again at the dashboard';

const childMessage = Compile(ChildMessage);

export function createAgentSupervisor(options: Options): AgentSupervisor {
  return new LiveSupervisor(options);
}

type State =
  | { kind: 'idle' }
  /** `wasShort`: the start before this one failed because the system had no room for a process. */
  | { kind: 'running'; child: AgentProcess; wasShort: boolean }
  | { kind: 'stopping'; child: AgentProcess }
  | { kind: 'pausing'; timer: NodeJS.Timeout; isShort: boolean }
  | { kind: 'stopped' };

class LiveSupervisor implements AgentSupervisor {
  readonly #options: Options;
  readonly #limits: SupervisorLimits;
  readonly #now: () => number;
  #state: State = { kind: 'idle' };
  /** When the latest processes were started. */
  #startsAtMs: number[] = [];
  /** Whether the process that runs may be followed by another. */
  #mayRestart = true;
  #whenStopped: (() => void)[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#limits = { ...SUPERVISOR_LIMITS, ...options.limits };
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    if (this.#state.kind === 'idle') this.#spawn();
  }

  restart(): void {
    this.#startsAtMs = [];
    this.#mayRestart = true;
    if (this.#state.kind === 'running') this.#state.child.kill('SIGKILL');
    if (this.#state.kind === 'pausing') clearTimeout(this.#state.timer);
    if (this.#state.kind === 'pausing' || this.#state.kind === 'idle') this.#spawn();
  }

  replace({ retry }: { retry: boolean }): void {
    this.#mayRestart = retry;
    if (this.#state.kind === 'running') this.#state.child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.#state.kind === 'pausing') clearTimeout(this.#state.timer);
    if (this.#state.kind === 'running') this.#end(this.#state.child);
    if (this.#state.kind !== 'stopping') this.#state = { kind: 'stopped' };
    else await new Promise<void>((resolve) => this.#whenStopped.push(resolve));
  }

  isShort(): boolean {
    return this.#state.kind === 'pausing' && this.#state.isShort;
  }

  #end(child: AgentProcess): void {
    this.#state = { kind: 'stopping', child };
    child.send({ type: 'stop' });
    const insist = setTimeout(() => child.kill('SIGTERM'), this.#limits.termAfterMs);
    const force = setTimeout(() => child.kill('SIGKILL'), this.#limits.killAfterMs);
    this.#whenStopped.push(() => {
      clearTimeout(insist);
      clearTimeout(force);
    });
  }

  #spawn(): void {
    const { spawn, link, log } = this.#options;
    const wasShort = this.isShort();
    this.#startsAtMs.push(this.#now());
    this.#mayRestart = true;
    const child = spawn({
      message: (message) => this.#hear(child, message),
      line: (text) => log.info({ from: 'agent' }, text.slice(0, LONGEST_LINE)),
      ended: (end) => this.#afterEnd(end),
    });
    this.#state = { kind: 'running', child, wasShort };
    link.started();
    this.#admit(child);
  }

  #admit(child: AgentProcess): void {
    child.send({ type: 'connect', url: this.#options.url(), token: this.#options.link.issueToken() });
  }

  #hear(child: AgentProcess, message: unknown): void {
    const isWanted = childMessage.Check(message) && this.#state.kind === 'running' && this.#state.child === child;
    if (isWanted) this.#admit(child);
  }

  #afterEnd({ exitCode, reason, isShortage = false }: AgentEnd): void {
    if (this.#state.kind === 'stopping') {
      this.#rest({ kind: 'stopped' });
      for (const resolve of this.#whenStopped.splice(0)) resolve();
    } else if (isShortage) {
      this.#waitForRoom(reason);
    } else if (exitCode === REFUSED_EXIT_CODE || !this.#mayRestart) {
      this.#options.log.error({ reason }, `the agent was refused and is not restarted; ${AGAIN}`);
      this.#rest({ kind: 'idle' });
    } else if (this.#recentStarts() >= this.#limits.starts) {
      const minutes = Math.round(this.#limits.windowMs / 60_000);
      const often = `the agent was started ${this.#limits.starts} times in ${minutes} minutes`;
      this.#options.log.error({ reason }, `${often} and is not restarted; ${AGAIN}`);
      this.#rest({ kind: 'idle' });
    } else {
      this.#pause(reason);
    }
  }

  #rest(state: State): void {
    this.#state = state;
    this.#options.link.gone({ restarts: false });
  }

  /** Full jitter: anywhere between at once and a ceiling that doubles with every recent start. */
  #pause(reason: string): void {
    const { backoffMs, longestBackoffMs } = this.#limits;
    const ceilingMs = Math.min(longestBackoffMs, backoffMs * 2 ** Math.max(0, this.#recentStarts() - 1));
    const random = this.#options.random ?? Math.random;
    const pauseMs = Math.round(random() * ceilingMs);
    this.#options.log.warn({ reason, pauseMs }, 'the agent ended and is started again');
    this.#pauseFor(pauseMs, { isShort: false });
  }

  /** The agent is not at fault, so such a start does not count. It is said once. */
  #waitForRoom(reason: string): void {
    this.#startsAtMs.pop();
    if (this.#state.kind !== 'running' || !this.#state.wasShort) this.#options.log.error({ reason }, SHORTAGE);
    this.#pauseFor(this.#limits.shortageMs, { isShort: true });
  }

  #pauseFor(pauseMs: number, { isShort }: { isShort: boolean }): void {
    this.#state = { kind: 'pausing', timer: setTimeout(() => this.#spawn(), pauseMs), isShort };
    this.#options.link.gone({ restarts: true });
  }

  #recentStarts(): number {
    const oldestMs = this.#now() - this.#limits.windowMs;
    this.#startsAtMs = this.#startsAtMs.filter((startMs) => startMs > oldestMs);
    return this.#startsAtMs.length;
  }
}
