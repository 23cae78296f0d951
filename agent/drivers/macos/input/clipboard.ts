import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { InputDriver } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import { type RunProgram, runScript } from '../run-script.ts';
import { ALLOW_OSASCRIPT, objectionTo } from './acting.ts';

/** It travels as an argument of a program. */
const MOST_BYTES = 200_000;
const TIMEOUT_MS = 5_000;

const shape = Compile(
  Type.Union([
    Type.Object({ kind: Type.Literal('text'), text: Type.String(), changeCount: Type.Integer() }),
    Type.Object({ kind: Type.Enum(['empty', 'other', 'concealed']) }),
  ]),
);

export function createClipboard(run: RunProgram): Pick<InputDriver, 'readClipboard' | 'writeClipboard'> {
  const ask = (request: { write?: string }, signal: AbortSignal) =>
    runScript(run, { script: 'clipboard', request, answer: shape, timeoutMs: TIMEOUT_MS, signal });
  return {
    async readClipboard(attempt) {
      const signal = withinDeadline(attempt);
      const answer = await ask({}, signal);
      if (signal.aborted) return stoppedInput(signal);
      if (!answer.ok) return refused({ code: 'internal_error', message: answer.message, fix: ALLOW_OSASCRIPT });
      const { data } = answer;
      if (data.kind === 'concealed') return refused(CONCEALED);
      if (data.kind === 'other') return refused(NO_TEXT);
      const text = data.kind === 'text' ? data.text : '';
      const done = { details: 'The clipboard was read.', effect: 'none', data: { text } } as const;
      return { ok: true, ...done, delivered: 'yes', safeToRepeat: true };
    },
    async writeClipboard({ text }, attempt) {
      if (Buffer.byteLength(text) > MOST_BYTES) return refused(TOO_LONG);
      const signal = withinDeadline(attempt);
      const objection = await objectionTo(signal, attempt.lastLook);
      if (objection !== undefined) return objection;
      const answer = await ask({ write: text }, signal);
      if (signal.aborted) return stoppedInput(signal, 'The text may be in the clipboard.');
      if (!answer.ok) return refused({ code: 'internal_error', message: answer.message, fix: ALLOW_OSASCRIPT });
      const isConfirmed = answer.data.kind === 'text' && answer.data.text === text;
      return inputDone('The text is in the clipboard.', { isConfirmed, data: {}, safeToRepeat: true });
    },
  };
}

const NO_TEXT = { code: 'not_supported', message: 'The clipboard holds no text.' } as const;
const CONCEALED = {
  code: 'not_supported',
  message: 'The clipboard holds something that its app marks as secret, such as a password. Handrail does not read it.',
} as const;
const TOO_LONG = {
  code: 'too_large',
  message: `Expected a text of at most ${MOST_BYTES} bytes for the clipboard.`,
} as const;
