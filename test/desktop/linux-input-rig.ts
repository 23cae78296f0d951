import { randomUUID } from 'node:crypto';
import type { InputDriver } from '../../agent/drivers/input.ts';
import { createElementReader } from '../../agent/drivers/linux/accessibility.ts';
import { createAccessibilityBus } from '../../agent/drivers/linux/accessibility-bus.ts';
import { createLinuxDescription } from '../../agent/drivers/linux/describe-screen.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createLinuxInput } from '../../agent/drivers/linux/input/driver.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';
import type { ScreenDescription, ScreenElement } from '../../src/contract/screen.ts';
import type { Rig } from './rig.ts';

export type InputRig = {
  input: InputDriver;
  describe(): Promise<ScreenDescription>;
  /** All that the apps tell, also of Handrail's own pages. */
  everything(): Promise<ScreenElement[]>;
  close(): Promise<void>;
};

/** The input driver of Linux as it is put together for the agent, on the rig's desktop. */
export function startInput(rig: Pick<Rig, 'env'>, options: { watchesPerson: boolean }): InputRig {
  const environment = { ...process.env, ...rig.env };
  const x11 = createX11(environment);
  const bus = createAccessibilityBus(environment);
  const entries = createDesktopEntries(environment);
  const readElements = createElementReader(bus);
  const texts = { read: async () => ({ text: [], unread: [], degradedReasons: [] }) };
  const describeScreen = createLinuxDescription({
    x11,
    entries,
    readElements,
    texts,
    isSwitchedOff: async () => false,
  });
  const needs = { x11, bus, entries, readElements, describeScreen, environment, uniqueId: randomUUID };
  const input = createLinuxInput({ ...needs, ...options });
  return {
    input,
    async describe() {
      const outcome = await describeScreen({ contents: true }, unhurried());
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.data;
    },
    async everything() {
      const desktop = await x11.desktop();
      const windows = desktop.ok ? desktop.value.windows : [];
      const limits = { maxElements: 10_000, budgetMs: 2_000, signal: unhurried().signal };
      return (await readElements({ windows, contents: true, ...limits, part: { kind: 'all' } })).elements;
    },
    async close() {
      await Promise.all([input.close(), x11.close(), bus.close()]);
    },
  };
}

export function unhurried(): Attempt {
  return { signal: new AbortController().signal, deadlineMs: 20_000 };
}
