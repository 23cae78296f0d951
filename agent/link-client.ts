import { Compile } from 'typebox/compile';
import { createHeartbeat, type Heartbeat } from '../src/contract/heartbeat.ts';
import {
  type AgentStatusParams,
  type CancelReason,
  CLOSE,
  DaemonMessage,
  HEARTBEAT_MS,
  type HelloParams,
  type HelloResult,
  LINK_PROTOCOL,
  type PerformParams,
  requestIdOf,
  SILENCE_LIMIT_MS,
} from '../src/contract/link.ts';
import type { Transport } from '../src/contract/transport.ts';
import { UpgradeRefused } from './open-web-socket.ts';
import type { AttemptKey, ResultMessage } from './result-message.ts';

/** The agent's end of the link: one connection at a time, and the answers the daemon has not acknowledged. */
export type LinkClient = {
  /** Connects with a token from the parent; ignored while a connection stands. */
  connect(url: string, token: string): Promise<void>;
  /** Tells the daemon that the action begins. The message has left when this returns. */
  accepted(key: AttemptKey): void;
  /** Sends the answer and keeps it until it is acknowledged. */
  answered(key: AttemptKey, answer: ResultMessage): void;
  /** Sends a kept answer again; false when none is kept. */
  answerAgain(key: AttemptKey): boolean;
  status(status: AgentStatusParams): void;
  /** Asks the daemon for a sign of life; false while the link is down. */
  ping(): boolean;
  /** Ends the link for good, after what was sent has gone out. */
  close(): Promise<void>;
};

/** The agent's own facts in a hello; the client adds the attempts it holds. */
export type Introduction = Omit<HelloParams, 'inflight' | 'unacknowledged'>;

type Options = {
  open(url: string, token: string): Promise<Transport>;
  introduce(): Promise<Introduction>;
  inflight(): HelloParams['inflight'];
  perform(params: PerformParams): void;
  cancel(key: AttemptKey, reason: CancelReason): void;
  /** Anything at all has come from the daemon. */
  heard(): void;
  /** The daemon has answered the hello: the link is up. */
  greeted(): void;
  /** The link is down and a fresh token is needed; the parent answers with another `connect`. */
  wantToken(): void;
  /** The daemon refused this agent, so the agent does not connect again. */
  refused(reason: string): void;
  log(line: string): void;
  /** From 0 up to, but not including, 1. */
  random?: () => number;
  now?: () => number;
};

type Link =
  | { kind: 'down' }
  | { kind: 'connecting' }
  | { kind: 'greeting' | 'online'; transport: Transport; heartbeat: Heartbeat }
  | { kind: 'closed' };

const HELLO_ID = 'hello';
const FIRST_RETRY_MS = 250;
export const LONGEST_RETRY_MS = 10_000;
const GOODBYE_MS = 500;
const FINAL_CODES: ReadonlySet<number> = new Set([CLOSE.unauthorized, CLOSE.unsupportedVersion, CLOSE.replaced]);

const daemonMessage = Compile(DaemonMessage);

export function createLinkClient(options: Options): LinkClient {
  return new LiveLinkClient(options);
}

/** The answers of attempts, each from its end until the daemon acknowledges it. */
function createKeptAnswers() {
  /** By request id. */
  const kept = new Map<string, { key: AttemptKey; answer: ResultMessage }>();
  /** Attempts whose outcome the daemon no longer needs. */
  const unwanted = new Set<string>();
  return {
    keys: (): AttemptKey[] => [...kept.values()].map(({ key }) => key),
    find: (key: AttemptKey): ResultMessage | undefined => kept.get(requestIdOf(key))?.answer,
    /** False, and nothing is kept, when the daemon no longer needs the answer. */
    keep(key: AttemptKey, answer: ResultMessage): boolean {
      const requestId = requestIdOf(key);
      if (unwanted.delete(requestId)) return false;
      kept.set(requestId, { key, answer });
      return true;
    },
    acknowledged: (key: AttemptKey): void => void kept.delete(requestIdOf(key)),
    /** Drops the answer, or the one to come: then it is true that the attempt has not ended. */
    forget(key: AttemptKey): boolean {
      const requestId = requestIdOf(key);
      if (kept.delete(requestId)) return false;
      unwanted.add(requestId);
      return true;
    },
  };
}

