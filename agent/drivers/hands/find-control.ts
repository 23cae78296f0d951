import { setTimeout as pause } from 'node:timers/promises';
import { type ControlName, wordsOfName } from '../../../src/contract/control-name.ts';
import { folded } from '../../../src/contract/near-names.ts';
import type { DegradedReason, ResolvedApp, ScreenElement } from '../../../src/contract/screen.ts';
import { siteOf } from '../../../src/contract/web-address.ts';
import type { InputDriver, InputFailed, Sighting } from '../input.ts';
import type { Attempt } from '../outcome.ts';
import { refused } from './input-outcome.ts';

/** A page takes a moment to scroll, and another one to tell it. */
const [LOOKS, LOOK_EVERY_MS] = [10, 100];
/** How often apps are asked until they tell all. */
const QUESTIONS = 3;

/** What the windows tell in which a named control may be. */
export type NamedPlaces = {
  elements: readonly ScreenElement[];
  /** Controls of pages with this role and name, also scrolled away, in the order of the page; their ids. */
  inPages: readonly string[];
  /** Whether the windows told all. */
  isWhole: boolean;
};

export type FindDesk = {
  places(name: ControlName, attempt: Attempt): Promise<NamedPlaces | InputFailed>;
  sight: InputDriver['sight'];
  /** Scrolls a control of a page into view. */
  reveal(elementId: string): Promise<void>;
};

/** Finds the one control that answers to a name. */
export function createFindControl({ places, sight, reveal }: FindDesk): InputDriver['findControl'] {
  async function seen(elementId: string, attempt: Attempt): ReturnType<InputDriver['sight']> {
    let found = await sight({ kind: 'element', elementId }, attempt);
    if (found.ok) return found;
    await reveal(elementId);
    for (let look = 0; look < LOOKS && !found.ok && !attempt.signal.aborted; look += 1) {
      await pause(LOOK_EVERY_MS);
      found = await sight({ kind: 'element', elementId }, attempt);
    }
    return found;
  }

  /** Apps that are slow at first are asked again. */
  async function toldPlaces(name: ControlName, attempt: Attempt): Promise<NamedPlaces | InputFailed> {
    let told = await places(name, attempt);
    for (let asked = 1; asked < QUESTIONS && !('ok' in told || told.isWhole || attempt.signal.aborted); asked += 1)
      told = await places(name, attempt);
    return told;
  }

  return async (name, attempt) => {
    const told = await toldPlaces(name, attempt);
    if ('ok' in told) return told;
    if (!told.isWhole) return untold(name);
    const inPages = new Set(told.inPages);
    const shown = told.elements.filter((element) => isNamed(element, name) && !inPages.has(element.id));
    const ids = [...shown.map(({ id }) => id), ...told.inPages];
    const id = name.nth === undefined ? ids[0] : ids[name.nth - 1];
    if (id === undefined) return missing(name, ids.length);
    if (name.nth === undefined && ids.length > 1) return several(name, ids.length);
    const found = await seen(id, attempt);
    if (!found.ok) return { ...found, message: `${wordsOfName(name)} was looked for. ${found.message}` };
    return answersTo(found.data, name) ? { ok: true, data: { elementId: id, seen: found.data } } : elsewhere(name);
  };
}

/** Whether an app goes by a name. */
export function isApp({ appName, bundleId = appName, alsoKnownAs }: ResolvedApp, name: string): boolean {
  return [appName, bundleId, ...alsoKnownAs].some((each) => folded(each) === folded(name));
}

export function isNamed(element: Pick<ScreenElement, 'role' | 'name'>, { role, name }: ControlName): boolean {
  return element.role === role && element.name.trim() === name.trim();
}

export function hasTitle(title: string, { window }: Pick<ControlName, 'window'>): boolean {
  return window === undefined || folded(title).includes(folded(window));
}

/** Whether the app and the page are those of the name, as the last look tells them. */
function answersTo({ app, windowTitle, documents, element }: Sighting, name: ControlName): boolean {
  if (element === null || !isNamed(element, name)) return false;
  // All of them: the first one may be the page to which a link leads. A name without a site is of no site.
  const isOnSite = documents.every((address) => siteOf(address) === name.site);
  return (
    isOnSite && (name.site === undefined || documents.length > 0) && isApp(app, name.app) && hasTitle(windowTitle, name)
  );
}

/** Whether nothing that answers to a name may be left out. */
export function isAllTold(reasons: readonly Pick<DegradedReason, 'code'>[]): boolean {
  return !reasons.some(({ code }) => code === 'app_slow' || code === 'elements_cut');
}

function untold(name: ControlName): InputFailed {
  const message = `${wordsOfName(name)} was looked for. An app did not tell all of its controls, so nobody knows how many answer to it.`;
  return refused({ code: 'target_gone', message, fix: SHOW_IT });
}

function missing(name: ControlName, count: number): InputFailed {
  const other = count === 0 ? 'Nothing on the screen answers to it' : `There are only ${count} of them`;
  return refused({ code: 'target_gone', message: `${wordsOfName(name)} was looked for. ${other}.`, fix: SHOW_IT });
}

function several(name: ControlName, count: number): InputFailed {
  const message = `${wordsOfName(name)} was looked for. ${count} controls answer to it, and nobody said which.`;
  return refused({ code: 'invalid_target', message, fix: 'Give its window, or its number among equal ones as nth.' });
}

function elsewhere(name: ControlName): InputFailed {
  const message = `${wordsOfName(name)} was looked for. One of that name is in another app or on another site.`;
  return refused({ code: 'target_gone', message, fix: SHOW_IT });
}

const SHOW_IT = 'Open its window or page, and close what lies in front of it.';
