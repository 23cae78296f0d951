import { existsSync } from 'node:fs';
import { installCommand, missingNeeds, type SystemNeed } from './virtual-desktop/programs.ts';

/** The PATH inside of the sandbox. It does not depend on the daemon's PATH. */
const SANDBOX_PATH = '/usr/local/bin:/usr/bin:/bin';
const BUBBLEWRAP: SystemNeed = { name: 'bubblewrap', package: 'bubblewrap', anyOf: ['bwrap'] };
const PRLIMIT: SystemNeed = { name: 'prlimit', package: 'util-linux', anyOf: ['prlimit'] };
const PYTHON: SystemNeed = { name: 'python3', package: 'python3', anyOf: ['python3'] };
/** Part of macOS. */
const SANDBOX_EXEC = '/usr/bin/sandbox-exec';
const CHECKED_AGAIN_AFTER_MS = 10_000;

type Machine = { platform: NodeJS.Platform; path: string; asRoot: boolean; sandboxPath?: string };

/** Whether scripts can run on this machine. `lines`: a sentence for each missing program, with the command that installs it. */
export type ScriptNeeds = { scripts: 'available' | 'unavailable'; lines: string[] };

export function scriptNeeds({ platform, path, asRoot, sandboxPath = SANDBOX_PATH }: Machine): ScriptNeeds {
  if (platform === 'darwin') return { scripts: existsSync(SANDBOX_EXEC) ? 'available' : 'unavailable', lines: [] };
  if (platform !== 'linux') return { scripts: 'unavailable', lines: [] };
  const always = [...missingNeeds([BUBBLEWRAP], path), ...missingNeeds([PRLIMIT], sandboxPath)];
  const python = missingNeeds([PYTHON], sandboxPath);
  const line = (what: string, missing: readonly SystemNeed[]) => {
    const names = missing.map(({ name }) => name).join(' and ');
    const verb = missing.length === 1 ? 'is' : 'are';
    return `${what} cannot run, because ${names} ${verb} not installed. Install ${missing.length === 1 ? 'it' : 'them'}: ${installCommand(missing, { asRoot })}`;
  };
  return {
    scripts: always.length === 0 ? 'available' : 'unavailable',
    lines: [
      ...(always.length === 0 ? [] : [line('Scripts', always)]),
      ...(python.length === 0 ? [] : [line('Python scripts', python)]),
    ],
  };
}

/** Whether scripts can run, looked up again every ten seconds at most: a person may install what is missing meanwhile. */
export function createScriptCheck(machine: Machine, nowMs: () => number): () => ScriptNeeds['scripts'] {
  let latest: { atMs: number; scripts: ScriptNeeds['scripts'] } | undefined;
  return () => {
    if (latest === undefined || nowMs() - latest.atMs >= CHECKED_AGAIN_AFTER_MS)
      latest = { atMs: nowMs(), scripts: scriptNeeds(machine).scripts };
    return latest.scripts;
  };
}
