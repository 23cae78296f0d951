import { Compile } from 'typebox/compile';
import { SHELL_CALLS, type ShellAnswer, type ShellRequest } from '../contract/shell.ts';
import { channelOf, SHELL_CALL_NAMES, type ShellCallName } from '../contract/shell-calls.ts';
import { isOwnCaller } from '../shell/own-page.ts';
import type { ShellCallEvent, ShellIpc } from './surface.ts';

/** The function that answers each call of a page. */
export type ShellCalls = {
  [Name in ShellCallName]: (
    request: ShellRequest<Name>,
    contentsId: number,
  ) => ShellAnswer<Name> | Promise<ShellAnswer<Name>>;
};

type Options = {
  ipcMain: ShellIpc;
  calls: ShellCalls;
  base: string;
  owns(contentsId: number): boolean;
  /** Another frame than our page has called. */
  refused(name: ShellCallName): void;
};

/** Answers the calls of our own page. A call from any other frame, or of another shape, rejects and does nothing. */
export function answerCalls(options: Options): void {
  for (const name of SHELL_CALL_NAMES) answerCall(name, options);
}

function answerCall<Name extends ShellCallName>(name: Name, { ipcMain, calls, ...door }: Options): void {
  const request = Compile(SHELL_CALLS[name].request);
  const isRequest = (value: unknown): value is ShellRequest<Name> => request.Check(value);
  ipcMain.handle(channelOf(name), async (event, value) => {
    if (!isOwn(event, door)) {
      door.refused(name);
      throw new Error(`${name} is for the page of Handrail only.`);
    }
    if (!isRequest(value)) throw new Error(`${name} was called with something that it does not take.`);
    return calls[name](value, event.sender.id);
  });
}

function isOwn({ sender, senderFrame }: ShellCallEvent, { base, owns }: Pick<Options, 'base' | 'owns'>): boolean {
  const caller = { address: senderFrame?.url, isTop: senderFrame?.parent === null, isOurWindow: owns(sender.id) };
  return isOwnCaller(caller, base);
}
