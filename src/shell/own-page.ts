import { Compile } from 'typebox/compile';
import { SHELL_CALLS, type ShellAnswer, type ShellRequest } from '../contract/shell.ts';
import type { ShellCallName } from '../contract/shell-calls.ts';

/** Whether an address is of our own page. `base` is the daemon's address, such as `http://127.0.0.1:3001/`. */
export function isOwnPage(address: string, base: string): boolean {
  return URL.canParse(address) && new URL(address).origin === new URL(base).origin;
}

/** Whether a page may go to an address. Before the daemon's address is known it may go nowhere. */
export function mayGoTo(address: string, base: string | undefined): boolean {
  return base !== undefined && isOwnPage(address, base);
}

/** Where a call to the shell came from. */
type Caller = {
  /** The address of the frame; undefined when the frame has gone. */
  address: string | undefined;
  /** A frame inside of a page is not the page. */
  isTop: boolean;
  isOurWindow: boolean;
};

/** Whether a call came from our page itself, in a window of ours. */
function isOwnCaller({ address, isTop, isOurWindow }: Caller, base: string): boolean {
  return isOurWindow && isTop && address !== undefined && isOwnPage(address, base);
}

/** A permission that a page asks electron for. `address`: of the frame that asks; undefined when it has gone. */
type PermissionAsk = { permission: string; address: string | undefined; isTop: boolean };

/** Our own page may write to the clipboard, as its button "Copy the key" does. Nothing else is granted, reading included. */
export function mayHave({ permission, address, isTop }: PermissionAsk, base: string | undefined): boolean {
  return permission === 'clipboard-sanitized-write' && isTop && address !== undefined && mayGoTo(address, base);
}

/** The function that answers each call of a page. */
export type ShellCalls = {
  [Name in ShellCallName]: (request: ShellRequest<Name>, contentsId: number) => Promise<ShellAnswer<Name>>;
};

type Options = {
  calls: ShellCalls;
  /** The daemon's address. */
  base: string;
  /** Another frame than our page has called. */
  refused(name: ShellCallName): void;
};

/**
 * The answer to one call of our own page. A call from any other frame, or of another shape, rejects and does nothing; one from another frame is
 * also reported.
 */
export function answerTo<Name extends ShellCallName>(name: Name, { calls, base, refused }: Options) {
  const request = Compile(SHELL_CALLS[name].request);
  const isRequest = (value: unknown): value is ShellRequest<Name> => request.Check(value);
  return async (caller: Caller & { contentsId: number }, value: unknown): Promise<ShellAnswer<Name>> => {
    if (!isOwnCaller(caller, base)) {
      refused(name);
      throw new Error(`${name} is for the page of Handrail only.`);
    }
    if (!isRequest(value)) throw new Error(`${name} was called with something that it does not take.`);
    return calls[name](value, caller.contentsId);
  };
}

/** So many crashes of the panel's page within this time are answered by a new page, and no more. */
export const MOST_RELOADS = 3;
const RELOADS_WITHIN_MS = 10 * 60_000;

export type PageCrashes = {
  /** Notes a crash. */
  crashed(): 'reload' | 'give up';
  /** Whether the panel is given up now. */
  isGivenUp(): boolean;
};

type PageCrashesOptions = { nowMs?: () => number };

/**
 * Says what becomes of the prompt panel when the process of its page has ended. `reload`: a new page takes its place. `give up`: the page
 * crashes again and again, so the prompt goes another way until the crashes are some time ago.
 */
export function createPageCrashes({ nowMs = () => performance.now() }: PageCrashesOptions = {}): PageCrashes {
  let crashes: number[] = [];
  const recent = () => crashes.filter((atMs) => nowMs() - atMs < RELOADS_WITHIN_MS);
  return {
    crashed() {
      // One more than the limit is enough to know that it was passed.
      crashes = [...recent(), nowMs()].slice(-(MOST_RELOADS + 1));
      return crashes.length > MOST_RELOADS ? 'give up' : 'reload';
    },
    isGivenUp: () => recent().length > MOST_RELOADS,
  };
}

/** The person's side of the daemon, as far as sessions need it. */
type SessionDoor<Session> = { openSession(publicKey?: string): Session; closeSession(key: string): void };

/**
 * The sessions of our windows, each under the id of the window's contents. A window has one session at a time: opening another one ends the
 * one before, and `close` ends it together with the window.
 */
export function createWindowSessions<Session extends { key: string }>(person: SessionDoor<Session>) {
  const keys = new Map<number, string>();
  const close = (contentsId: number): void => {
    const key = keys.get(contentsId);
    keys.delete(contentsId);
    if (key !== undefined) person.closeSession(key);
  };
  return {
    close,
    open(contentsId: number, publicKey?: string): Session {
      close(contentsId);
      const session = person.openSession(publicKey);
      keys.set(contentsId, session.key);
      return session;
    },
  };
}
