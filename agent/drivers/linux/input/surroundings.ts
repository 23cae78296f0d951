import { type AccessibilityBus, type AccessibleApp, property, type Question } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, numberOf, refOf, textOf } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';

export type Surroundings = { pages: string[]; pagesBeside: string[]; defaultButton?: string };

export type Place = {
  app: AccessibleApp | undefined;
  ref: AccessibleRef | null;
  windowTitle: string;
  /** Whether keys go there. */
  takesKeys: boolean;
  /** Return makes a new line there. */
  isMultiLine: boolean;
};

const BUDGET_MS = 1_000;
const DEEPEST = 120;
const MOST_NODES = 2_000;
const MOST_PAGES = 8;
const ACCESSIBLE = 'org.a11y.atspi.Accessible';
/** AtspiRole: a form, and the windows and dialogs that have a default button of their own. */
const FORM = 87;
const WITH_DEFAULT: ReadonlySet<number> = new Set([FORM, 2, 16, 19, 23, 69]);

/** The pages around a place, and the button that Return presses there. */
export async function surroundingsOf(bus: AccessibilityBus, place: Place): Promise<Surroundings> {
  const { app, ref, takesKeys, isMultiLine, windowTitle } = place;
  if (app === undefined) return { pages: [], pagesBeside: [] };
  const endMs = performance.now() + BUDGET_MS;
  const asking = { bus, app, timeLeftMs: () => Math.max(0, endMs - performance.now()) };
  const above = ref === null ? [] : await chainOf(asking, ref);
  const pages = (
    await addresses(
      asking,
      above.filter(({ isPage }) => isPage),
    )
  ).toReversed();
  if (!takesKeys) return { pages, pagesBeside: [] };
  const [beside, button] = await Promise.all([
    pages.length > 0 ? [] : pagesIn(asking, windowTitle),
    isMultiLine ? undefined : defaultButton(asking, above),
  ]);
  return { pages, pagesBeside: beside, ...(button === undefined ? {} : { defaultButton: button }) };
}

type Asking = { bus: AccessibilityBus; app: AccessibleApp; timeLeftMs(): number };
type Ancestor = { ref: AccessibleRef; role: number; isPage: boolean };

/** The object and everything that it is in, the innermost first. */
async function chainOf({ bus, timeLeftMs }: Asking, start: AccessibleRef): Promise<Ancestor[]> {
  const chain: Ancestor[] = [];
  let ref: AccessibleRef | null = start;
  while (ref !== null && chain.length < DEEPEST && timeLeftMs() > 0) {
    const at: AccessibleRef = ref;
    const ask = async (question: Question) => (await bus.ask(at, question, timeLeftMs()))?.[0];
    const [parent, interfaces, role] = await Promise.all([
      ask(property(ACCESSIBLE, 'Parent')),
      ask({ interface: ACCESSIBLE, member: 'GetInterfaces' }),
      ask({ interface: ACCESSIBLE, member: 'GetRole' }),
    ]);
    const isPage = Array.isArray(interfaces) && interfaces.includes('org.a11y.atspi.Document');
    chain.push({ ref, role: numberOf(role), isPage });
    ref = refOf(parent);
  }
  return chain;
}

async function addresses({ bus, timeLeftMs }: Asking, pages: readonly { ref: AccessibleRef }[]): Promise<string[]> {
  const question = { interface: 'org.a11y.atspi.Document', member: 'GetAttributeValue', signature: 's' };
  const asked = pages.slice(0, MOST_PAGES).map(async ({ ref }) => {
    const answers = await Promise.all(ADDRESS.map((name) => bus.ask(ref, { ...question, body: [name] }, timeLeftMs())));
    return answers.map((answer) => plainAddress(answer?.[0])).find((url) => url !== '') ?? '';
  });
  return (await Promise.all(asked)).filter((url) => url !== '');
}

/** Chromium has the first, Firefox the second. */
const ADDRESS = ['URI', 'DocURL'];
const LONGEST_ADDRESS = 8_000;

function plainAddress(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, LONGEST_ADDRESS) : '';
}

/** The pages that a window shows. A page in a tab behind is not shown. */
async function pagesIn(asking: Asking, windowTitle: string): Promise<string[]> {
  const { bus, app, timeLeftMs } = asking;
  const { toplevels } = await collectTrees(bus, { app, contents: true, maxNodes: MOST_NODES, timeLeftMs });
  const own = toplevels.filter(({ node }) => node.name === textOf(windowTitle));
  const nodes = (own.length > 0 ? own : toplevels).flatMap(flattened);
  return addresses(
    asking,
    nodes.filter(({ interfaces }) => interfaces.has('Document')),
  );
}

/** The one that the app calls so or, in a form of a page, the first. */
async function defaultButton(
  { bus, app, timeLeftMs }: Asking,
  above: readonly Ancestor[],
): Promise<string | undefined> {
  const holder = above.slice(1).find(({ role }) => WITH_DEFAULT.has(role));
  if (holder === undefined || timeLeftMs() === 0) return undefined;
  const inside = { app: { ...app, root: holder.ref }, contents: true, maxNodes: MOST_NODES, timeLeftMs };
  const { toplevels } = await collectTrees(bus, inside);
  const buttons = toplevels.flatMap(flattened).filter(({ aria, states }) => aria.role === 'button' && states.enabled);
  const named = buttons.find(({ states }) => states.isDefault) ?? (holder.role === FORM ? buttons[0] : undefined);
  return named?.name;
}

function flattened({ node, children }: AccessibleTree): AccessibleNode[] {
  return [node, ...children.flatMap(flattened)];
}
