import type { Guard } from './guards.ts';

const TEST = 'test/services/console/run-files.test.ts';
const FORGED = 'a forger who seals the file anew and changed %s is found by the rows';

/** The guards of a saved run: rows S7 and S8 of the attack table. */
export const RUN_FILE_GUARDS: readonly Guard[] = [
  guard('S7', 'the digest at the end of a saved run covers the whole page', {
    mark: 'S7-1',
    becomes: '',
    title: 'S7: every byte of a saved run counts',
  }),
  guard('S7', 'a saved run shows its record and nothing else', {
    mark: 'S7-2',
    becomes: "if (opened.page === '') return { fault: 'it shows something else than its record says' };",
    title: FORGED,
  }),
  guard('S7', 'each row of a saved run has the hash that follows from the row before', {
    mark: 'S7-3',
    becomes: "if (expected.toString('hex') === '') return `row ${seq} of the journal does not have its hash`;",
    title: FORGED,
  }),
  guard('S7', 'the arguments in a saved run have the digest of their row', {
    mark: 'S7-4',
    becomes: "if (subject !== undefined && hash('sha256', subject) === '')",
    title: FORGED,
  }),
  guard('S7', 'a saved run is called proven only under the key of the journal', {
    mark: 'S7-5',
    becomes: 'const isOwn = key !== undefined && isSignedBy(opened, key) !== undefined;',
    title: 'a forger who computes all hashes anew has no seal of this computer',
  }),
  guard('S8', 'the marks of HTML are escaped in a saved run', {
    mark: 'S8-1',
    becomes: 'return seen;',
    title: 'S8: nothing of a requester becomes markup or invisible in a saved run',
  }),
  guard('S8', 'characters that show nothing are escaped in the record of a saved run', {
    mark: 'S8-2',
    becomes: 'const seen = JSON.stringify(value);',
    title: 'S8: nothing of a requester becomes markup or invisible in a saved run',
  }),
];

type Removed = { mark: string; becomes: string; title: string };

function guard(row: string, what: string, { mark, becomes, title }: Removed): Guard {
  return { row, removed: { mark, what, becomes }, failed: { file: TEST, title } };
}
