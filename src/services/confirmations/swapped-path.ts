import type { ResolvedPath } from '../../contract/files.ts';
import type { Target } from '../../contract/targets.ts';
import { filesIn, isWithin } from '../../domain/catalogue/file-target.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';

/**
 * Whether another file, or the same with other contents, lies at a path of a step than at the time its plan was asked about: the path is
 * the same, and a requester may have moved another one there or written into it. What other steps of the task make, move or write there is
 * no swap, since the plan shows them.
 */
export function hasSwappedPath(
  { steps }: Pick<TaskRow, 'steps'>,
  { id, targets }: Pick<StepRow, 'id' | 'targets'>,
  now: readonly Target[],
): boolean {
  const changing = steps.filter((other) => other.id !== id && other.effectClass !== 'pure');
  const changed = changing.flatMap((other) => filesIn(other.targets));
  const asked = new Map(filesIn(targets).map((file) => [file.path, file]));
  return filesIn(now).some((file) => {
    const before = asked.get(file.path);
    const isSwapped = before !== undefined && !(isSame(before, file) && isUnchanged(before, file));
    return isSwapped && !changed.some((place) => isWithin(file.realPath, place.realPath));
  });
}

/** Nothing at both times is the same, too. */
function isSame({ identity: one }: ResolvedPath, { identity: other }: ResolvedPath): boolean {
  return one?.device === other?.device && one?.inode === other?.inode;
}

function isUnchanged(one: ResolvedPath, other: ResolvedPath): boolean {
  return one.sizeBytes === other.sizeBytes && one.changedNs === other.changedNs;
}
