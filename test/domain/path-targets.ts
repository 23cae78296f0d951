import type { ResolvedPath } from '../../src/contract/files.ts';
import type { Target } from '../../src/contract/targets.ts';

/** Paths as the targets of an action. */
export function pathTargets(files: readonly ResolvedPath[]): Target[] {
  return files.map((file) => ({ kind: 'path', path: file.path, file }));
}
