import { isOwnWindow, ownAmong } from '../../targets/own-pages.ts';
import type { AccessibilityBus, AccessibleApp } from './accessibility-bus.ts';
import type { AccessibleTree } from './accessible-tree.ts';
import { subtrees } from './flattened-tree.ts';
import { addressesOf, isDocument } from './input/surroundings.ts';
import type { XWindow } from './x-window.ts';

/** The addresses are asked for also where the app has told so much that its time is over. */
const LEAST_MS = 300;

type Told = { app: AccessibleApp; tree: AccessibleTree; window: XWindow | null; timeLeftMs(): number };

/** Leaves out of a window what is in Handrail's own pages, and marks them. */
export async function leaveOutOwnPages(bus: AccessibilityBus, { app, tree, window, timeLeftMs }: Told): Promise<void> {
  const documents = subtrees(tree).filter(({ node }) => isDocument(node, app));
  const refs = documents.map(({ node }) => node.ref);
  const addresses = await addressesOf(bus, refs, () => Math.max(LEAST_MS, timeLeftMs()));
  const own = ownAmong(window === null ? { names: [], pid: app.pid, title: tree.node.name } : seen(window), addresses);
  for (const document of documents.filter((_each, index) => own[index])) {
    document.children = [];
    document.missing = 'own_page';
  }
}

/** Whether nothing may be read from the pixels of a window. */
export function isOwn(window: XWindow): boolean {
  return isOwnWindow(seen(window));
}

/** The name of the instance is none: Chromium has the path of its profile in it. */
function seen({ className, pid, title }: XWindow) {
  return { names: [className], pid, title };
}
