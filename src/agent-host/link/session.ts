import { Compile } from 'typebox/compile';
import { createHeartbeat, type Heartbeat } from '../../contract/heartbeat.ts';
import {
  AgentMessage,
  type AgentStatusParams,
  type CancelReason,
  CLOSE,
  type DaemonMessage,
  type HelloParams,
  type HelloVerdict,
  LINK_PROTOCOL,
  MAX_TEXT_FRAME_BYTES,
  type PerformParams,
  RPC,
  requestIdOf,
} from '../../contract/link.ts';
import type { Transport } from '../../contract/transport.ts';
import type { AttemptKey, AttemptOutcome } from '../../services/agent/port.ts';
import {
  type AttemptResults,
  createAttemptResults,
  type OpenAttempts,
  readAttachmentFrame,
} from './attempt-results.ts';
import type { LinkLimits } from './limits.ts';

/** How a session ended: the connection went, or the agent broke the protocol and was shown the door. */
export type SessionEnd = { kind: 'cut' } | { kind: 'fault'; closeCode: number };

type SessionEvents = {
  hello(hello: HelloParams): HelloVerdict[];
  status(status: AgentStatusParams): void;
  accepted(key: AttemptKey): void;
  finished(key: AttemptKey, outcome: AttemptOutcome): void;
  violated(violation: { kind: string; detail: string }): void;
  /** Once, and the last event. */
  ended(end: SessionEnd): void;
};

/** One connection of an agent, from the first frame to the last. */
export type Session = {
  perform(params: PerformParams): void;
  cancel(key: AttemptKey, reason: CancelReason): void;
  acknowledge(key: AttemptKey): void;
  silentForMs(): number;
  /** Ends the session from the daemon's side without an event. */
  close(code: number, reason: string): void;
};

type Options = {
  transport: Transport;
  sessionId: string;
  open: OpenAttempts;
  limits: LinkLimits;
  now: () => number;
  events: SessionEvents;
};

type Phase = 'connected' | 'greeting' | 'online' | 'ended';

/** Close codes by which a WebSocket reports frames that broke its own rules. */
const BROKEN_FRAMES: ReadonlySet<number> = new Set([1002, CLOSE.unsupportedData, 1007, CLOSE.tooBig]);

/** A text frame of the agent: a message of the protocol, or the fault that it has. */
type Reading =
  | { ok: true; message: AgentMessage }
  | { ok: false; fault: Fault; rpcCode: number; reason: string; id: string | null };

type Fault = 'oversize' | 'bad_json' | 'batch' | 'unknown_method' | 'invalid_params' | 'invalid_message';

const METHODS: ReadonlySet<unknown> = new Set(['agent.hello', 'action.accepted', 'agent.status']);
const LONGEST_QUOTE = 64;

const agentMessage = Compile(AgentMessage);

/** A reason is journaled, so it holds no contents of the message but the method, cut short. */
export function readAgentMessage(text: string): Reading {
  if (isOversize(text)) {
    return refused('oversize', RPC.invalidRequest, `expected a text frame of at most ${MAX_TEXT_FRAME_BYTES} bytes`);
  }
  const value = parsed(text);
  if (value === undefined) return refused('bad_json', RPC.parseError, 'expected JSON, got something else');
  return agentMessage.Check(value) ? { ok: true, message: value } : { ...diagnosis(value), id: idOf(value) };
}

function isOversize(text: string): boolean {
  const couldBe = text.length * 3 > MAX_TEXT_FRAME_BYTES;
  return couldBe && Buffer.byteLength(text) > MAX_TEXT_FRAME_BYTES;
}

/** JSON has no `undefined`, so it stands for "not JSON" here. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function diagnosis(value: unknown) {
  if (Array.isArray(value)) return refused('batch', RPC.invalidRequest, 'expected one message, got a batch');
  const method = memberOf(value, 'method');
  if (method === undefined) {
    return refused(
      'invalid_message',
      RPC.invalidRequest,
      `expected a message of protocol ${LINK_PROTOCOL}, got another shape`,
    );
  }
  const name = JSON.stringify(method).slice(0, LONGEST_QUOTE);
  return METHODS.has(method)
    ? refused('invalid_params', RPC.invalidParams, `expected the parameters of ${name}, got others`)
    : refused('unknown_method', RPC.methodNotFound, `expected a method of protocol ${LINK_PROTOCOL}, got ${name}`);
}

function refused(fault: Fault, rpcCode: number, reason: string) {
  return { ok: false as const, fault, rpcCode, reason, id: null };
}

function idOf(value: unknown): string | null {
  const id = memberOf(value, 'id');
  return typeof id === 'string' && id.length <= 128 ? id : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const CLOSE_CODE_OF: Record<Exclude<Fault, 'unknown_method'>, number> = {
  oversize: CLOSE.tooBig,
  bad_json: CLOSE.protocolError,
  batch: CLOSE.protocolError,
  invalid_params: CLOSE.protocolError,
  invalid_message: CLOSE.protocolError,
};

export function createSession(options: Options): Session {
  return new LiveSession(options);
}

/** Counts the agent's messages that answer no request. Returns true once one second has more of them than the limit. */
type FloodGate = () => boolean;

