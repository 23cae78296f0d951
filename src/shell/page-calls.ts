import { Compile } from 'typebox/compile';
import { SHELL_CALLS, type ShellAnswer, type ShellRequest } from '../contract/shell.ts';
import type { ShellCallName } from '../contract/shell-calls.ts';
import { type Caller, isOwnCaller } from './own-page.ts';

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
