import { nearNames } from '../../../src/contract/near-names.ts';
import type { InputDriver } from '../input.ts';
import type { Acting, Failure, Refusal } from './acting.ts';
import { inputDone, refused } from './input-outcome.ts';

/** What an app itself does on one desktop, without pointer and keyboard. Each answers why it did not, if so. */
export type ElementDesk<Element> = {
  find(elementId: string): Promise<Element | Refusal>;
  /** Whether the element reads as it was set. */
  set(element: Element, value: string, signal: AbortSignal): Promise<boolean | Failure>;
  /** The first action without a name. */
  act(element: Element, action: string | undefined, signal: AbortSignal): Promise<Failure | undefined>;
  /** Finds the item by the names that were judged: one that was found before the last look may have another name since. */
  choose(item: { windowId: string; path: readonly string[] }, signal: AbortSignal): Promise<Failure | undefined>;
};

export function createElementActions<Own, Element extends object>(
  acting: Acting<Own>,
  desk: ElementDesk<Element>,
): Pick<InputDriver, 'setValue' | 'actOnElement' | 'invokeMenu'> {
  return {
    setValue: ({ elementId, value }, attempt) =>
      acting.act(attempt, async ({ signal, objection }) => {
        const element = await desk.find(elementId);
        if ('code' in element) return refused(element);
        const isConfirmed = (await objection()) ?? (await desk.set(element, value, signal));
        if (typeof isConfirmed === 'object') return isConfirmed;
        const details = isConfirmed ? 'The value was set.' : 'The value was set, and reads otherwise.';
        return inputDone(details, { isConfirmed, data: {}, safeToRepeat: true });
      }),
    actOnElement: ({ elementId, action }, attempt) =>
      acting.act(attempt, async (turn) => {
        const element = await desk.find(elementId);
        if ('code' in element) return refused(element);
        return acting.withEffect(turn, 'The element was acted on.', () => desk.act(element, action, turn.signal));
      }),
    invokeMenu: ({ windowId, path }, attempt) =>
      acting.act(attempt, async (turn) => {
        if (path.length === 0) return refused(NO_PATH);
        const choose = () => desk.choose({ windowId, path }, turn.signal);
        return acting.withEffect(turn, `Chose ${path.join(' › ')}.`, choose);
      }),
  };
}

/** A menu has no item with the last of these names. */
export function noItem(path: readonly string[], names: readonly string[]): Refusal {
  const near = nearNames(path.at(-1) ?? '', names);
  const way = path.join(' › ').slice(0, 200).toWellFormed();
  const message = `Expected an item of the menu, got ${JSON.stringify(way)}.`;
  return { code: 'target_gone', message, ...(near.length > 0 && { fix: `Near names: ${near.join(', ')}.` }) };
}

/** An element has no action of that name. */
export function noAction(wanted: string | undefined, names: readonly string[]): Failure {
  const known = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 5).join(', ')}`;
  const message = `Expected an action of the element, got ${JSON.stringify(wanted ?? 'its first')}; ${known}.`;
  return refused({ code: 'invalid_target', message });
}

const NO_PATH: Refusal = { code: 'invalid_target', message: 'Expected the name of a menu and of its item.' };
