import type { FileInside, FolderInside } from '../../contract/files.ts';
import type { Rules } from '../actions/admission.ts';

/** So many characters of contents of files are kept for the prompt of one plan. */
export const MOST_PLAN_CONTENTS = 512 * 1024;

/**
 * The rules for the steps of one task. A plan that waits keeps the contents of files that its prompt shows, and a hundred steps may
 * name large ones. Beyond the budget contents count as not known: such a step is of a higher risk, and asks again at its turn.
 */
export function withContentsBudget(rules: Rules): Rules {
  let left = MOST_PLAN_CONTENTS;

  function isWithinBudget(inside: FileInside | FolderInside): boolean {
    left -= 'text' in inside ? inside.text.length : inside.names.reduce((sum, name) => sum + name.length + 1, 0);
    return left >= 0;
  }

  return {
    ...rules,
    artifactOf(userId, artifactId) {
      const contents = rules.artifactOf(userId, artifactId);
      return contents !== undefined && isWithinBudget(contents) ? contents : undefined;
    },
    paths: {
      find(question) {
        const answer = rules.paths.find(question);
        if (answer?.ok !== true || answer.file.inside === undefined || isWithinBudget(answer.file.inside))
          return answer;
        const { inside: _inside, ...file } = answer.file;
        return { ok: true, file };
      },
    },
  };
}
