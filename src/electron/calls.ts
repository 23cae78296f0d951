import { channelOf, SHELL_CALL_NAMES, type ShellCallName } from '../contract/shell-calls.ts';
import { answerTo, type ShellCalls } from '../shell/page-calls.ts';
import type { ShellIpc } from './surface.ts';

type Options = {
  ipcMain: ShellIpc;
  calls: ShellCalls;
  base: string;
  owns(contentsId: number): boolean;
  /** Another frame than our page has called. */
  refused(name: ShellCallName): void;
};

/** Gives each call of our own page a channel. */
export function answerCalls({ ipcMain, owns, ...rules }: Options): void {
  for (const name of SHELL_CALL_NAMES) {
    const answer = answerTo(name, rules);
    ipcMain.handle(channelOf(name), async ({ sender, senderFrame }, value) => {
      const frame = { address: senderFrame?.url, isTop: senderFrame?.parent === null };
      return answer({ ...frame, isOurWindow: owns(sender.id), contentsId: sender.id }, value);
    });
  }
}
