import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Rig } from './rig.ts';

export type SeenInput = { name: string; detail: number; x: number; y: number };

export type InputWatcher = {
  /** What the window saw since it was asked last. Everything that was sent before is in it. */
  seen(): Promise<SeenInput[]>;
  end(): void;
};

/** The whole screen is one window that tells where it was hit. */
export async function watchInput(rig: Rig): Promise<InputWatcher> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'pointer-window.ts')], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: (SeenInput | 'shown')[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  await rig.until('the window is shown', () => lines.includes('shown'));
  await rig.until('the window is hit by a mark of xdotool', async () => {
    await mark(rig);
    return lines.some((line) => line !== 'shown' && isMark(line));
  });
  lines.splice(0);
  return {
    async seen() {
      await mark(rig);
      await rig.until('the mark has come', () => lines.some((line) => line !== 'shown' && isMark(line)));
      const found = lines.splice(0).filter((line) => line !== 'shown');
      return found.filter((line) => !isMark(line));
    },
    end: () => child.kill('SIGKILL'),
  };
}

const MARK_BUTTON = 9;

/** A button that nothing else presses, so that everything before it has come once it has. */
async function mark(rig: Rig): Promise<void> {
  await rig.ask('xdotool', 'click', String(MARK_BUTTON));
}

function isMark({ name, detail }: SeenInput): boolean {
  return name.startsWith('Button') && detail === MARK_BUTTON;
}
