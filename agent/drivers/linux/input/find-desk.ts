import type { ControlName } from '../../../../src/contract/control-name.ts';
import { siteOf } from '../../../../src/contract/web-address.ts';
import { type FindDesk, hasTitle, isAllTold, isApp, isNamed } from '../../hands/find-control.ts';
import type { InputDriver } from '../../input.ts';
import { withinDeadline } from '../../stopping.ts';
import type { Elements } from '../accessibility.ts';
import { matchesIn } from '../accessible-details.ts';
import { elementIdOf } from '../accessible-elements.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import type { AccessibleTree } from '../accessible-tree.ts';
import { atspiRolesOf, BROWSER_ENGINES } from '../aria-roles.ts';
import { readNode } from '../read-node.ts';
import type { XWindow } from '../x-window.ts';
import { withoutDisplay } from '../x11.ts';
import { refOfElement } from './accessible-object.ts';
import type { SightNeeds } from './sight.ts';
import { isDocument, pageOf } from './surroundings.ts';

const BUDGET_MS = 2_000;
const MOST_ELEMENTS = 10_000;
/** Controls of one role in a page whose names are read. */
const MOST_IN_PAGE = 2_000;
/** AtspiScrollType: as little as brings it into view. */
const ANYWHERE = 6;

/** Named controls of the windows on an X11 desktop, those of pages also where they are scrolled away. */
export function findDesk(needs: SightNeeds, sight: InputDriver['sight']): FindDesk {
  return {
    sight,
    async places(name, attempt) {
      const desktop = await needs.x11.desktop();
      if (!desktop.ok) return withoutDisplay(desktop.reason);
      const wanted = await windowsOf(needs, desktop.value.windows, name);
      const ids = new Set(wanted.map(({ id }) => id));
      const found = await needs.readElements({
        windows: desktop.value.windows.map((window) => ({ ...window, shown: ids.has(window.id) })),
        contents: true,
        maxElements: MOST_ELEMENTS,
        budgetMs: BUDGET_MS,
        signal: withinDeadline(attempt),
        part: { kind: 'all' },
      });
      const inPages = await controlsInPages(needs, found, name);
      const isWhole = isAllTold(found.degradedReasons) && inPages !== null;
      return { elements: found.elements, inPages: inPages ?? [], isWhole };
    },
    async reveal(elementId) {
      const ref = refOfElement(elementId);
      const question = { interface: 'org.a11y.atspi.Component', member: 'ScrollTo', signature: 'u', body: [ANYWHERE] };
      if (ref !== null) await needs.bus.ask(ref, question, BUDGET_MS);
    },
  };
}

/** The shown windows of the app, with the title and the page of the name. */
async function windowsOf(needs: SightNeeds, windows: readonly XWindow[], name: ControlName): Promise<XWindow[]> {
  const titled = windows.filter((window) => window.shown && hasTitle(window.title, name));
  const answers = await Promise.all(
    titled.map(async (window) => {
      if (!isApp(await needs.appOf(window), name.app)) return false;
      return name.site === undefined || siteOf(await pageOf(needs.bus, window)) === name.site;
    }),
  );
  return titled.filter((_, index) => answers[index]);
}

/** Null where a page did not answer, or has too many controls of that role. */
async function controlsInPages(
  { bus }: SightNeeds,
  { trees, apps }: Elements,
  name: ControlName,
): Promise<string[] | null> {
  const found: string[] = [];
  for (const page of trees.flatMap((tree) => pagesIn(tree, apps))) {
    const wanted = { states: [], roles: atspiRolesOf(name.role), most: MOST_IN_PAGE + 1 };
    const refs = await matchesIn(bus, page.ref, { wanted, timeoutMs: BUDGET_MS });
    if (refs === null || refs.length > MOST_IN_PAGE) return null;
    const nodes = await Promise.all(refs.map((ref) => readNode(bus, ref, () => BUDGET_MS)));
    for (const node of nodes)
      if (node !== null && isNamed({ role: node.aria.role, name: node.name }, name)) found.push(elementIdOf(node.ref));
  }
  return found;
}

/** The outermost pages of a browser; their documents inside are searched with them. */
function pagesIn({ node, children }: AccessibleTree, apps: Elements['apps']): AccessibleNode[] {
  const app = apps.find(({ root }) => root.bus === node.ref.bus);
  if (app === undefined || !BROWSER_ENGINES.has(app.toolkit)) return [];
  return isDocument(node, app) ? [node] : children.flatMap((child) => pagesIn(child, apps));
}
