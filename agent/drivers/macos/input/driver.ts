import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KeyChord } from '../../../../src/contract/key-chords.ts';
import type { Driver } from '../../driver.ts';
import { type Failure, objectionTo } from '../../hands/acting.ts';
import { type ClipboardDesk, createClipboardActions } from '../../hands/clipboard.ts';
import { describedDesk } from '../../hands/described-controls.ts';
import { createElementActions } from '../../hands/element-actions.ts';
import { createFindControl } from '../../hands/find-control.ts';
import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import { createOpenUrl } from '../../hands/open-url.ts';
import { createPointer } from '../../hands/pointer.ts';
import { type ChordKeys, createPressKeys } from '../../hands/press-keys.ts';
import { createTypeText } from '../../hands/type-text.ts';
import type { InputDriver } from '../../input.ts';
import { createWaitFor } from '../../looks/wait-for.ts';
import { withinDeadline } from '../../stopping.ts';
import type { Applications } from '../applications.ts';
import { ALLOW_OSASCRIPT, type RunProgram, runScript } from '../run-script.ts';
import { createMacActing, type MacActing, type MacHands, type MacInputNeeds } from './acting.ts';
import { askElements } from './ask-elements.ts';
import { createSights, elementDesk } from './element-actions.ts';
import type { InputEvent } from './events.ts';
import { readLayout } from './keyboard-layout.ts';
import { openUrlDesk } from './open-url.ts';
import { pointerDesk } from './pointer.ts';
import { SECURE } from './secure-input.ts';
import { findWay } from './type-text.ts';
import { chordEvents, isMissing, namedStroke, type Stroke, shortcutOf, strokeOf } from './virtual-keys.ts';
import { createWindowActions } from './window-desk.ts';

/** It travels as an argument of a program. */
const MOST_BYTES = 200_000;
const TIMEOUT_MS = 5_000;

const Held = Type.Union([
  Type.Object({ kind: Type.Literal('text'), text: Type.String(), changeCount: Type.Integer() }),
  Type.Object({ kind: Type.Enum(['empty', 'other', 'concealed']) }),
]);
const shape = Compile(Held);

const CONCEALED = {
  code: 'not_supported',
  message: 'The clipboard holds something that its app marks as secret, such as a password. Handrail does not read it.',
} as const;
/** Pointer, keyboard and windows of this Mac. A process that posts events starts with the first input. */
export function createMacInput(
  needs: MacInputNeeds & { applications: Applications; describeScreen: Driver['describeScreen'] },
): InputDriver {
  const { run } = needs;
  const acting = createMacActing(needs);
  const sights = createSights(run, needs.applications);
  return {
    ...sights,
    findControl: createFindControl(describedDesk(needs.describeScreen, sights.sight)),
    ...createPointer(acting, pointerDesk),
    pressKeys: createPressKeys(acting, createChordKeys(run)),
    typeText: createTypeText(acting, findWay(run)),
    ...createElementActions(acting, elementDesk(run)),
    ...createWindowActions(acting, needs),
    ...createClipboardActions(clipboardDesk(acting, run)),
    waitFor: createWaitFor(needs.describeScreen),
    settle: acting.settle,
    async page({ windowId }, attempt) {
      const answer = await askElements(run, { verb: 'page', windowId, signal: withinDeadline(attempt) });
      return answer.ok ? answer.page : '';
    },
    ...createOpenUrl(openUrlDesk(needs)),
    close: () => acting.close(),
  };
}

type Ask = (write: string | undefined, signal: AbortSignal) => Promise<Static<typeof Held> | Failure>;

function clipboardDesk(acting: MacActing, run: RunProgram): ClipboardDesk {
  const ask: Ask = async (write, signal) => {
    const request = { ...(write !== undefined && { write }) };
    const answer = await runScript(run, { script: 'clipboard', request, answer: shape, timeoutMs: TIMEOUT_MS, signal });
    if (signal.aborted) return stoppedInput(signal, write && 'The text may be in the clipboard.');
    if (answer.ok) return answer.data;
    return refused({ code: 'internal_error', message: answer.message, fix: ALLOW_OSASCRIPT });
  };
  return {
    mostBytes: MOST_BYTES,
    inTurn: (attempt, work) =>
      acting.onScreen(attempt, (signal) => {
        const objection = () => objectionTo(signal, attempt.lastLook);
        return work({ objection, read: () => read(ask, signal), write: (text) => write(ask, text, signal) });
      }),
  };
}

async function read(ask: Ask, signal: AbortSignal) {
  const held = await ask(undefined, signal);
  if ('code' in held) return held;
  if (held.kind === 'concealed') return refused(CONCEALED);
  return held.kind === 'text' ? held.text : held.kind === 'empty' ? '' : null;
}

async function write(ask: Ask, text: string, signal: AbortSignal) {
  const held = await ask(text, signal);
  return 'code' in held ? held : held.kind === 'text' && held.text === text;
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
