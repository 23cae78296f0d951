import type { ScreenDescription, ScreenElement } from '../../src/contract/screen.ts';

/** A node of the screen as its text has it. */
export type OutlineNode = { element: ScreenElement; canAct: boolean; children: OutlineNode[] };

/** Roles that a requester acts on even where the toolkit names no action. */
const ACTING = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton', 'tab', 'option', 'treeitem']);
/** An action that Chromium gives to nearly everything, and that does nothing to most. */
const NO_ACTION = 'dodefault';

/**
 * The elements of a window as a tree without those that say nothing: unnamed containers are replaced by their children, and a text that
 * only repeats the name of the element around it or beside it is left out. No name and no control is lost.
 */
export function outlineOf({ elements }: Pick<ScreenDescription, 'elements'>, windowId: string | null): OutlineNode[] {
  const ofWindow = elements.filter((element) => element.windowId === windowId);
  const known = new Set(ofWindow.map(({ id }) => id));
  const byParent = Map.groupBy(ofWindow, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const below = (id: string | null, around: string): OutlineNode[] =>
    withoutRepeats(
      (byParent.get(id) ?? []).flatMap((element) => {
        const children = below(element.id, element.name || around);
        const node = { element, canAct: canAct(element), children };
        return isSilent(node) || isRepeatedInside(node) ? children : [node];
      }),
      around,
    );
  return below(null, '');
}

/** Every node of an outline, parents first. */
export function allNodes(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.children)]);
}

function canAct({ enabled, role, actions }: ScreenElement): boolean {
  return enabled && (ACTING.has(role) || actions.some((action) => action !== NO_ACTION));
}

/** A row groups its cells, also without a name. */
function isSilent({ element, canAct: acts, children }: OutlineNode): boolean {
  if (element.role === 'window') return element.missing === undefined;
  if (element.role === 'row' && children.length > 0) return false;
  if (element.beyond !== undefined || element.missing !== undefined) return false;
  return element.name === '' && !element.value && !element.focused && !acts;
}

/** A cell around a link of the same name says nothing more. */
function isRepeatedInside({ element, canAct: acts, children }: OutlineNode): boolean {
  const isPlain = !acts && element.enabled && !element.focused && !element.value && !element.missing;
  return isPlain && element.name !== '' && children.some((child) => child.element.name === element.name);
}

/** A text without controls of its own is a repetition where the name around it, or one of a sibling, is the same. */
function withoutRepeats(nodes: OutlineNode[], around: string): OutlineNode[] {
  const spoken = new Set([around, ...nodes.filter(({ canAct: acts }) => acts).map(({ element }) => element.name)]);
  return nodes.flatMap((node) => {
    const { element, canAct: acts, children } = node;
    const isPlain = element.enabled && !element.focused && !element.value && !element.missing;
    const isText = element.name !== '' && !acts && isPlain;
    return isText && spoken.has(element.name) ? children : [node];
  });
}
