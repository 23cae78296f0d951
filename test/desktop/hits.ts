import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SeenInput } from './input-watcher.ts';
import type { Rig, RigArea } from './rig.ts';

/** `time` is the server's, in milliseconds. */
export type Hit = SeenInput & { time: number };

export type HitWindow = {
  /** As `wmctrl` prints it; empty for an overlay, which no window manager knows. */
  id: string;
  /** Everything it got of pointer and keyboard. */
  hits: Hit[];
  presses(): Hit[];
  end(): Promise<void>;
};

/** Shows a window that records what it gets. */
export async function showHits(
  rig: Rig,
  { title, area, isOverlay = false }: { title: string; area: RigArea; isOverlay?: boolean },
): Promise<HitWindow> {
  const { x, y, width, height } = area;
  const args = [title, ...[x, y, width, height].map(String), ...(isOverlay ? ['overlay'] : [])];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hit-window.ts'), ...args], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hits: Hit[] = [];
  let isShown = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said: unknown = JSON.parse(line);
    if (said === 'shown') isShown = true;
    else hits.push(said as Hit);
  });
  await rig.until(`the window ${title} is shown`, () => isShown);
  const isIts = (window: { title: string; pid: number }) => window.title === title && window.pid === child.pid;
  const window = isOverlay
    ? undefined
    : await rig.until(`the window manager knows ${title}`, async () => (await rig.windows()).find(isIts));
  return {
    id: window?.id ?? '',
    hits,
    presses: () => hits.filter(({ name }) => name === 'ButtonPress'),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
