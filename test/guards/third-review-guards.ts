import type { Guard } from './guards.ts';

const CODE = 'test/services/sessions/code-on-screen.test.ts';
const LINKS = 'test/agent/scripts/links-out.test.ts';
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
  guard('F15', 'a new link past the places of a script is removed', {
    file: 'agent/scripts/ways-out.ts',
    from: 'return !(await isOfSystem(end));',
    to: 'return false;',
    failed: [LINKS, 'F15: a new link to %s is removed, and the result says so'],
  }),
  guard('F15', 'a new link to a place that the script may not write in its folder is removed', {
    file: 'agent/scripts/ways-out.ts',
    from: ' || (isClosed(end) && secretAt(link) === undefined);',
    to: ';',
    failed: [LINKS, 'F15: a new link to %s is removed, and the result says so'],
  }),
  guard('F15', 'a link with a name that is no text is looked at', {
    file: 'agent/scripts/repositories.ts',
    from: 'isReadable ? [] : await namedReadably(opened, places);',
    to: 'isReadable ? [] : (await namedReadably(opened, places)).slice(0, 0);',
    failed: [LINKS, 'F15: a link with a name that is no text is removed, also in a folder with such a name'],
  }),
  guard('F15', 'a move leads no link out', {
    file: 'agent/files/holds-secret.ts',
    from: 'facts.isSymbolicLink() && (await',
    to: "facts.isSymbolicLink() && name === '' && (await",
    failed: [
      'test/agent/files/trash-and-links.test.ts',
      'F15: a folder with a link that would lead out from its new place is not moved',
    ],
  }),
];

type Removed = { file: string; from: string; to: string; failed: [test: string, title: string] };

function guard(row: string, what: string, { file, from, to, failed: [test, title] }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: test, title } };
}
