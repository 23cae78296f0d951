import type { InputDriver, InputOutcome } from '../input.ts';
import type { Attempt } from '../outcome.ts';
import type { Failure } from './acting.ts';
import { inputDone, refused, told } from './input-outcome.ts';

/** The clipboard of one desktop, for one input. */
export type OpenClipboard = {
  objection(): Promise<Failure | undefined>;
  /** `null` where it holds something that is no text. */
  read(): Promise<string | null | Failure>;
  /** Whether it reads as it was written. */
  write(text: string): Promise<boolean | Failure>;
};

export type ClipboardDesk = {
  mostBytes: number;
  /** Opens it when no other input runs. */
  inTurn<Data>(
    attempt: Attempt,
    work: (clipboard: OpenClipboard) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>>;
};

export function createClipboardActions({
  mostBytes,
  inTurn,
}: ClipboardDesk): Pick<InputDriver, 'readClipboard' | 'writeClipboard'> {
  const message = `Expected a text of at most ${mostBytes} bytes for the clipboard.`;
  return {
    readClipboard: (attempt) =>
      inTurn(attempt, async ({ read }): Promise<InputOutcome<{ text: string }>> => {
        const text = await read();
        if (text === null) return refused({ code: 'not_supported', message: 'The clipboard holds no text.' });
        return typeof text === 'string' ? told('The clipboard was read.', { text }) : text;
      }),
    async writeClipboard({ text }, attempt) {
      if (Buffer.byteLength(text) > mostBytes) return refused({ code: 'too_large', message });
      return inTurn(attempt, async ({ objection, write }) => {
        const isConfirmed = (await objection()) ?? (await write(text));
        if (typeof isConfirmed === 'object') return isConfirmed;
        return inputDone('The text is in the clipboard.', { isConfirmed, data: {}, safeToRepeat: true });
      });
    },
  };
}
