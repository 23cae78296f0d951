import type { FileInside, FolderInside } from '../../contract/files.ts';
import type { LostTarget, Target } from '../../contract/targets.ts';
import type { Rules } from '../actions/admission.ts';
import { withoutContents } from '../targets/identity.ts';
import type { Sight } from '../targets/sight.ts';

/** So many characters of contents of files are kept for the prompt of one plan. */
export const MOST_PLAN_CONTENTS = 512 * 1024;

/**
 * The rules and the sight for the steps of one task. A plan that waits keeps the contents of files that its prompt shows, and a
 * hundred steps may name large ones. Beyond the budget contents count as not known: such a step is of a higher risk, and asks again at
 * its turn.
 */
export function withContentsBudget({ rules, sight }: { rules: Rules; sight: Sight }): { rules: Rules; sight: Sight } {
  let left = MOST_PLAN_CONTENTS;

  function isWithinBudget(inside: FileInside | FolderInside): boolean {
    left -= 'text' in inside ? inside.text.length : inside.names.reduce((sum, name) => sum + name.length + 1, 0);
    return left >= 0;
  }

  function limited(target: Target | LostTarget): Target | LostTarget {
    if (target.kind !== 'path' || target.file.inside === undefined || isWithinBudget(target.file.inside)) return target;
    return withoutContents(target);
  }

  return {
    sight: new Map([...sight].map(([key, target]) => [key, limited(target)])),
    rules: {
      ...rules,
      artifactOf(userId, artifactId) {
        const contents = rules.artifactOf(userId, artifactId);
        return contents !== undefined && isWithinBudget(contents) ? contents : undefined;
      },
    },
  };
}
