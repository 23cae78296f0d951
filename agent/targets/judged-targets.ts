import type { ResolvedPath } from '../../src/contract/files.ts';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import type { ControlTarget, Target, TargetReference } from '../../src/contract/targets.ts';
import type { Attempt } from '../drivers/outcome.ts';

type Judged = Pick<Attempt, 'targets'>;

/** The target that was judged for an app name. */
export function judgedApp({ targets = [] }: Judged, name: string): Target | undefined {
  return targets.find((target) => target.kind === 'app' && target.name === name);
}

/** The app that was judged to open the addresses of a scheme. */
export function judgedOpener({ targets = [] }: Judged, scheme: string): Target | undefined {
  return targets.find((target) => target.kind === 'opener' && target.scheme === scheme);
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
  return targets.flatMap((target) => ('control' in target && isFor(target, reference) ? target : []))[0];
}

function isFor(target: ControlTarget, reference: TargetReference): boolean {
  switch (reference.kind) {
    case 'element':
      return target.kind === 'element' && target.elementId === reference.elementId;
    case 'point':
      return (
        target.kind === 'point' &&
        target.frameId === reference.frameId &&
        target.x === reference.x &&
        target.y === reference.y
      );
    default:
      return target.kind === reference.kind;
  }
}
