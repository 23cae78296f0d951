import { type Static, Type } from 'typebox';
import { lazyCheck } from './lazy-check.ts';
import { closed } from './literals.ts';
import { siteObjection } from './web-address.ts';

/** A control as a person would name it. It leads somewhere only while exactly one control on the screen answers to it. */
export const ControlName = Type.Object(
  {
    app: Type.String({ minLength: 1, maxLength: 200 }),
    window: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'a part of the title of its window' }),
    ),
    site: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'the host of the page that has it' })),
    role: Type.String({ minLength: 1, maxLength: 64, description: 'an ARIA role' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    nth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'which one of equal controls, in the order of the page' }),
    ),
  },
  { ...closed, title: 'ControlName' },
);
export type ControlName = Static<typeof ControlName>;

const MARK = 'name:';
/** The longest id of an element that an action takes. */
export const MAX_ELEMENT_ID = 1_024;
const isControlName = lazyCheck(ControlName);

/** The name as the id of an element, which every action takes that acts on one. */
export function idByName({ app, window, site, role, name, nth }: ControlName): string {
  return MARK + JSON.stringify({ app, window, site, role, name, nth });
}

/** The name that an id of an element stands for; undefined for an id of another kind. */
export function nameInId(elementId: string): ControlName | undefined {
  if (!elementId.startsWith(MARK)) return undefined;
  const named = parsed(elementId.slice(MARK.length));
  const isName = elementId.length <= MAX_ELEMENT_ID && isControlName(named);
  return isName && named.name.trim() !== '' && idByName(named) === elementId && isSite(named.site) ? named : undefined;
}

function isSite(site: string | undefined): boolean {
  return site === undefined || siteObjection(site) === undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In words for a person: button "Send" of Chromium on example.org. */
export function wordsOfName({ app, window, site, role, name, nth }: ControlName): string {
  const which = nth === undefined ? '' : ` (number ${nth} of equal ones)`;
  const where = window === undefined ? '' : ` in a window titled ${JSON.stringify(window)}`;
  return `${role} ${JSON.stringify(name)}${which} of ${app}${where}${site === undefined ? '' : ` on ${site}`}`;
}
