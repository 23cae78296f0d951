import { randomUUID } from 'node:crypto';
import type { Driver } from '../driver.ts';
import { createElementReader } from './accessibility.ts';
import { createAccessibilityBus } from './accessibility-bus.ts';
import { createLinuxApps } from './apps.ts';
import { createLinuxDescription } from './describe-screen.ts';
import { createDesktopEntries } from './desktop-entries.ts';
import { createLinuxInput } from './input/driver.ts';
import { createLinuxScreenshot } from './screenshot.ts';
import { createResolveWindow } from './window.ts';
import { type CaptureRegion, createTextReader, createWindowTexts } from './window-texts.ts';
import { createX11, readDisplays } from './x11.ts';

const CAPTURE_TIMEOUT_MS = 10_000;

/** The driver for Linux desktops with X11. Reads DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS, XDG_*, PATH and HANDRAIL_DESKTOP. */
export function createLinuxDriver(environment: NodeJS.ProcessEnv = process.env): Driver {
  const x11 = createX11(environment);
  const bus = createAccessibilityBus(environment);
  const entries = createDesktopEntries(environment);
  const reader = createTextReader();
  const takeScreenshot = createLinuxScreenshot({ x11, entries });
  const texts = createWindowTexts({ reader, capture: captureWith(takeScreenshot) });
  const readElements = createElementReader(bus);
  const isSwitchedOff = async () => (await bus.state()) === 'switched_off';
  const needs = { isSwitchedOff, x11, entries, texts, readElements, environment, uniqueId: randomUUID };
  const describeScreen = createLinuxDescription(needs);
  const input = createLinuxInput({
    ...needs,
    bus,
    describeScreen,
    watchesPerson: environment.HANDRAIL_DESKTOP !== 'private',
  });
  return {
    platform: 'linux',
    ...createLinuxApps(needs),
    resolveWindow: createResolveWindow({ x11, entries, environment }),
    describeScreen,
    input: () => input,
    takeScreenshot,
    async environment() {
      const [found, accessibility] = await Promise.all([readDisplays(x11), bus.state()]);
      const permissions = { screenRecording: 'not_required', accessibility, automation: 'not_required' } as const;
      return { displays: found, permissions };
    },
    /** Leaves out the modules for captures. They take 30 MB, a capture may never be asked for, and they load in half a second. */
    async warmUp() {
      await Promise.all([x11.desktop(), bus.state(), entries.list()]);
    },
    async close() {
      await Promise.all([input.close(), x11.close(), bus.close(), reader.close()]);
    },
  };
}

function captureWith(takeScreenshot: Driver['takeScreenshot']): CaptureRegion {
  return async (region, signal) => {
    const attempt = { signal, deadlineMs: CAPTURE_TIMEOUT_MS };
    const outcome = await takeScreenshot({ region, format: 'png' }, attempt);
    return outcome.ok ? (outcome.images?.[0]?.bytes ?? null) : null;
  };
}
