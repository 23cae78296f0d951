import type { FileInside, FolderInside } from '../../contract/files.ts';
import type { LostTarget, Target } from '../../contract/targets.ts';
import type { Rules } from '../actions/admission.ts';
import { withoutContents } from '../targets/identity.ts';
import type { Sight } from '../targets/sight.ts';
import type { SightOf } from './task-sight.ts';

type Budgeted = { rules: Rules; sightOf: SightOf };

/** So many characters of contents of files are kept for the prompt of one plan. */
export const MOST_PLAN_CONTENTS = 512 * 1024;

/**
 * The rules and the sight for the steps of one task. A plan that waits keeps the contents of files that its prompt shows, and a
 * hundred steps may name large ones. Beyond the budget contents count as not known: such a step is of a higher risk, and asks again at
 * its turn.
 */
export function withContentsBudget({ rules, sightOf }: Budgeted): Budgeted {
  let left = MOST_PLAN_CONTENTS;

  function isWithinBudget(inside: FileInside | FolderInside): boolean {
    left -= 'text' in inside ? inside.text.length : inside.names.reduce((sum, name) => sum + name.length + 1, 0);
    return left >= 0;
  }

  function limited(target: Target | LostTarget): Target | LostTarget {
    if (target.kind !== 'path' || target.file.inside === undefined || isWithinBudget(target.file.inside)) return target;
    return withoutContents(target);
  }

  const sights = new Map<Sight, Sight>();

  function limitedSight(sight: Sight): Sight {
    const known = sights.get(sight);
    if (known !== undefined) return known;
    const made = new Map([...sight].map(([key, target]) => [key, limited(target)]));
    sights.set(sight, made);
    return made;
  }

  return {
    sightOf: (deviceId) => limitedSight(sightOf(deviceId)),
    rules: {
      ...rules,
      artifactOf(userId, artifactId) {
        const contents = rules.artifactOf(userId, artifactId);
        return contents !== undefined && isWithinBudget(contents) ? contents : undefined;
      },
    },
  };
}
