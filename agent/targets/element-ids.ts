import type { SightReference } from '../drivers/input.ts';
import { elementIdOf } from '../screen-text/refs.ts';

/** The reference as a driver takes it: an element by the id that its platform has for it. */
export function byItsId(reference: SightReference): SightReference {
  return reference.kind === 'element' ? { kind: 'element', elementId: elementIdOf(reference.elementId) } : reference;
}
