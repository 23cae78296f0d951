import { nearNames } from '../../../../src/contract/near-names.ts';
import type { ResolvedApp } from '../../../../src/contract/screen.ts';
import { ELEMENT_GONE, inputDone, noAction, refused } from '../../hands/input-outcome.ts';
import type { InputDriver, InputFailed, Sighting, SightReference } from '../../input.ts';
import { withinDeadline } from '../../stopping.ts';
import { type Applications, runningApp } from '../applications.ts';
import { ariaRoleOf } from '../roles.ts';
import type { RunProgram } from '../run-script.ts';
import type { MacActing } from './acting.ts';
import { askElements, type ElementsFault, failureOf, type MacSight } from './ask-elements.ts';
import { elementId, refOfElement } from './element-id.ts';

type Elements = Pick<InputDriver, 'sight' | 'focusDocuments' | 'setValue' | 'actOnElement' | 'invokeMenu'>;

/** Actions that the app itself performs, without pointer and keyboard. */
export function createElementActions(
  acting: MacActing,
  { run, applications }: { run: RunProgram; applications: Applications },
): Elements {
  return {
    async sight(reference, attempt) {
      const signal = withinDeadline(attempt);
      const wish = wishOf(reference);
      if (wish === null) return refused(ELEMENT_GONE);
      const answer = await askElements(run, { verb: 'sight', ...wish, signal });
      if (!answer.ok) return failureOf(answer, { signal, isChange: false });
      const app = await runningApp(answer.app, applications, signal);
      return { ok: true, data: sightingOf(answer, app) };
    },
    async focusDocuments(attempt) {
      const signal = withinDeadline(attempt);
      const answer = await askElements(run, { verb: 'sight', signal });
      return answer.ok ? { ok: true, data: answer.documents } : failureOf(answer, { signal, isChange: false });
    },
    setValue: ({ elementId: id, value }, attempt) =>
      acting.act(attempt, async ({ signal, objection }) => {
        const element = refOfElement(id);
        const changed = element === null ? undefined : await objection();
        if (element === null || changed !== undefined) return changed ?? refused(ELEMENT_GONE);
        const answer = await askElements(run, { verb: 'set', element, value, signal });
        if (!answer.ok) return failureOf(answer, { signal, isChange: true });
        const { isConfirmed } = answer;
        const details = isConfirmed ? 'The value was set.' : 'The value was set, and reads otherwise.';
        return inputDone(details, { isConfirmed, data: {}, safeToRepeat: true });
      }),
    actOnElement: ({ elementId: id, action }, attempt) =>
      acting.act(attempt, async (turn) => {
        const { signal } = turn;
        const element = refOfElement(id);
        if (element === null) return refused(ELEMENT_GONE);
        return acting.withEffect(turn, 'The element was acted on.', async () => {
          const wish = { element, action };
          const answer = await askElements(run, { verb: 'act', ...wish, signal });
          if (answer.ok) return undefined;
          return answer.fault === 'no_action'
            ? noAction(action, answer.names ?? [])
            : failureOf(answer, { signal, isChange: true });
        });
      }),
    invokeMenu: ({ windowId, path }, attempt) =>
      acting.act(attempt, async (turn) =>
        acting.withEffect(turn, `Chose ${path.join(' › ')}.`, () =>
          choose(run, { windowId, path, signal: turn.signal }),
        ),
      ),
  };
}

async function choose(
  run: RunProgram,
  { windowId, path, signal }: { windowId: string; path: readonly string[]; signal: AbortSignal },
) {
  if (path.length === 0) return refused(NO_PATH);
  const answer = await askElements(run, { verb: 'menu', windowId, path, signal });
  if (answer.ok) return undefined;
  if (answer.fault === 'no_item') return refused(noItem(path, answer));
  return failureOf(answer, { signal, isChange: true });
}

/** `null` for an id that no description has. */
function wishOf(reference: SightReference) {
  if (reference.kind === 'focus') return {};
  if (reference.kind === 'point') return { point: reference.point };
  const element = refOfElement(reference.elementId);
  return element === null ? null : { element };
}

function sightingOf({ app: _told, element, ...seen }: MacSight, app: ResolvedApp): Sighting {
  if (element === null) return { ...seen, app, element };
  const { ref, role, subrole, ...facts } = element;
  const id = ref === null ? '' : elementId(ref);
  return { ...seen, app, element: { elementId: id, role: ariaRoleOf({ role, subrole }), ...facts } };
}

type Refusal = Omit<InputFailed, 'ok' | 'sideEffect'>;

function noItem(path: readonly string[], { names = [], depth = 0 }: ElementsFault): Refusal {
  const near = nearNames(path[depth] ?? '', names);
  const way = path
    .slice(0, depth + 1)
    .join(' › ')
    .slice(0, 200)
    .toWellFormed();
  return {
    code: 'target_gone',
    message: `Expected an item of the menu, got ${JSON.stringify(way)}.`,
    ...(near.length > 0 && { fix: `Near names: ${near.join(', ')}.` }),
  };
}

const NO_PATH: Refusal = { code: 'invalid_target', message: 'Expected the name of a menu and of its item.' };
