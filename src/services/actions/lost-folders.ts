import type { AllowedFolder } from '../../contract/files.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Allowance, LostFolders } from '../call-off.ts';
import { assessRow } from './kept-assessments.ts';

const EVERYBODY = '*';

/** Whether an action that waits needs a folder that is no longer allowed: one of its paths is outside of them only now. */
export function needsLostFolder({ before, after }: LostFolders, row: ActionRow): boolean {
  if (filesIn(row.targets).length === 0) return false;
  const own = (folders: readonly Allowance[]) =>
    folders.filter(({ userId }) => userId === row.userId || userId === EVERYBODY);
  const [former, now] = [outsideOf(row, own(before)), outsideOf(row, own(after))];
  return now.some((path) => !former.includes(path));
}

function outsideOf(row: ActionRow, folders: readonly AllowedFolder[]): readonly string[] {
  return assessRow(row, { folders })?.outside ?? [];
}
