import type { ResolvedPath } from '../../src/contract/files.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import {
  type ControlTarget,
  controlTargetFor,
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
export function judgedOpener({ targets = [] }: Judged, scheme: 'http' | 'https' | 'mailto'): Target | undefined {
  return scheme === 'mailto' ? undefined : targetFor(targets, { kind: 'opener', scheme });
}

/** The window that was judged for an id. */
export function judgedWindow({ targets = [] }: Judged, windowId: string | undefined): ResolvedWindow | undefined {
  const judged = targets.find((target) => target.kind === 'window' && target.windowId === windowId);
  return judged?.kind === 'window' ? judged.window : undefined;
}

/** The places to which the paths of the action led when it was judged. */
export function judgedFiles({ targets = [] }: Judged): readonly ResolvedPath[] {
  return targets.flatMap((target) => (target.kind === 'path' ? target.file : []));
}

/** The control that was judged for an element, a point or the focus. */
export function judgedControl({ targets = [] }: Judged, reference: TargetReference): ControlTarget | undefined {
  return controlTargetFor(targets, reference);
}
