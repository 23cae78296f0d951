import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOf, openArguments } from '../launch/open-app.ts';

type Opening = {
  /** The program inside of an app. */
  binary: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  /** Tests replace the programs of macOS. */
  programs?: { open: string; ps: string };
};

const PROGRAMS = { open: '/usr/bin/open', ps: '/bin/ps' };
const LOOK_EVERY_MS = 200;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts an app by LaunchServices and waits for its end, so that macOS holds its permissions against the app. Started directly, it would have
 * those of the terminal. Its output goes to a file of ours, and from there to this process: LaunchServices takes only paths. Signals
 * go on to the app, which is no child of this process. Resolves with the code of `open`, which does not tell that of the app.
 */
export async function openOnMac({ binary, args, environment, signals, programs = PROGRAMS }: Opening): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-output-'));
  const follow = [
    createFollower(join(folder, 'stdout'), process.stdout),
    createFollower(join(folder, 'stderr'), process.stderr),
  ];
  const mark = `--handrail-start=${randomUUID()}`;
  const files = ['--stdout', join(folder, 'stdout'), '--stderr', join(folder, 'stderr')];
  const opening = openArguments({ bundle: bundleOf(binary) ?? binary, args: [...args, mark], environment });
  // In a group of its own: Ctrl-C in the terminal is for the app, and `open` ends with it.
  const child = spawn(programs.open, ['-W', ...files, ...opening], {
    stdio: 'inherit',
    detached: true,
    env: environment,
  });
  const ender = createEnder(programs.ps, { mark, opener: child.pid });
  for (const signal of FORWARDED) signals.on(signal, ender.want);
  const timer = setInterval(() => {
    for (const look of follow) void look();
    void ender.look();
  }, LOOK_EVERY_MS);
  try {
    const [code] = await once(child, 'close');
    for (const look of follow) await look();
    return code ?? 1;
  } finally {
    clearInterval(timer);
    for (const signal of FORWARDED) signals.off(signal, ender.want);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies what was added to a file since the last look. One look at a time. */
function createFollower(file: string, to: NodeJS.WritableStream): () => Promise<void> {
  let at = 0;
  let last = Promise.resolve();
  async function look(): Promise<void> {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= at) return;
    for await (const chunk of createReadStream(file, { start: at, end: size - 1 })) to.write(chunk);
    at = size;
  }
  return () => {
    last = last.then(look);
    return last;
  };
}

/** Sends the wanted signal to the app as soon as it is there: the process whose command holds the mark. `open` has it too. */
function createEnder(ps: string, { mark, opener }: { mark: string; opener: number | undefined }) {
  let wanted: NodeJS.Signals | undefined;
  let isLooking = false;
  return {
    want: (signal: NodeJS.Signals) => {
      wanted = signal;
    },
    async look(): Promise<void> {
      if (wanted === undefined || isLooking) return;
      isLooking = true;
      const lines = await processes(ps);
      const pids = lines.filter((line) => line.includes(mark)).map((line) => Number.parseInt(line, 10));
      const app = pids.filter((pid) => pid !== opener);
      for (const pid of app) kill(pid, wanted);
      if (app.length > 0) wanted = undefined;
      isLooking = false;
    },
  };
}

async function processes(ps: string): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)(ps, ['-axww', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 });
    return stdout.split('\n');
  } catch {
    // The next look asks again.
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
