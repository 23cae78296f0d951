import type { Guard } from './guards.ts';

const CODE = 'test/services/sessions/code-on-screen.test.ts';
const HANDS = 'test/agent/hands.test.ts';
const OLDER = 'test/store/database/older.test.ts';

/** The guards that came with the third review. */
export const THIRD_REVIEW_GUARDS: readonly Guard[] = [
  guard('S9', 'the newer of the database and the second copy holds', {
    file: 'src/store/database/renewal.ts',
    from: "if (comparison.kind !== 'differs' && !isJournalBroken) return undefined;",
    to: "if (comparison.kind !== 'alone' || !isJournalBroken) return undefined;",
    failed: [OLDER, 'S9: the lost write-ahead log of a running store opens nothing that the person closed'],
  }),
  guard('A26', 'no look runs unasked while a sign-in code is good', {
    file: 'src/services/actions/admission.ts',
    from: 'assessment.showsContents === true && rules.isCodeGood();',
    to: 'assessment.showsContents === true && rules.isCodeGood() && false;',
    failed: [CODE, 'A26: while a sign-in code is good $actionType asks under every profile; afterwards it runs'],
  }),
  guard('A26', 'a look ends the code that it could have shown', {
    file: 'src/services/actions/execution.ts',
    from: '      reported.add(row.id);\n      noteLook(row);',
    to: '      reported.add(row.id);',
    failed: [CODE, 'A26: a code that was made while a look was under way ends with that look'],
  }),
  guard('N42', 'a text is typed only in the documents that were judged', {
    file: 'agent/hands/keyboard.ts',
    from: '  if (!isSamePage(focus, judged)) return false;\n',
    to: '  if (!isSamePage(focus, focus)) return false;\n',
    failed: [HANDS, 'N42: nothing is typed where a click gives the keyboard to a field of the same name %s'],
  }),
  guard('N42', 'between the keys for a page it is seen that they still reach it', {
    file: 'agent/hands/same-page.ts',
    from: 'isSamePage(pagesOf(found.data), judged) ? null : ANOTHER_PAGE;',
    to: 'isSamePage(pagesOf(found.data), judged) ? null : null;',
    failed: [HANDS, 'N42: between keys for a page it is seen that the keyboard is in %s'],
  }),
  guard('N42', 'keys end with the group before which the page has gone on', {
    file: 'agent/drivers/judged-keys.ts',
    from: 'isJustSeen && sent === 0 ? null : await keyboard.objectionBetween();',
    to: 'isJustSeen || sent >= 0 ? null : await keyboard.objectionBetween();',
    failed: [
      'test/agent/judged-keys.test.ts',
      'N42: keys end with the first group for which the keyboard is in another page',
    ],
  }),
];

type Removed = { file: string; from: string; to: string; failed: [test: string, title: string] };

function guard(row: string, what: string, { file, from, to, failed: [test, title] }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: test, title } };
}
