import type { ResolvedPath } from '../../contract/files.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { isWithin } from '../../domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';

export type FileParams = Pick<PerformParams, 'files' | 'keepAt' | 'contents'>;

/** The facts that the agent needs for an action on files; none for any other action. */
export function fileParams({ store }: Context, row: ActionRow, assessment: Assessment | undefined): FileParams {
  if (row.files === undefined) return {};
  const keepAt = row.effectClass === 'once' ? { keepAt: store.formerVersions.pathOf(row.id) } : {};
  return {
    files: [...row.files, ...ownData(store, row)],
    ...keepAt,
    ...contentsOf(store, row, assessment?.artifactId),
  };
}

/** The agent does not know where the daemon keeps its data, and has to hide it from a script whose folder holds it. */
function ownData({ home }: Context['store'], { actionType, files = [] }: ActionRow): ResolvedPath[] {
  if (CATALOGUE.get(actionType)?.isSandboxed !== true) return [];
  const { realPath, folder } = home;
  if (!files.some((file) => isWithin(realPath, file.realPath))) return [];
  return [{ path: realPath, realPath, kind: 'folder', folder, secret: "Handrail's own data" }];
}

/** The artifact that the action names, if it belongs to the same user and is still kept. */
function contentsOf(
  store: Context['store'],
  { userId }: ActionRow,
  artifactId: string | undefined,
): Pick<FileParams, 'contents'> {
  const artifact = artifactId === undefined ? undefined : store.artifacts.find(userId, artifactId);
  if (artifact === undefined || artifact.removedAtMs !== undefined) return {};
  return { contents: { path: store.artifactFiles.pathOf(artifact.id), sha256: artifact.sha256 } };
}
