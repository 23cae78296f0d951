import type { OwnAccess } from '../../contract/access.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Context } from '../context.ts';
import { termTimestamp } from '../steady-clock.ts';
import type { AllowedFolders } from './allowed-folders.ts';
import { endsAtMs } from './grants.ts';

/** Tells a requester what the person lets it do now, and for how long. */
export function createOwnAccess({ store, clock }: Context, { folders }: { folders: Pick<AllowedFolders, 'of'> }) {
  return (userId: string): OwnAccess => {
    const nowMs = clock.nowMs();
    const own = store.grants.live(nowMs).filter((row) => row.userId === userId);
    const term = (row: GrantRow) => ({
      allows: row.literal,
      expiresAt: termTimestamp(clock, endsAtMs(row)),
      secondsLeft: Math.floor((endsAtMs(row) - nowMs) / 1_000),
    });
    const isAccess = ({ actionType }: GrantRow) => actionType === requestAccess.name;
    return {
      access: own.filter(isAccess).map(term),
      grants: own
        .filter((row) => !isAccess(row))
        .map((row) => ({
          actionType: row.actionType,
          ...term(row),
          taskId: row.taskId,
        })),
      folders: folders.of(userId).map(({ path, access }) => ({ path, access })),
    };
  };
}
