import { setTimeout as pause } from 'node:timers/promises';
import type { AccessibilityBus, AccessibleApp } from './accessibility-bus.ts';
import type { CollectedTrees } from './accessible-tree.ts';

export type Waker = {
  /** Collects again until the app has built its tree, for apps that build it only on request. */
  awake(app: AccessibleApp, collect: () => Promise<CollectedTrees>): Promise<CollectedTrees>;
};

const RECHECK_MS = 50;
const PATIENCE_MS = 1_000;

/** Chromium tells the bus of its windows, but looks into them only after somebody asked for more than their names. */
export function createWaker(bus: AccessibilityBus): Waker {
  const woken = new Set<string>();
  return {
    async awake(app, collect) {
      let collected = await collect();
      if (!isAsleep(app, collected) || woken.has(app.root.bus)) return collected;
      woken.add(app.root.bus);
      await askForMore(bus, collected);
      const endsAt = performance.now() + PATIENCE_MS;
      while (isAsleep(app, collected) && performance.now() < endsAt) {
        await pause(RECHECK_MS);
        collected = await collect();
      }
      return collected;
    },
  };
}

function isAsleep({ toolkit }: AccessibleApp, { toplevels }: CollectedTrees): boolean {
  return toolkit === 'Chromium' && toplevels.every(({ children }) => children.length === 0);
}

async function askForMore(bus: AccessibilityBus, { toplevels }: CollectedTrees): Promise<void> {
  const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetAttributes' };
  await Promise.all(toplevels.map(({ node }) => bus.ask(node.ref, question, PATIENCE_MS)));
}
