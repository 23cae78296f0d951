import type { Guard } from './guards.ts';

const TEST = 'test/services/console/run-files.test.ts';
const FORGED = 'a forger who seals the file anew and changed %s is found by the rows';

/** The guards of a saved run: rows S7 and S8 of the attack table. */
export const RUN_FILE_GUARDS: readonly Guard[] = [
  guard('S7', 'the digest at the end of a saved run covers the whole page', {
    file: 'src/run-file/check-run.ts',
    from: "if (!opened.isWhole) return { fault: 'it was changed after it was sealed' };",
    to: '',
    title: 'S7: every byte of a saved run counts',
  }),
  guard('S7', 'a saved run shows its record and nothing else', {
    file: 'src/run-file/check-run.ts',
    from: 'if (runPage(record, pictures) !== opened.page) return',
    to: "if (opened.page === '') return",
    title: FORGED,
  }),
  guard('S7', 'each row of a saved run has the hash that follows from the row before', {
    file: 'src/run-file/check-run.ts',
    from: "if (expected.toString('hex') !== row.hash) return",
    to: "if (expected.toString('hex') === '') return",
    title: FORGED,
  }),
  guard('S7', 'the arguments in a saved run have the digest of their row', {
    file: 'src/run-file/check-run.ts',
    from: "if (subject !== undefined && hash('sha256', subject) !== requested.digest)",
    to: "if (subject !== undefined && hash('sha256', subject) === '')",
    title: FORGED,
  }),
  guard('S7', 'a saved run is called proven only under the key of the journal', {
    file: 'src/run-file/check-run.ts',
    from: 'const isOwn = key !== undefined && isSignedBy(opened, key);',
    to: 'const isOwn = key !== undefined && isSignedBy(opened, key) !== undefined;',
    title: 'a forger who computes all hashes anew has no seal of this computer',
  }),
  guard('S8', 'the marks of HTML are escaped in a saved run', {
    file: 'src/run-file/run-page.ts',
    from: "return seen.replace(/[&<>\"']/g, (mark) => MARKS[mark] ?? '');",
    to: 'return seen;',
    title: 'S8: nothing of a requester becomes markup or invisible in a saved run',
  }),
  guard('S8', 'characters that show nothing are escaped in the record of a saved run', {
    file: 'src/run-file/run-page.ts',
    from: ".replace(UNSEEN_IN_LINES, (character) => character.split('').map(unitOf).join(''))",
    to: '',
    title: 'S8: nothing of a requester becomes markup or invisible in a saved run',
  }),
];

type Removed = { file: string; from: string; to: string; title: string };

function guard(row: string, what: string, { file, from, to, title }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: TEST, title } };
}
