import type { AccessibleNode, AccessibleRef } from './accessible-node.ts';
import type { AccessibleTree } from './accessible-tree.ts';

/** The objects of a tree, each before those in it. */
export function flattened({ node, children }: AccessibleTree): AccessibleNode[] {
  return [node, ...children.flatMap(flattened)];
}

/** A tree and all trees in it, in the same order. */
export function subtrees(tree: AccessibleTree): AccessibleTree[] {
  return [tree, ...tree.children.flatMap(subtrees)];
}

/** An object of a tree and everything that it is in, the innermost first. */
export function wayIn(tree: AccessibleTree, ref: AccessibleRef): AccessibleNode[] {
  if (tree.node.ref.path === ref.path && tree.node.ref.bus === ref.bus) return [tree.node];
  for (const child of tree.children) {
    const way = wayIn(child, ref);
    if (way.length > 0) return [...way, tree.node];
  }
  return [];
}
