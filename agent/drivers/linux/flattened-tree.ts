import type { AccessibleNode } from './accessible-node.ts';
import type { AccessibleTree } from './accessible-tree.ts';

/** The objects of a tree, each before those in it. */
export function flattened({ node, children }: AccessibleTree): AccessibleNode[] {
  return [node, ...children.flatMap(flattened)];
}

/** A tree and all trees in it, in the same order. */
export function subtrees(tree: AccessibleTree): AccessibleTree[] {
  return [tree, ...tree.children.flatMap(subtrees)];
}
