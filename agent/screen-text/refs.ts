import type { ScreenElement } from '../../src/contract/screen.ts';

type Named = Pick<ScreenElement, 'role' | 'name'>;
type Given = Named & { number: number; elementId: string; now?: Named };

/** Where a reference leads. `changed`: its object is another one by now. `old`: too many were given since. */
export type Found =
  | ({ kind: 'element'; elementId: string } & Named)
  | { kind: 'changed'; was: Named; now: Named }
  | { kind: 'old' }
  | { kind: 'unknown' };

const MOST_REMEMBERED = 50_000;

/**
 * Numbers for elements. An element keeps its number as long as no look has seen it with another role or name: that a look left it out does
 * not mean that it is gone. No number is ever given twice, so that an old one cannot lead to something else.
 */
export function createRefs() {
  let latest = new Map<string, Named>();
  const byId = new Map<string, Given>();
  const byNumber = new Map<number, Given>();
  let given = 0;

  function forgetOldest(): void {
    const [oldest] = byNumber.values();
    if (oldest === undefined || byNumber.size <= MOST_REMEMBERED) return;
    byNumber.delete(oldest.number);
    if (byId.get(oldest.elementId) === oldest) byId.delete(oldest.elementId);
  }

  return {
    /** Takes the elements of a new frame. */
    renew(elements: readonly ScreenElement[]): void {
      latest = new Map(elements.map(({ id, role, name }) => [id, { role, name }]));
      for (const { id, role, name } of elements) {
        const known = byId.get(id);
        if (known === undefined) continue;
        if (isSame(known, { role, name })) known.name ||= name;
        else {
          known.now = { role, name };
          byId.delete(id);
        }
      }
    },
    /** The number of an element of the latest frame. */
    of(elementId: string): number {
      const known = byId.get(elementId);
      if (known !== undefined) return known.number;
      const { role, name } = latest.get(elementId) ?? { role: 'element', name: '' };
      const fresh = { number: ++given, elementId, role, name };
      byId.set(elementId, fresh);
      byNumber.set(fresh.number, fresh);
      forgetOldest();
      return fresh.number;
    },
    find(number: number): Found {
      const known = byNumber.get(number);
      if (known === undefined) return { kind: number >= 1 && number <= given ? 'old' : 'unknown' };
      const { elementId, role, name, now } = known;
      return now === undefined ? { kind: 'element', elementId, role, name } : { kind: 'changed', was: known, now };
    },
  };
}

/** Without contents a name may be left out; then the role decides. */
function isSame(one: Named, other: Named): boolean {
  return one.role === other.role && (one.name === other.name || one.name === '' || other.name === '');
}

export type Refs = ReturnType<typeof createRefs>;

const MOST_REQUESTERS = 32;
const tables = new Map<string, Refs>();

/**
 * The numbers that this agent has given a requester in descriptions and marked pictures. Each has its own: a number of another one leads
 * nowhere, and says nothing of what that one saw. The requester that looked longest ago is forgotten first.
 */
export function refsFor({ requester = '' }: { requester?: string | undefined }): Refs {
  const refs = tables.get(requester) ?? createRefs();
  tables.delete(requester);
  tables.set(requester, refs);
  const [oldest] = tables.keys();
  if (oldest !== undefined && tables.size > MOST_REQUESTERS) tables.delete(oldest);
  return refs;
}

/** A model reads elements by `@ref` alone, or sees the number in a picture. Undefined for another id of an element. */
export function foundBy(written: string, refs: Pick<Refs, 'find'>): Found | undefined {
  const [, number] = /^@(\d{1,9})$/.exec(written) ?? [];
  return number === undefined ? undefined : refs.find(Number(number));
}

/** One that leads nowhere stays as it is: no element has such an id. */
export function elementIdOf(written: string, refs: Pick<Refs, 'find'>): string {
  const found = foundBy(written, refs);
  return found?.kind === 'element' ? found.elementId : written;
}

/** Why a reference leads nowhere, or its element in words. */
export function wordsOf(written: string, found: Found): string {
  switch (found.kind) {
    case 'element':
      return `${written}, ${inWords(found)},`;
    case 'changed':
      return `${written}, ${inWords(found.was)}, is gone: ${inWords(found.now)} is in its place.`;
    case 'old':
      return `${written} was given too long ago.`;
    case 'unknown':
      return `${written} was never given.`;
  }
}

function inWords({ role, name }: Named): string {
  return name === '' ? `a ${role} without a name` : `${role} ${JSON.stringify(name.slice(0, 200).toWellFormed())}`;
}
