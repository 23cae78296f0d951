import { randomUUID } from 'node:crypto';

/** The name that an MCP client gives itself. Nothing proves it. */
export type ClientClaim = { name: string };

/** Longer names are cut. With the prefix, an id made of one fits the pattern of user ids. */
const MOST_CHARACTERS = 100;
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const SESSION = /^[0-9a-f-]{36}\.([A-Za-z0-9_-]{1,600})$/;

/**
 * The claim of a message: in each one since protocol 2026-07-28, in `initialize` before. A client of the protocol of 2025 sends its
 * claim once, and later the session id, which holds the claim. So the daemon keeps nothing for a session, and a session survives a
 * restart.
 */
export function claimOf(message: unknown, sessionId: string | undefined): ClientClaim | undefined {
  const params = member(message, 'params');
  const info = member(member(params, '_meta'), CLIENT_INFO) ?? member(params, 'clientInfo');
  return claimNamed(member(info, 'name')) ?? (sessionId === undefined ? undefined : claimInSession(sessionId));
}

/** A fresh session id that holds the claim. */
export function sessionIdFor({ name }: ClientClaim): string {
  return `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** The user id of a client that names none: its name, with a dash for each run of characters that a user id may not have. */
export function userIdFor(claim: ClientClaim | undefined): string {
  const name = (claim?.name ?? '').replaceAll(/[^A-Za-z0-9._@:+-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return `mcp:${name === '' ? 'unnamed' : name}`;
}

export function isInitialize(message: unknown): boolean {
  return member(message, 'method') === 'initialize';
}

/** A member of a value that may be anything. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function claimInSession(sessionId: string): ClientClaim | undefined {
  const [, encoded] = SESSION.exec(sessionId) ?? [];
  return encoded === undefined ? undefined : claimNamed(Buffer.from(encoded, 'base64url').toString());
}

function claimNamed(name: unknown): ClientClaim | undefined {
  if (typeof name !== 'string' || name.slice(0, 2 * MOST_CHARACTERS).trim() === '') return undefined;
  // A character takes at most two places in a string, and a name may be as long as a body.
  const beginning = name.slice(0, 2 * MOST_CHARACTERS).toWellFormed();
  return { name: [...beginning].slice(0, MOST_CHARACTERS).join('') };
}

/** Says that the program which started this one is the client. The daemon believes it of Handrail's own program alone. */
export const STDIO_HEADER = 'x-handrail-stdio';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/**
 * The headers that repeat parts of a message: since protocol 2026-07-28 each message names its version, and its method and the name of its
 * tool or resource stand beside it. A client of 2025 agreed on a version once.
 */
export function protocolHeaders(message: unknown, agreed: string | undefined): Record<string, string> {
  const params = member(message, 'params');
  const version = member(member(params, '_meta'), VERSION);
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'mcp-protocol-version': agreed };
  const [method, named] = [member(message, 'method'), member(params, 'name') ?? member(params, 'uri')];
  return {
    'mcp-protocol-version': headerText(version),
    ...(typeof method === 'string' && { 'mcp-method': headerText(method) }),
    ...(typeof named === 'string' && { 'mcp-name': headerText(named) }),
  };
}

/** A header holds visible ASCII; other texts are sent in the form that the protocol gives for them. */
function headerText(text: string): string {
  return /^[!-~]+(?: [!-~]+)*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
