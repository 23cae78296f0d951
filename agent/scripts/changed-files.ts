import { type ChangedFile, MAX_CHANGED_FILES } from '../../src/contract/scripts.ts';

const MOST_BYTES = 1_000_000;

type Changes = { changedFiles: ChangedFile[]; changedFilesComplete: boolean };

/** The differences between two looks at the same folders, by path. */
export function changedFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Changes {
  const found: ChangedFile[] = [];
  for (const [path, facts] of after) {
    const former = before.get(path);
    if (former !== facts) found.push({ path, change: former === undefined ? 'created' : 'changed' });
  }
  for (const path of before.keys()) if (!after.has(path)) found.push({ path, change: 'removed' });
  const sorted = found.toSorted((one, other) => (one.path < other.path ? -1 : 1)).slice(0, MAX_CHANGED_FILES);
  let bytes = 0;
  const kept = sorted.filter((file) => {
    bytes += Buffer.byteLength(JSON.stringify(file));
    return bytes <= MOST_BYTES;
  });
  return { changedFiles: kept, changedFilesComplete: kept.length === found.length };
}
