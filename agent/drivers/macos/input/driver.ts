import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KeyChord } from '../../../../src/contract/key-chords.ts';
import type { Driver } from '../../driver.ts';
import { objectionTo } from '../../hands/acting.ts';
import { describedDesk } from '../../hands/described-controls.ts';
import { createFindControl } from '../../hands/find-control.ts';
import { inputDone, refused, stoppedInput } from '../../hands/input-outcome.ts';
import { createOpenUrl } from '../../hands/open-url.ts';
import { createPointer } from '../../hands/pointer.ts';
import { type ChordKeys, createPressKeys } from '../../hands/press-keys.ts';
import type { InputDriver } from '../../input.ts';
import { createWaitFor } from '../../looks/wait-for.ts';
import { withinDeadline } from '../../stopping.ts';
import type { Applications } from '../applications.ts';
import { openerOf } from '../opener.ts';
import { type RunProgram, runScript } from '../run-script.ts';
import { ALLOW_OSASCRIPT, createMacActing, type MacHands, type MacInputNeeds } from './acting.ts';
import { askElements } from './ask-elements.ts';
import { createElementActions } from './element-actions.ts';
import type { InputEvent } from './events.ts';
import { readLayout } from './keyboard-layout.ts';
import { openUrlDesk } from './open-url.ts';
import { pointerDesk } from './pointer.ts';
import { SECURE } from './secure-input.ts';
import { typeText } from './type-text.ts';
import { chordEvents, isMissing, namedStroke, type Stroke, shortcutOf, strokeOf } from './virtual-keys.ts';
import { createWindowActions } from './window-desk.ts';

/** It travels as an argument of a program. */
const MOST_BYTES = 200_000;
const TIMEOUT_MS = 5_000;

const shape = Compile(
  Type.Union([
    Type.Object({ kind: Type.Literal('text'), text: Type.String(), changeCount: Type.Integer() }),
    Type.Object({ kind: Type.Enum(['empty', 'other', 'concealed']) }),
  ]),
);

const NO_TEXT = { code: 'not_supported', message: 'The clipboard holds no text.' } as const;
const CONCEALED = {
  code: 'not_supported',
  message: 'The clipboard holds something that its app marks as secret, such as a password. Handrail does not read it.',
} as const;
const TOO_LONG = {
  code: 'too_large',
  message: `Expected a text of at most ${MOST_BYTES} bytes for the clipboard.`,
} as const;

/** Pointer, keyboard and windows of this Mac. A process that posts events starts with the first input. */
export function createMacInput(
  needs: MacInputNeeds & { applications: Applications; describeScreen: Driver['describeScreen'] },
): InputDriver {
  const { run } = needs;
  const acting = createMacActing(needs);
  const actions = createElementActions(acting, needs);
  return {
    ...actions,
    findControl: createFindControl(describedDesk(needs.describeScreen, actions.sight)),
    ...createPointer(acting, pointerDesk),
    pressKeys: createPressKeys(acting, createChordKeys(run)),
    typeText: (wish, attempt) => acting.act(attempt, (turn) => typeText(run, wish, turn)),
    ...createWindowActions(acting, needs),
    ...createClipboard(run),
    waitFor: createWaitFor(needs.describeScreen),
    settle: acting.settle,
    async page({ windowId }, attempt) {
      const answer = await askElements(run, { verb: 'page', windowId, signal: withinDeadline(attempt) });
      return answer.ok ? answer.page : '';
    },
    async opener({ scheme }, attempt) {
      const opener = await openerOf(scheme, { ...needs, signal: withinDeadline(attempt) });
      return opener?.app ?? null;
    },
    openUrl: createOpenUrl(openUrlDesk(needs)),
    close: () => acting.close(),
  };
}

function createClipboard(run: RunProgram): Pick<InputDriver, 'readClipboard' | 'writeClipboard'> {
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

function createChordKeys(run: RunProgram): ChordKeys<InputEvent, MacHands> {
  return async (chord, turn) => {
    if (turn.isSecure) return SECURE;
    const stroke = await strokeFor(run, chord, turn.signal);
    if (stroke === undefined) return undefined;
    const [press, release] = chordEvents(chord.modifiers, stroke);
    return { press, release };
  };
}

/** A character alone is typed, so that no other one may take its place. */
async function strokeFor(
  run: RunProgram,
  { key, modifiers }: KeyChord,
  signal: AbortSignal,
): Promise<Stroke | undefined> {
  const named = namedStroke(key);
  if (named !== undefined || isMissing(key)) return named;
  const layout = await readLayout(run, signal);
  const find = modifiers.some((modifier) => modifier !== 'shift') ? shortcutOf : strokeOf;
  return layout.ok ? find(key, layout.data) : undefined;
}
