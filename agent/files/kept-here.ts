import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { type PerformParams, UNDO_FILE } from '../../src/contract/link.ts';
import { UNDO_KEPT_MS } from '../../src/contract/times.ts';

const FOLDER = process.platform === 'darwin' ? 'Library/Application Support' : '.local/share';

/**
 * The daemon of another computer names a place there for the former version of a file. On this one it is kept in a private folder of the
 * account, under the same name, for as long as it can be put back.
 */
export function createKeptHere(folder = join(homedir(), FOLDER, 'handrail-agent')) {
  const here = (path: string) => join(folder, basename(path));

  function sweep(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const path of readdirSync(folder).map(here))
      if (statSync(path).mtimeMs < Date.now() - UNDO_KEPT_MS) rmSync(path, { force: true });
  }

  return ({ keepAt, ...params }: PerformParams): PerformParams => {
    if (keepAt !== undefined) {
      sweep();
      return { ...params, keepAt: here(keepAt) };
    }
    const { formerAt } = params.parameters;
    if (params.actionType !== UNDO_FILE || typeof formerAt !== 'string') return params;
    return { ...params, parameters: { ...params.parameters, formerAt: here(formerAt) } };
  };
}