class LiveLinkClient implements LinkClient {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #answers = createKeptAnswers();
  #link: Link = { kind: 'down' };
  /** How many connections in a row ended before the daemon answered the hello. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #whenEnded: (() => void)[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async connect(url: string, token: string): Promise<void> {
    if (this.#link.kind !== 'down') return;
    this.#link = { kind: 'connecting' };
    try {
      // The introduction comes first: an open transport must be listened to at once.
      const introduction = await this.#options.introduce();
      this.#greet(await this.#options.open(url, token), introduction);
    } catch (error) {
      this.#failToConnect(error);
    }
  }

  accepted({ actionId, attempt }: AttemptKey): void {
    this.#say({ jsonrpc: '2.0', method: 'action.accepted', params: { actionId, attempt } });
  }

  answered(key: AttemptKey, answer: ResultMessage): void {
    if (this.#answers.keep(key, answer)) this.#send(answer);
  }

  answerAgain(key: AttemptKey): boolean {
    const answer = this.#answers.find(key);
    if (answer !== undefined) this.#send(answer);
    return answer !== undefined;
  }

  status(status: AgentStatusParams): void {
    this.#say({ jsonrpc: '2.0', method: 'agent.status', params: status });
  }

  ping(): boolean {
    if (this.#link.kind !== 'online') return false;
    this.#link.transport.ping();
    return true;
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const link = this.#link;
    this.#link = { kind: 'closed' };
    if (link.kind !== 'greeting' && link.kind !== 'online') return;
    link.heartbeat.stop();
    await new Promise<void>((resolve) => {
      this.#whenEnded.push(resolve);
      setTimeout(resolve, GOODBYE_MS).unref();
      link.transport.close(CLOSE.goingAway, 'the agent stops');
    });
  }

  #greet(transport: Transport, introduction: Introduction): void {
    if (this.#link.kind === 'closed') {
      transport.terminate();
      return;
    }
    this.#listen(transport);
    this.#link = {
      kind: 'greeting',
      transport,
      heartbeat: this.#startHeartbeat(transport, { heartbeatMs: HEARTBEAT_MS, silenceMs: SILENCE_LIMIT_MS }),
    };
    const inflight = this.#options.inflight();
    const params: HelloParams = { ...introduction, inflight, unacknowledged: this.#answers.keys() };
    transport.sendText(JSON.stringify({ jsonrpc: '2.0', id: HELLO_ID, method: 'agent.hello', params }));
  }

  #startHeartbeat(transport: Transport, rhythm: { heartbeatMs: number; silenceMs: number }): Heartbeat {
    return createHeartbeat({
      ...rhythm,
      now: this.#now,
      beat: () => transport.ping(),
      dead: () => transport.terminate(),
    });
  }

  #listen(transport: Transport): void {
    const isCurrent = () => 'transport' in this.#link && this.#link.transport === transport;
    transport.listen({
      text: (text) => {
        if (isCurrent()) this.#hear(text);
      },
      binary: () => {
        if (isCurrent()) this.#reject(CLOSE.unsupportedData, 'the daemon sends no binary frames');
      },
      heartbeat: () => {
        if (isCurrent()) this.#heard();
      },
      closed: (code, reason) => {
        for (const resolve of this.#whenEnded.splice(0)) resolve();
        if (isCurrent()) this.#afterEnd(code, reason);
      },
    });
  }

  #heard(): void {
    if ('heartbeat' in this.#link) this.#link.heartbeat.heard();
    this.#options.heard();
  }

  #hear(text: string): void {
    this.#heard();
    const message = parsed(text);
    if (!daemonMessage.Check(message))
      this.#reject(CLOSE.protocolError, `expected a message of protocol ${LINK_PROTOCOL}`);
    else if ('method' in message) this.#obey(message);
    else if ('result' in message) this.#beGreeted(message.result);
    else this.#options.log(`the daemon refused a message: ${message.error.code} ${message.error.message}`);
  }

  #obey(message: Extract<DaemonMessage, { method: string }>): void {
    switch (message.method) {
      case 'action.perform':
        this.#options.perform(message.params);
        break;
      case 'action.acknowledge':
        this.#answers.acknowledged(message.params);
        break;
      case 'action.cancel':
        this.#options.cancel(message.params, message.params.reason);
    }
  }

  #beGreeted({ heartbeatMs, verdicts }: HelloResult): void {
    if (this.#link.kind !== 'greeting') return;
    const { transport, heartbeat } = this.#link;
    heartbeat.stop();
    const silenceMs = heartbeatMs * (SILENCE_LIMIT_MS / HEARTBEAT_MS);
    this.#link = { kind: 'online', transport, heartbeat: this.#startHeartbeat(transport, { heartbeatMs, silenceMs }) };
    this.#failures = 0;
    for (const verdict of verdicts) this.#settle(verdict);
    this.#options.greeted();
  }

  #settle({ actionId, attempt, verdict }: HelloResult['verdicts'][number]): void {
    const key = { actionId, attempt };
    const isUnwanted = verdict === 'forget' && this.#answers.forget(key);
    if (isUnwanted || verdict === 'cancel') this.#options.cancel(key, 'requested');
    this.answerAgain(key);
  }

  #say(message: object): void {
    if (this.#link.kind === 'online') this.#link.transport.sendText(JSON.stringify(message));
  }

  #send({ text, frames }: ResultMessage): void {
    if (this.#link.kind !== 'online') return;
    const { transport } = this.#link;
    transport.sendText(text);
    for (const parts of frames) transport.sendBinary(parts);
  }

  #reject(code: number, reason: string): void {
    if (!('transport' in this.#link)) return;
    const { transport } = this.#link;
    this.#options.log(`the daemon broke the protocol: ${reason}`);
    this.#afterEnd(code, reason);
    transport.close(code, reason);
  }

  #afterEnd(code: number, reason: string): void {
    if (!('transport' in this.#link)) return;
    this.#link.heartbeat.stop();
    this.#link = { kind: 'down' };
    this.#options.log(`the link ended with ${code} ${reason}`.trim());
    if (FINAL_CODES.has(code)) this.#options.refused(`the link was closed with ${code}`);
    else this.#retryLater();
  }

  #failToConnect(error: unknown): void {
    if (this.#link.kind === 'closed') return;
    this.#link = { kind: 'down' };
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log(`cannot connect: ${reason}`);
    if (error instanceof UpgradeRefused && error.status === 401) this.#options.refused(reason);
    else this.#retryLater();
  }

  /** The first time at once; then with full jitter, so that nothing falls into step with the daemon's restarts. */
  #retryLater(): void {
    const ceilingMs = this.#failures === 0 ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    const random = this.#options.random ?? Math.random;
    this.#retry = setTimeout(() => this.#options.wantToken(), random() * ceilingMs);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
