import type { Risk } from '../../contract/action.ts';
import type { AllowedFolder } from '../../contract/files.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import { assessRow } from './kept-assessments.ts';

/** An allowed folder, with the user that it is allowed for; `*` is everybody. */
type Allowance = AllowedFolder & { userId: string };

/** The folders that were allowed before a change of the person, and after it. */
export type LostFolders = { before: readonly Allowance[]; after: readonly Allowance[] };

const EVERYBODY = '*';

/** Whether an action that waits needs a folder that is no longer allowed: without it there is a further reason for its risk. */
export function needsLostFolder({ before, after }: LostFolders, row: ActionRow): boolean {
  if (row.files === undefined) return false;
  const own = (folders: readonly Allowance[]) =>
    folders.filter(({ userId }) => userId === row.userId || userId === EVERYBODY);
  const [former, now] = [riskOf(row, own(before)), riskOf(row, own(after))];
  if (former === undefined || now === undefined || !isAtLeast(now.level, former.level)) return false;
  return now.reasons.some((reason) => !former.reasons.includes(reason));
}

function riskOf(row: ActionRow, folders: readonly AllowedFolder[]): Risk | undefined {
  return assessRow(row, { folders })?.risk;
}
