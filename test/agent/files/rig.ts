import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attempt, Outcome } from '../../../agent/drivers/outcome.ts';
import { resolvePath } from '../../../agent/files/resolve-paths.ts';
import { PERFORMERS } from '../../../agent/performers.ts';
import type { ResolvedPath } from '../../../src/contract/files.ts';
import { homeFolder } from '../home-folder.ts';
import { asDescribed } from '../result-shape.ts';

/** A real home folder with an allowed folder `work`, secrets beside it, and the agent's own way to act on files. */
export function createFilesRig() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-files-')));
  const home = join(root, 'home');
  for (const folder of ['home/.ssh', 'home/work', 'kept']) mkdirSync(join(root, folder), { recursive: true });
  const controller = new AbortController();

  async function judged(...paths: string[]): Promise<ResolvedPath[]> {
    const answers = await Promise.all(paths.map((path) => resolvePath(path, { path: home })));
    return answers.flatMap((answer) => ('ok' in answer ? [] : answer));
  }

  async function perform(
    type: string,
    parameters: Record<string, unknown>,
    files: readonly ResolvedPath[],
    more: Partial<Attempt> = {},
  ): Promise<Outcome<unknown>> {
    const attempt = {
      signal: controller.signal,
      deadlineMs: 10_000,
      keepAt: join(root, 'kept/former'),
      targets: files.map((file) => ({ kind: 'path' as const, path: file.path, file })),
      ...more,
    };
    const driver = () => Promise.reject(new Error('files need no driver'));
    const performer = PERFORMERS.get(type);
    if (performer === undefined) throw new Error(`no performer for ${type}`);
    return asDescribed(type, await performer({ parameters, attempt, driver }));
  }

  return {
    root,
    ...homeFolder(home),
    judged,
    perform,
    /** Judges the paths of an action and performs it at once. */
    async act(type: string, parameters: Record<string, unknown>, more: Partial<Attempt> = {}) {
      const paths = ['path', 'from', 'to'].flatMap((name) => (name in parameters ? String(parameters[name]) : []));
      return perform(type, parameters, await judged(...paths), more);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
