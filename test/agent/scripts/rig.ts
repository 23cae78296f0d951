import { hash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Attempt, Outcome } from '../../../agent/drivers/outcome.ts';
import { resolvePath } from '../../../agent/files/resolve-paths.ts';
import type { Internet } from '../../../agent/scripts/network/with-network.ts';
import type { SandboxSystem } from '../../../agent/scripts/run-in-sandbox.ts';
import { runScript } from '../../../agent/scripts/run-script.ts';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import type { RunScriptParameters, ScriptResult } from '../../../src/contract/scripts.ts';
import { homeFolder } from '../home-folder.ts';
import { asDescribed } from '../result-shape.ts';

/** A real home folder with secrets, a folder `work` for scripts, and the agent's own way to run a script. */
export function createScriptsRig(internet: Internet = {}) {
  // The sandbox has a folder /tmp of its own, in which a script may write.
  const root = realpathSync(mkdtempSync('/var/tmp/handrail-scripts-'));
  const home = join(root, 'home');
  for (const folder of ['home/.ssh', 'home/work', 'home/private']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(home, '.ssh/id_rsa'), 'SECRET-KEY');
  writeFileSync(join(home, 'private/diary.txt'), 'SECRET-DIARY');
  writeFileSync(join(home, 'work/notes.txt'), 'notes\n');
  const controller = new AbortController();

  async function judged(...paths: string[]): Promise<ResolvedPath[]> {
    const answers = await Promise.all(paths.map((path) => resolvePath(path, { path: home })));
    return answers.flatMap((answer) => ('ok' in answer ? [] : answer));
  }

  async function perform(
    parameters: RunScriptParameters,
    files: ResolvedPath[],
    more: Partial<Attempt> = {},
    system: SandboxSystem = {},
  ) {
    const targets = files.map((file) => ({ kind: 'path' as const, path: file.path, file }));
    const attempt = { signal: controller.signal, deadlineMs: 20_000, targets, ...more };
    const outcome = await runScript(parameters, attempt, { home: { path: home }, internet, ...system });
    return asDescribed('RunScript', outcome);
  }

  return {
    root,
    ...homeFolder(home),
    controller,
    judged,
    perform,
    /** Judges the paths of a script and runs it at once, in `work` unless told otherwise. */
    async run(
      script: string,
      more: Partial<RunScriptParameters> = {},
      attempt: Partial<Attempt> = {},
      system: SandboxSystem = {},
    ) {
      const parameters = { interpreter: 'sh' as const, folder: '~/work', script, ...more };
      return perform(parameters, await judged(parameters.folder, ...(more.writes ?? [])), attempt, system);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Every file below a folder with a hash of its contents, except below `except`: what a script must leave as it is. */
export function ledgerOf(folder: string, except: string): Record<string, string> {
  const ledger: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.startsWith(`${except}/`)) continue;
    if (entry.isFile()) ledger[path] = hash('sha256', readFileSync(path));
    else ledger[path] = entry.isSymbolicLink() ? readlinkSync(path) : 'no file';
  }
  return ledger;
}

export function ranWell(outcome: Outcome<ScriptResult>): ScriptResult & { stdout: string; stderr: string } {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  const text = (name: 'stdout' | 'stderr') => {
    const bytes = outcome.attachments?.[outcome.data.outputs.indexOf(name)]?.bytes;
    return bytes === undefined ? '' : Buffer.from(bytes).toString();
  };
  return { ...outcome.data, stdout: text('stdout'), stderr: text('stderr') };
}