const WINDOW_MS = 1_000;

export function createFloodGate({ perSecond, now }: { perSecond: number; now: () => number }): FloodGate {
  let windowStartMs = now();
  let count = 0;
  return () => {
    if (now() - windowStartMs >= WINDOW_MS) {
      windowStartMs = now();
      count = 0;
    }
    count += 1;
    return count > perSecond;
  };
}

class LiveSession implements Session {
  readonly #transport: Transport;
  readonly #sessionId: string;
  readonly #limits: LinkLimits;
  readonly #events: SessionEvents;
  readonly #isFlooded: FloodGate;
  readonly #results: AttemptResults;
  readonly #heartbeat: Heartbeat;
  readonly #helloTimer: NodeJS.Timeout;
  readonly #heldBack: DaemonMessage[] = [];
  #phase: Phase = 'connected';

  constructor({ transport, sessionId, open, limits, now, events }: Options) {
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#limits = limits;
    this.#events = events;
    this.#isFlooded = createFloodGate({ perSecond: limits.unaskedPerSecond, now });
    this.#results = createAttemptResults({
      open,
      now,
      attachmentMs: limits.attachmentMs,
      accepted: (key) => events.accepted(key),
      finished: (key, outcome) => events.finished(key, outcome),
      ignored: (kind, detail) => this.#ignore(kind, detail),
    });
    this.#heartbeat = createHeartbeat({ ...limits, now, beat: () => this.#beat(), dead: () => this.#die() });
    this.#helloTimer = setTimeout(() => this.#missHello(), limits.helloMs);
    transport.listen({
      text: (text) => this.#hearText(text),
      binary: (frame) => this.#hearFrame(frame),
      heartbeat: () => this.#hear(),
      closed: (code, reason) => this.#hearEnd(code, reason),
    });
  }

  perform(params: PerformParams): void {
    this.#say({ jsonrpc: '2.0', id: requestIdOf(params), method: 'action.perform', params });
  }

  cancel(key: AttemptKey, reason: CancelReason): void {
    this.#say({ jsonrpc: '2.0', method: 'action.cancel', params: { ...key, reason } });
  }

  acknowledge({ actionId, attempt }: AttemptKey): void {
    this.#say({ jsonrpc: '2.0', method: 'action.acknowledge', params: { actionId, attempt } });
  }

  silentForMs(): number {
    return this.#heartbeat.silentForMs();
  }

  close(code: number, reason: string): void {
    if (this.#phase === 'ended') return;
    this.#rest();
    this.#transport.close(code, reason);
  }

  /** Messages sent before the answer to the hello are held until that answer. */
  #say(message: DaemonMessage): void {
    if (this.#phase === 'online') this.#transport.sendText(JSON.stringify(message));
    else if (this.#phase === 'greeting') this.#heldBack.push(message);
  }

  #hearText(text: string): void {
    if (this.#phase === 'ended') return;
    this.#heartbeat.heard();
    const reading = readAgentMessage(text);
    if (!reading.ok) this.#refuse(reading);
    else if (this.#phase === 'online') this.#obey(reading.message);
    else this.#expectHello(reading.message);
  }

  #expectHello(message: AgentMessage): void {
    if ('method' in message && message.method === 'agent.hello') this.#greet(message.id, message.params);
    else this.#fault(CLOSE.unauthorized, 'no_hello', 'expected agent.hello as the first message, got another');
  }

  #greet(id: string, hello: HelloParams): void {
    clearTimeout(this.#helloTimer);
    if (hello.protocol !== LINK_PROTOCOL) {
      this.#refuseVersion(id, hello.protocol);
      return;
    }
    this.#phase = 'greeting';
    const verdicts = this.#events.hello(hello);
    const result = {
      protocol: LINK_PROTOCOL,
      sessionId: this.#sessionId,
      heartbeatMs: this.#limits.heartbeatMs,
      maxFrameBytes: MAX_TEXT_FRAME_BYTES,
      verdicts,
    };
    if (this.#phase !== 'greeting') return;
    this.#phase = 'online';
    this.#say({ jsonrpc: '2.0', id, result });
    for (const message of this.#heldBack.splice(0)) this.#say(message);
  }

  #refuseVersion(id: string, protocol: number): void {
    const reason = `expected protocol ${LINK_PROTOCOL}, got ${protocol}`;
    this.#answerError(id, { code: RPC.invalidParams, message: reason, data: { supported: [LINK_PROTOCOL] } });
    this.#fault(CLOSE.unsupportedVersion, 'unsupported_protocol', reason);
  }

  #obey(message: AgentMessage): void {
    if ('result' in message) this.#results.result(message.id, message.result);
    else if ('error' in message) this.#results.failure(message.id, message.error);
    else this.#obeyMethod(message);
  }

  #obeyMethod(message: Extract<AgentMessage, { method: string }>): void {
    switch (message.method) {
      case 'action.accepted':
        this.#results.accepted(message.params);
        break;
      case 'agent.status':
        if (this.#countUnasked()) this.#events.status(message.params);
        break;
      case 'agent.hello':
        this.#fault(CLOSE.protocolError, 'second_hello', 'expected one agent.hello, got another');
    }
  }

  #hearFrame(frame: Uint8Array): void {
    if (this.#phase === 'ended') return;
    this.#heartbeat.heard();
    if (this.#phase !== 'online') {
      this.#fault(CLOSE.unauthorized, 'no_hello', 'expected agent.hello as the first message, got a binary frame');
      return;
    }
    const attachment = readAttachmentFrame(frame);
    if (attachment === null) {
      this.#fault(CLOSE.unsupportedData, 'bad_frame', 'expected a binary frame with a header, got another');
    } else {
      this.#results.attachment(attachment.id, attachment.bytes);
    }
  }

  #refuse({ fault, rpcCode, reason, id }: Extract<Reading, { ok: false }>): void {
    if (fault !== 'unknown_method') {
      this.#answerError(id, { code: rpcCode, message: reason });
      this.#fault(CLOSE_CODE_OF[fault], fault, reason);
    } else if (this.#phase !== 'online') {
      this.#fault(CLOSE.unauthorized, 'no_hello', 'expected agent.hello as the first message, got another');
    } else {
      this.#ignore(fault, reason);
      if (id !== null) this.#answerError(id, { code: rpcCode, message: reason });
    }
  }

  #answerError(id: string | null, error: { code: number; message: string; data?: unknown }): void {
    if (this.#phase === 'ended') return;
    const refusal: DaemonMessage = { jsonrpc: '2.0', id, error };
    this.#transport.sendText(JSON.stringify(refusal));
  }

  #ignore(kind: string, detail: string): void {
    if (this.#countUnasked()) this.#events.violated({ kind, detail });
  }

  /** False when that was one too many, and the session is over. */
  #countUnasked(): boolean {
    if (!this.#isFlooded()) return true;
    const limit = `${this.#limits.unaskedPerSecond} messages a second that nothing asked for`;
    this.#fault(CLOSE.flood, 'flood', `expected at most ${limit}, got more`);
    return false;
  }

  #hear(): void {
    if (this.#phase === 'ended') return;
    this.#heartbeat.heard();
    this.#countUnasked();
  }

  #hearEnd(code: number, reason: string): void {
    if (this.#phase === 'ended') return;
    this.#rest();
    const isFault = BROKEN_FRAMES.has(code);
    if (isFault) this.#events.violated({ kind: 'bad_frame', detail: `the link ended with ${code} ${reason}`.trim() });
    this.#events.ended(isFault ? { kind: 'fault', closeCode: code } : { kind: 'cut' });
  }

  #missHello(): void {
    this.#fault(CLOSE.timeout, 'no_hello', `expected agent.hello within ${this.#limits.helloMs} ms, got none`);
  }

  #beat(): void {
    this.#transport.ping();
    this.#results.rejectOverdue();
  }

  #die(): void {
    this.#rest();
    this.#transport.close(CLOSE.timeout, 'no sign of life');
    this.#events.ended({ kind: 'cut' });
  }

  #fault(closeCode: number, kind: string, detail: string): void {
    this.#rest();
    this.#transport.close(closeCode, detail);
    this.#events.violated({ kind, detail });
    this.#events.ended({ kind: 'fault', closeCode });
  }

  #rest(): void {
    this.#phase = 'ended';
    clearTimeout(this.#helloTimer);
    this.#heartbeat.stop();
  }
}
