import type { ResolvedPath } from '../../src/contract/files.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import {
  type ControlTarget,
  fileFor,
  type Target,
  type TargetReference,
  targetFor,
} from '../../src/contract/targets.ts';
import type { Attempt } from '../drivers/outcome.ts';

type Judged = Pick<Attempt, 'targets'>;

/** The target that was judged for an app name. */
export function judgedApp({ targets = [] }: Judged, name: string): Target | undefined {
  return targetFor(targets, { kind: 'app', name });
}

/** The app that was judged to open the addresses of a scheme. */
export function judgedOpener({ targets = [] }: Judged, scheme: string): Target | undefined {
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  return targetFor(targets, { kind: 'opener', scheme });
}

/** The window that was judged for an id. It may have been judged as one that may be hidden. */
export function judgedWindow({ targets = [] }: Judged, windowId: string | undefined): ResolvedWindow | undefined {
  if (windowId === undefined) return undefined;
  const judged =
    targetFor(targets, { kind: 'window', windowId }) ?? targetFor(targets, { kind: 'window', windowId, hidden: true });
  return judged?.kind === 'window' ? judged.window : undefined;
}

/** The place to which a path of the action led when it was judged. */
export function judgedFile({ targets = [] }: Judged, path: string): ResolvedPath | undefined {
  return fileFor(targets, path);
}

/** The places to which the paths of the action led when it was judged. */
export function judgedFiles({ targets = [] }: Judged): readonly ResolvedPath[] {
  return targets.flatMap((target) => (target.kind === 'path' ? target.file : []));
}

/** The control that was judged for an element, a point or the focus. */
export function judgedControl({ targets = [] }: Judged, reference: TargetReference): ControlTarget | undefined {
  const target = targetFor(targets, reference);
  return target !== undefined && 'control' in target ? target : undefined;
}
