import { hash } from 'node:crypto';
import type { AllowedFolderList, FolderAllowance, OwnAccess } from '../../contract/access.ts';
import type { AllowedFolder } from '../../contract/files.ts';
import { filesIn, pathReference } from '../../domain/catalogue/file-target.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { termTimestamp, timestamp } from '../steady-clock.ts';
import { seenIn, type Targets } from '../targets/targets.ts';
import { endsAtMs } from './grants.ts';
import type { Permissions } from './permissions.ts';

const EVERYBODY = '*';
const MOST_FOLDERS = 200;

export type AllowedFolders = ReturnType<typeof createAllowedFolders>;

type Parts = {
  permissions: Pick<Permissions, 'change' | 'policyVersion'>;
  targets: Pick<Targets, 'sight'>;
};

/** The folders that the person lets requesters use. Each change is a change of the rules. */
export function createAllowedFolders({ store, clock }: Context, { permissions, targets }: Parts) {
  let known = { rows: store.allowedFolders.list(), policyVersion: permissions.policyVersion() };

  /** As of the latest rules, also for the part that is told first that these have changed. */
  function current() {
    const policyVersion = permissions.policyVersion();
    if (policyVersion !== known.policyVersion) known = { rows: store.allowedFolders.list(), policyVersion };
    return known.rows;
  }

  function list(): AllowedFolderList {
    return { items: current().map(({ addedAtMs, ...row }) => ({ ...row, addedAt: timestamp(addedAtMs) })) };
  }

  /** The real path of a folder that may be allowed, or why it may not. */
  async function realFolder(path: string): Promise<string | Refusal> {
    const reference = pathReference(path);
    const { targets: found, lost } = seenIn(await targets.sight([reference]), [reference]);
    const [file] = filesIn(found);
    if (file === undefined) return refusal(lost?.message ?? 'The device agent did not look the folder up.');
    const { realPath, kind, secret } = file;
    if (kind !== 'folder') return refusal(`${realPath} is ${kind === 'missing' ? 'not there' : 'not a folder'}.`);
    if (secret !== undefined) return refusal(`${realPath} is a secret place (${secret}), which no action may touch.`);
    if (realPath === '/') return refusal('The whole disk cannot be allowed; name a folder on it.');
    return realPath;
  }

  function othersThan(userId: string, path: string) {
    return current().filter((row) => row.userId !== userId || row.path !== path);
  }

  return {
    list,
    /** The folders that this user may use: its own and those for everybody. */
    of: (userId: string): readonly AllowedFolder[] =>
      current().filter((row) => row.userId === userId || row.userId === EVERYBODY),
    /** Allows a folder with everything below it, or changes what may be done there. Links on the path are followed once, now. */
    async allow({ userId, path, access, isReal }: FolderAllowance): Promise<AllowedFolderList | Refusal> {
      const realPath = await realFolder(path);
      if (isRefusal(realPath)) return realPath;
      // A requester may have put a link there since the person read the path.
      // guard P5-1
      if (isReal === true && realPath !== path)
        return refusal(`${path} leads elsewhere by now, so it was not allowed.`);
      const others = othersThan(userId, realPath);
      if (others.length >= MOST_FOLDERS) return refusal(`At most ${MOST_FOLDERS} folders can be allowed; remove one.`);
      const row = { userId, path: realPath, access, addedAtMs: clock.nowMs() };
      const metadata = { to: userId, folder: folderDigest(realPath), access };
      const lost = { because: 'folders_lost', before: current(), after: [...others, row] } as const;
      permissions.change({ kind: 'folder.allowed', metadata }, () => store.allowedFolders.put(row), lost);
      return list();
    },
    /** Takes a folder back, and calls off the actions that need it and were not sent, also those that wait for the person. */
    remove({ userId, path }: Pick<FolderAllowance, 'userId' | 'path'>): AllowedFolderList | Refusal {
      if (!current().some((row) => row.userId === userId && row.path === path))
        return { refused: 'not_found', detail: 'This folder is not allowed for this user id.' };
      const metadata = { to: userId, folder: folderDigest(path) };
      const lost = { because: 'folders_lost', before: current(), after: othersThan(userId, path) } as const;
      permissions.change({ kind: 'folder.removed', metadata }, () => store.allowedFolders.remove(userId, path), lost);
      return list();
    },
  };
}

/** Tells folders apart in the journal without naming them. */
function folderDigest(path: string): string {
  return hash('sha256', path).slice(0, 16);
}

function refusal(detail: string): Refusal {
  return { refused: 'validation_failed', detail };
}

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
