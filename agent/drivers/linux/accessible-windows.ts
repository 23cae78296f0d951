import type { AccessibleApp } from './accessibility-bus.ts';
import type { AccessibleNode } from './accessible-node.ts';
import type { AccessibleTree } from './accessible-tree.ts';
import type { XWindow } from './x-window.ts';

export type Match = { tree: AccessibleTree; window: XWindow | null };

type OfApp = { app: AccessibleApp; windows: readonly XWindow[] };

/** Pairs an app's accessible windows with its X windows: by title, and the rest in the order that both have. */
export function matchWindows(toplevels: readonly AccessibleTree[], { app, windows }: OfApp): Match[] {
  const own = windows.filter((window) => window.pid === app.pid);
  const free = new Set(own.length > 0 ? own : windows);
  const byTitle = toplevels.map((tree): Match => {
    const window = [...free].find((candidate) => sameTitle(candidate.title, tree.node.name)) ?? null;
    if (window !== null) free.delete(window);
    return { tree, window };
  });
  if (own.length === 0) return byTitle.filter((match) => match.window !== null);
  const paired = withRest(byTitle, { free, isIts: ({ name }) => name !== '' });
  return withRest(paired, { free, isIts: ({ aria }) => DIALOGS.has(aria.role) });
}

/** An app may give a dialog no title; its X window is then named after the program. */
const DIALOGS: ReadonlySet<string> = new Set(['alertdialog', 'dialog']);

function withRest(
  matches: readonly Match[],
  { free, isIts }: { free: Set<XWindow>; isIts(node: AccessibleNode): boolean },
): Match[] {
  return matches.map((match) => {
    if (match.window !== null || !isIts(match.tree.node)) return match;
    const [window = null] = free;
    if (window !== null) free.delete(window);
    return { tree: match.tree, window };
  });
}

function sameTitle(title: string, name: string): boolean {
  return title.replace(/\s+/gu, ' ').trim() === name;
}

/** An open menu is a window of its own that no window manager knows. */
export function isPopup({ node }: AccessibleTree, { app, windows }: OfApp): boolean {
  return node.name === '' && windows.some((window) => window.shown && window.pid === app.pid);
}
