import { type ChangedFile, MAX_CHANGED_FILES } from '../../src/contract/scripts.ts';
import type { Overview } from './look-over.ts';

const MOST_BYTES = 1_000_000;

type Looked = { files: ReadonlyMap<string, string>; end: Overview['end'] };
type Changes = {
  changedFiles: ChangedFile[];
  changedFilesComplete: boolean;
  /** The number of all changes. The list may hold fewer. */
  found: number;
};

/** The differences between two looks at the same folders, by path. A look that is not whole does not tell which files are gone. */
export function changedFiles({ files: before }: Pick<Looked, 'files'>, { files: after, end }: Looked): Changes {
  const found: ChangedFile[] = [];
  for (const [path, facts] of after) {
    const former = before.get(path);
    if (former !== facts) found.push({ path, change: former === undefined ? 'created' : 'changed' });
  }
  const gone = end === 'whole' ? before.keys() : [];
  for (const path of gone) if (!after.has(path)) found.push({ path, change: 'removed' });
  const sorted = found.toSorted((one, other) => (one.path < other.path ? -1 : 1)).slice(0, MAX_CHANGED_FILES);
  let bytes = 0;
  const kept = sorted.filter((file) => {
    bytes += Buffer.byteLength(JSON.stringify(file));
    return bytes <= MOST_BYTES;
  });
  const changedFilesComplete = end === 'whole' && kept.length === found.length;
  return { changedFiles: kept, changedFilesComplete, found: found.length };
}
