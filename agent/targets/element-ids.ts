import { nameInId } from '../../src/contract/control-name.ts';
import type { InputDriver, InputFailed, SightReference } from '../drivers/input.ts';
import type { Attempt } from '../drivers/outcome.ts';
import { elementIdOf, foundBy, refsFor, wordsOf } from '../screen-text/refs.ts';

/** Looks at what a reference leads to, an element by the id that its platform has for it. What is gone is named. */
export async function sightBy(
  input: InputDriver,
  reference: SightReference,
  attempt: Attempt,
): ReturnType<InputDriver['sight']> {
  if (reference.kind !== 'element') return input.sight(reference, attempt);
  const { elementId } = reference;
  const name = nameInId(elementId);
  if (name !== undefined) {
    const control = await input.findControl(name, attempt);
    return control.ok ? { ok: true, data: control.data.seen } : control;
  }
  const refs = refsFor(attempt);
  const found = foundBy(elementId, refs);
  if (found !== undefined && found.kind !== 'element') return gone(wordsOf(elementId, found));
  const seen = await input.sight({ kind: 'element', elementId: elementIdOf(elementId, refs) }, attempt);
  if (seen.ok || found === undefined) return seen;
  return { ...seen, message: `${wordsOf(elementId, found)} was looked for. ${seen.message}` };
}

/** The id that the platform has for an element, by its `@ref`, its name, or that id. */
export async function platformIdOf(
  input: InputDriver,
  written: string,
  attempt: Attempt,
): Promise<{ ok: true; data: { elementId: string } } | InputFailed> {
  const name = nameInId(written);
  if (name !== undefined) return input.findControl(name, attempt);
  return { ok: true, data: { elementId: elementIdOf(written, refsFor(attempt)) } };
}

/** The answer where a reference leads to nothing any more. */
export function gone(message: string, fix = 'Describe the screen again.') {
  return { ok: false, code: 'target_gone', message, fix, sideEffect: 'none' } as const;
}
