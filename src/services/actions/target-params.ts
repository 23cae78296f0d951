import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResolvedPath } from '../../contract/files.ts';
import type { PerformParams } from '../../contract/link.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { filesIn } from '../../domain/catalogue/file-target.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';
import { isWithinOwn, type OwnPlace, ownPlaces } from '../targets/own-places.ts';

export type TargetParams = Pick<PerformParams, 'targets' | 'keepAt' | 'contents'>;

/** The targets of an action as they were judged, and further facts for an action on files. */
export function createTargetParams({ store }: Context) {
  const places = ownPlaces(store.path).map(asSecret);

  return (row: ActionRow, assessment: Assessment | undefined): TargetParams => {
    const { targets = [] } = row;
    const files = filesIn(targets);
    if (files.length === 0) return targets.length === 0 ? {} : { targets: [...targets] };
    const keepAt = row.effectClass === 'once' ? { keepAt: store.formerVersions.pathOf(row.id) } : {};
    const held = places.filter(({ realPath }) => files.some((file) => isWithinOwn(realPath, file.realPath)));
    return {
      targets: [...targets, ...held.map((file) => ({ kind: 'path' as const, path: file.path, file }))],
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

/** The artifact that the action names, if it belongs to the same user and is still kept. */
function contentsOf(
  store: Context['store'],
  { userId }: ActionRow,
  artifactId: string | undefined,
): Pick<TargetParams, 'contents'> {
  const artifact = artifactId === undefined ? undefined : store.artifacts.find(userId, artifactId);
  if (artifact === undefined || artifact.removedAtMs !== undefined) return {};
  return { contents: { path: store.artifactFiles.pathOf(artifact.id), sha256: artifact.sha256 } };
}
