import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type RunProgram, runScript, type ScriptAnswer } from '../run-script.ts';

const KeyboardLayout = Type.Object({
  /** False while an input method composes what is typed. */
  isLayout: Type.Boolean(),
  keys: Type.Array(Type.Object({ code: Type.Integer(), plain: Type.String(), shifted: Type.String() })),
});
export type KeyboardLayout = Static<typeof KeyboardLayout>;

const shape = Compile(KeyboardLayout);
/** The main block of the keyboard; further codes are of the number block and of keys without a character. */
const KEYS = 51;
const TIMEOUT_MS = 5_000;

/** The characters on the keys as they are switched on now. */
export function readLayout(run: RunProgram, signal: AbortSignal): Promise<ScriptAnswer<KeyboardLayout>> {
  return runScript(run, {
    script: 'keyboard-layout',
    request: { keys: KEYS },
    answer: shape,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}
