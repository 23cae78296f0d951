import { setTimeout as pause } from 'node:timers/promises';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { collectTrees } from '../accessible-tree.ts';
import type { X11 } from '../x11.ts';
import { accessibleObject } from './accessible-object.ts';

/** The state that an input may change: the windows, and the name and states of each object of the app in front. */
export type Look = string;

/** An app is given so long to react. */
const REACTION_MS = 400;
const LOOK_EVERY_MS = 15;
const TREE_MS = 300;
const MOST_NODES = 400;
const MOST_FIELDS = 10;

export async function look(x11: X11, bus: AccessibilityBus): Promise<Look> {
  const desktop = await x11.desktop();
  if (!desktop.ok) return '';
  const { windows } = desktop.value;
  const front = windows.find(({ focused }) => focused);
  const told = windows.map(({ id, title, bounds, focused, minimized }) => [id, title, bounds, focused, minimized]);
  return JSON.stringify([told, front === undefined ? [] : await statesOf(bus, front.pid)]);
}

/** Whether something differs from the look before, as soon as it does. */
export async function isChanged(before: Look, again: () => Promise<Look>, signal: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + REACTION_MS;
  do {
    if ((await again()) !== before) return true;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < endMs && !signal.aborted);
  return false;
}

async function statesOf(bus: AccessibilityBus, pid: number | null): Promise<unknown[]> {
  const apps = (await bus.apps(TREE_MS)) ?? [];
  const endMs = performance.now() + TREE_MS;
  const timeLeftMs = () => Math.max(0, endMs - performance.now());
  const told = apps
    .filter((app) => app.pid === pid)
    .map(async (app) => {
      const { toplevels } = await collectTrees(bus, { app, contents: true, maxNodes: MOST_NODES, timeLeftMs });
      return toplevels;
    });
  const trees = (await Promise.all(told)).flat();
  const fields = trees.flatMap(fieldsIn).slice(0, MOST_FIELDS);
  const values = await Promise.all(fields.map(({ ref }) => accessibleObject(bus, ref).text()));
  return [trees.map(flat), values];
}

/** Fields whose text may change; of a password not even its length is asked. */
function fieldsIn({ node, children }: Tree): AccessibleNode[] {
  const isField = node.interfaces.has('Text') && !node.isPassword && (node.states.editable || node.states.focused);
  return [...(isField ? [node] : []), ...children.flatMap(fieldsIn)];
}

type Tree = Awaited<ReturnType<typeof collectTrees>>['toplevels'][number];

function flat({ node, children }: Tree): unknown[] {
  return [node.ref.path, node.name, node.states, children.map(flat)];
}
