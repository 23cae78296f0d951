import type { Guard } from './guards.ts';

const ATTACKS = 'test/services/hands-attacks.test.ts';
const OLDER = 'test/store/database/older.test.ts';

/** The guards that came with the third review. */
export const THIRD_REVIEW_GUARDS: readonly Guard[] = [
  guard('N25', 'the same numbers in two pictures are two places', {
    file: 'src/contract/targets.ts',
    from: "return ['point', reference.x, reference.y, reference.frameId ?? null];",
    to: "return ['point', reference.x, reference.y];",
    failed: [
      ATTACKS,
      'N25: a drag whose end has the numbers of its beginning in another picture is judged by what lies at its end',
    ],
  }),
  guard('S9', 'the newer of the database and the second copy holds', {
    file: 'src/store/database/renewal.ts',
    from: "if (comparison.kind !== 'differs' && !isJournalBroken) return undefined;",
    to: "if (comparison.kind !== 'alone' || !isJournalBroken) return undefined;",
    failed: [OLDER, 'S9: the lost write-ahead log of a running store opens nothing that the person closed'],
  }),
];

type Removed = { file: string; from: string; to: string; failed: [test: string, title: string] };

function guard(row: string, what: string, { file, from, to, failed: [test, title] }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: test, title } };
}
