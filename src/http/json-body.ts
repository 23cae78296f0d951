import { isUtf8 } from 'node:buffer';
import { placeOfFault } from './json-fault.ts';
import { excessIn } from './json-members.ts';
import { type HttpRefusal, RefusedError, refuse } from './refuse.ts';

export const MAX_DEPTH = 64;

const TOO_DEEP = `more than ${MAX_DEPTH} levels`;

/** The largest graph of a task, 100 steps of which each depends on all before it, has about 6,000. */
export const MAX_MEMBERS = 10_000;

/**
 * Parses a request body. Refuses text that is not JSON, bytes that are not UTF-8, keys that aim at prototypes, and deep nesting.
 * Half of a surrogate pair is refused, too: it has no canonical form, so it has no digest.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('bytes that are not UTF-8');
  if (body.length > 2 * MAX_MEMBERS) refuseExcess(body);
  const value = parsed(withoutByteOrderMark(body.toString()));
  const complaint = complaintAbout(value, 0);
  if (complaint !== undefined) throw notJson(complaint);
  return value;
}

/** A body with too many members has more than two bytes for each, so shorter ones need not be looked at. */
function refuseExcess(body: Buffer): void {
  const excess = excessIn(body, { members: MAX_MEMBERS, levels: MAX_DEPTH });
  if (excess === 'levels') throw notJson(TOO_DEEP);
  if (excess === 'members') throw new RefusedError(tooManyMembers);
}

const tooManyMembers = refuse(
  'payload_too_large',
  `A body may have ${MAX_MEMBERS} members: names in objects and items in arrays, counted together. This one has more. Send less at once.`,
  { facts: { maxMembers: MAX_MEMBERS } },
);

function notJson(what: string): RefusedError {
  return new RefusedError(refusal(what));
}

function refusal(what: string): HttpRefusal {
  return refuse('invalid_json', `The body must be JSON in UTF-8; this one has ${what}.`);
}

/** Some editors and languages begin every text with one. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw notJson(text === '' ? 'nothing in it' : `a syntax error at ${placeOfFault(text, error)}`);
    throw error;
  }
}

function complaintAbout(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'half of a surrogate pair';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  for (const [key, member] of Object.entries(value)) {
    const complaint = keyComplaint(key, member) ?? complaintAbout(member, depth + 1);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function keyComplaint(key: string, member: unknown): string | undefined {
  if (!key.isWellFormed()) return 'half of a surrogate pair';
  const aimsAtPrototype = key === '__proto__' || (key === 'constructor' && hasPrototypeKey(member));
  return aimsAtPrototype ? 'a key that aims at a prototype' : undefined;
}

function hasPrototypeKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
