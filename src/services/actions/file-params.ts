import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResolvedPath } from '../../contract/files.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { isWithinOwn, type OwnPlace, ownPlaces } from '../own-places.ts';

export type FileParams = Pick<PerformParams, 'files' | 'keepAt' | 'contents'>;

export type FileParamsOf = (row: ActionRow, assessment: Assessment | undefined) => FileParams;

/** The facts that the agent needs for an action on files; none for any other action. */
export function createFileParams({ store }: Context): FileParamsOf {
  const places = ownPlaces(store.path).map(asSecret);

  return (row, assessment) => {
    if (row.files === undefined) return {};
    const keepAt = row.effectClass === 'once' ? { keepAt: store.formerVersions.pathOf(row.id) } : {};
    return {
      files: [...row.files, ...places.filter(({ realPath }) => isHeld(realPath, row))],
      ...keepAt,
      ...contentsOf(store, row, assessment?.artifactId),
    };
  };
}

/**
 * The agent does not know where the daemon keeps its data and where its program is. It hides them from a script whose folder holds
 * them, and neither lists nor moves them.
 */
function asSecret({ path, name }: OwnPlace): ResolvedPath {
  const { dev, ino } = statSync(dirname(path), { bigint: true });
  const folder = { device: String(dev), inode: String(ino) };
  return { path, realPath: path, kind: 'folder', folder, secret: name };
}

function isHeld(realPath: string, { files = [] }: ActionRow): boolean {
  return files.some((file) => isWithinOwn(realPath, file.realPath));
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
