import type { ResolvedApp } from '../../../../src/contract/screen.ts';
import { type ElementDesk, noAction, noItem } from '../../hands/element-actions.ts';
import { ELEMENT_GONE, refused } from '../../hands/input-outcome.ts';
import type { InputDriver, Sighting, SightReference } from '../../input.ts';
import { withinDeadline } from '../../stopping.ts';
import { type Applications, runningApp } from '../applications.ts';
import { ariaRoleOf } from '../elements.ts';
import type { RunProgram } from '../run-script.ts';
import { askElements, type ElementRef, elementId, failureOf, type MacSight, refOfElement } from './ask-elements.ts';

type Sights = Pick<InputDriver, 'sight' | 'focusDocuments'>;

export function createSights(run: RunProgram, applications: Applications): Sights {
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
  };
}

export function elementDesk(run: RunProgram): ElementDesk<ElementRef> {
  return {
    find: async (elementId) => refOfElement(elementId) ?? ELEMENT_GONE,
    async set(element, value, signal) {
      const answer = await askElements(run, { verb: 'set', element, value, signal });
      return answer.ok ? answer.isConfirmed : failureOf(answer, { signal, isChange: true });
    },
    async act(element, action, signal) {
      const wish = { element, ...(action !== undefined && { action }) };
      const answer = await askElements(run, { verb: 'act', ...wish, signal });
      if (answer.ok) return undefined;
      if (answer.fault === 'no_action') return noAction(action, answer.names ?? []);
      return failureOf(answer, { signal, isChange: true });
    },
    async choose({ windowId, path }, signal) {
      const answer = await askElements(run, { verb: 'menu', windowId, path, signal });
      if (answer.ok) return undefined;
      if (answer.fault !== 'no_item') return failureOf(answer, { signal, isChange: true });
      const { names = [], depth = 0 } = answer;
      return refused(noItem(path.slice(0, depth + 1), names));
    },
  };
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
