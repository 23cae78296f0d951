import type { InputDriver, InputFailed } from '../../input.ts';
import { inputDone, refused } from '../../input-outcome.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleObject, accessibleObject, refOfElement } from './accessible-object.ts';
import type { Acting } from './acting.ts';
import { menuItem } from './menu.ts';
import type { SightNeeds } from './sight.ts';
import { readsBack } from './typing.ts';

type Elements = Pick<InputDriver, 'setValue' | 'actOnElement' | 'invokeMenu'>;

/** Actions that the app itself performs, without pointer and keyboard. */
export function createElementActions(acting: Acting, needs: SightNeeds): Elements {
  return {
    setValue: ({ elementId, value }, attempt) =>
      acting.act(attempt, async ({ signal, objection }) => {
        const found = await objectOf(needs, elementId);
        if ('code' in found) return refused(found);
        const { object, node } = found;
        if (node.isPassword) return refused(PASSWORD);
        const changed = await objection();
        if (changed !== undefined) return changed;
        const isConfirmed = await setValue(object, node, { value, signal });
        if (isConfirmed === undefined) return refused(NO_VALUE);
        const details = isConfirmed ? 'The value was set.' : 'The value was set, and reads otherwise.';
        return inputDone(details, { isConfirmed, data: {}, safeToRepeat: true });
      }),
    actOnElement: ({ elementId, action }, attempt) =>
      acting.act(attempt, async (turn) => {
        const found = await objectOf(needs, elementId);
        if ('code' in found) return refused(found);
        const actions = (await found.object.actions()).map((name) => name.toLowerCase());
        const index = action === undefined ? 0 : actions.indexOf(action.toLowerCase());
        if (index < 0 || index >= actions.length) return refused(noAction(action, actions));
        return acting.withEffect(turn, 'The element was acted on.', async () => {
          return (await found.object.act(index)) ? undefined : refused(NOT_DONE);
        });
      }),
    invokeMenu: ({ windowId, path }, attempt) =>
      acting.act(attempt, async (turn) => {
        return acting.withEffect(turn, `Chose ${path.join(' › ')}.`, async () => {
          // Found by the names that were judged, and only now: one that was found before the last look may have another name since.
          const item = await menuItem(needs, { windowId, path });
          if ('code' in item) return refused(item);
          return (await accessibleObject(needs.bus, item.ref).act(0)) ? undefined : refused(NOT_DONE);
        });
      }),
  };
}

type Refusal = Omit<InputFailed, 'ok' | 'sideEffect'>;

async function objectOf(
  { bus }: SightNeeds,
  elementId: string,
): Promise<{ object: AccessibleObject; node: AccessibleNode } | Refusal> {
  const ref = refOfElement(elementId);
  const object = ref === null ? null : accessibleObject(bus, ref);
  const node = (await object?.node()) ?? null;
  if (object === null || node === null) return GONE;
  return node.states.enabled ? { object, node } : DISABLED;
}

/** `undefined` where the element has no value that can be set. */
async function setValue(
  object: AccessibleObject,
  { interfaces, states }: AccessibleNode,
  { value, signal }: { value: string; signal: AbortSignal },
): Promise<boolean | undefined> {
  if (interfaces.has('EditableText') && states.editable)
    return (await object.setText(value)) && readsBack(object, value, signal);
  const number = Number(value);
  if (!interfaces.has('Value') || value.trim() === '' || !Number.isFinite(number)) return undefined;
  await object.setNumber(number);
  return (await object.number()) === number;
}

function noAction(wanted: string | undefined, actions: readonly string[]): Refusal {
  const known = actions.length === 0 ? 'it has none' : `it has ${actions.slice(0, 5).join(', ')}`;
  return {
    code: 'invalid_target',
    message: `Expected an action of the element, got ${JSON.stringify(wanted ?? 'its first')}; ${known}.`,
  };
}

const GONE: Refusal = {
  code: 'target_gone',
  message: 'Expected the id of an element on the screen; it is gone.',
  fix: 'Describe the screen again.',
};
const DISABLED: Refusal = { code: 'invalid_target', message: 'Expected an element that is enabled; this one is not.' };
const NO_VALUE: Refusal = {
  code: 'not_supported',
  message: 'Expected an element whose text or number can be set, and a value of that kind.',
};
const PASSWORD: Refusal = {
  code: 'invalid_target',
  message: 'The element is a password field. Handrail types no passwords.',
};
const NOT_DONE: Refusal = { code: 'not_supported', message: 'The app refused to do that.' };
