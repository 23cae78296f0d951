import { Compile } from 'typebox/compile';
import { AgentMessage, LINK_PROTOCOL, MAX_TEXT_FRAME_BYTES, RPC } from '../../contract/link.ts';

/** A text frame of the agent: a message of the protocol, or the fault that it has. */
export type Reading =
  | { ok: true; message: AgentMessage }
  | { ok: false; fault: Fault; rpcCode: number; reason: string; id: string | null };

export type Fault = 'oversize' | 'bad_json' | 'batch' | 'unknown_method' | 'invalid_params' | 'invalid_message';

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
