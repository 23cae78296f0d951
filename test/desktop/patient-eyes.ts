import { createElementReader } from '../../agent/drivers/linux/accessibility.ts';
import { createAccessibilityBus } from '../../agent/drivers/linux/accessibility-bus.ts';
import { createLinuxDescription } from '../../agent/drivers/linux/describe-screen.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { ScreenDescription } from '../../src/contract/screen.ts';
import type { Rig } from './rig.ts';

const PATIENCE_MS = 50_000;

export type PatientEyes = { describe(): Promise<ScreenDescription>; close(): Promise<void> };

/**
 * The description of the rig's desktop as the driver makes it, without its limit of 2 s for an app to tell its controls:
 * beside other tests, an app that is well may need longer. The driver then reads the words off a picture, which takes longer still.
 */
export function openPatientEyes(rig: Pick<Rig, 'env'>): PatientEyes {
  const environment = { ...process.env, ...rig.env };
  const x11 = createX11(environment);
  const bus = createAccessibilityBus(environment);
  const read = createElementReader(bus);
  const describeScreen = createLinuxDescription({
    x11,
    entries: createDesktopEntries(environment),
    readElements: (request) => read({ ...request, budgetMs: PATIENCE_MS }),
    texts: { read: async () => ({ text: [], unread: [], degradedReasons: [] }) },
    isSwitchedOff: async () => false,
  });
  return {
    async describe() {
      const attempt = { signal: new AbortController().signal, deadlineMs: PATIENCE_MS };
      const outcome = await describeScreen({ contents: true }, attempt);
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.data;
    },
    async close() {
      await Promise.all([x11.close(), bus.close()]);
    },
  };
}
