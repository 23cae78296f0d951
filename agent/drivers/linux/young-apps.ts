import { setTimeout as pause } from 'node:timers/promises';
import type { AccessibleApp } from './accessibility-bus.ts';
import { processAgeMs } from './processes.ts';
import type { XWindow } from './x-window.ts';

export type YoungAppsRequest = {
  windows: readonly XWindow[];
  readApps(): Promise<AccessibleApp[] | null>;
  timeLeftMs(): number;
  ageMs?: (pid: number) => Promise<number | null>;
};

const YOUNG_MS = 2_000;
const PATIENCE_MS = 500;
const RECHECK_MS = 25;

/**
 * The apps on the bus. An app shows its window some time before it is on the bus, so this waits for apps that started a
 * moment ago; most apps that never join the bus, such as terminals, are older than that.
 */
export async function appsWithYoung(request: YoungAppsRequest): Promise<AccessibleApp[] | null> {
  const { windows, readApps, timeLeftMs, ageMs = processAgeMs } = request;
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const apps = await readApps();
    const known = new Set(apps?.map(({ pid }) => pid));
    const missing = new Set(windows.map(({ pid }) => pid).filter((pid) => pid !== null && !known.has(pid)));
    const ages = await Promise.all([...missing].map((pid) => (pid === null ? null : ageMs(pid))));
    const isAwaited = apps !== null && ages.some((age) => age !== null && age < YOUNG_MS);
    if (!isAwaited || performance.now() > endsAt || timeLeftMs() === 0) return apps;
    await pause(RECHECK_MS);
  }
}
