import { type Guard, guard } from './guards.ts';

const SAME_TARGET = 'test/agent/targets/same-target.test.ts';
const ATTACKS = 'test/services/hands-attacks.test.ts';
const MANAGERS = 'test/services/file-managers.test.ts';
const WORDS = 'test/services/words-attacks.test.ts';

/** The guards of words and keys: rows N25 to N29, N37 to N39 and N53 of the attack table, and of what a fresh attacker found on a running daemon. */
export const WORDS_GUARDS: readonly Guard[] = [
  guard('N25', 'a point of a picture is another one than that of the desktop', {
    file: 'src/contract/targets.ts',
    from: "['point', reference.x, reference.y, reference.frameId ?? null]",
    to: "['point', reference.x, reference.y]",
    failed: [SAME_TARGET, 'N25: two references share a key only where they are the same'],
  }),
  guard('N25', 'an end of a drag is judged by its own control', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: 'reference === undefined ? undefined : targetFor(targets, reference);',
    to: 'targets.find(({ kind }) => kind === reference?.kind);',
    failed: [WORDS, 'N25: a drag is judged by both of its ends, also where their numbers are the same'],
  }),
  guard('N26', 'a control is judged by all of its words', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: 'const said = [name, ...texts];',
    to: 'const said = [name];',
    failed: [WORDS, 'N26: a control that is critical by %s asks'],
  }),
  guard('N26', 'a control of a page without words asks', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '    ...(isUnsaid ? [WORDLESS] : []),\n',
    to: '',
    failed: [WORDS, 'N26: a control that is critical by %s asks'],
  }),
  guard('N27', 'a second press on a button asks', {
    file: 'src/domain/catalogue/hands/pointer.ts',
    from: 'count > 1 && mayChange(control)',
    to: 'count > 3 && mayChange(control)',
    failed: [WORDS, 'N27: with access, two presses on %s ask'],
  }),
  guard('N28', 'a single key in a page asks', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...pageKeyRules(keys, control),\n',
    to: '',
    failed: [WORDS, 'N28: with access, %s asks'],
  }),
  guard('N28', 'Return in a form of a page asks', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '  if (control?.url !== undefined) return returnInPage(control);\n',
    to: '',
    failed: [WORDS, 'N28: with access, %s asks'],
  }),
  guard('N29', 'no mark seems to end a quotation', {
    file: 'src/domain/catalogue/window-words.ts',
    from: 'text.replace(QUOTATION_MARKS, spelledOut)',
    to: 'text',
    failed: ['test/renderer/visible-text.test.ts', 'N29: %s in a text that stands in quotes is spelled out'],
  }),
  guard('N29', 'a launcher of programs is sensitive', {
    file: 'src/contract/sensitive-apps.ts',
    from: "'krunner', ",
    to: '',
    failed: ['test/contract/sensitive-apps.test.ts', 'N29: %s is sensitive, since programs run in it'],
  }),
  guard('N37', 'a key asks while a menu is open', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: "  return key === 'escape' ? [] : [CHOOSES];",
    to: '  return [];',
    failed: [ATTACKS, 'N37: %s asks'],
  }),
  guard('N37', 'a text asks while a menu is open', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...typedIntoMenu(control, reference),\n',
    to: '',
    failed: [ATTACKS, 'N37: %s asks'],
  }),
  guard('N38', 'labels that are not told in time make a control untold', {
    file: 'agent/drivers/linux/input/sight.ts',
    from: '  if (told.length < related.length) return null;\n',
    to: '',
    failed: ['test/agent/linux/texts-of.test.ts', 'N38: where %s, the words of a control are not all told'],
  }),
  guard('N39', 'a click in a file manager asks', {
    file: 'src/domain/catalogue/hands/pointer.ts',
    from: '        ...clickOpens(control, { button, count, isHeld: modifiers.length > 0 }),\n',
    to: '',
    failed: [MANAGERS, 'N39: in a file manager, %s asks'],
  }),
  guard('N39', 'a key that opens a file asks', {
    file: 'src/domain/catalogue/hands/keyboard.ts',
    from: '        ...keyOpens(keys, control),\n',
    to: '',
    failed: [MANAGERS, 'N39: in a file manager, %s asks'],
  }),
  guard('N53', 'chords of the desktop without Super ask', {
    file: 'src/contract/key-chords.ts',
    from: "keys: ['space', 'f1', 'f2', 'f3', 'f12'], holds: [['alt']]",
    to: "keys: [], holds: [['alt']]",
    failed: [WORDS, 'N53: with access, %s asks: it is one of the desktop, without Super'],
  }),
  guard('N53', 'the frame of a window is none of its app', {
    file: 'agent/drivers/linux/input/sight.ts',
    from: ' || isOnFrame || ',
    to: ' || ',
    failed: [
      'test/e2e/hands-windows.test.ts',
      'N53: with access to an editor, a chord or a click that brings up the menu of the window manager asks',
    ],
  }),
  guard('N53', 'a window that stays above all others asks before it is moved', {
    file: 'agent/drivers/linux/window.ts',
    from: '      ...(seen.window.staysAbove && { staysAbove: true }),\n',
    to: '',
    failed: ['test/e2e/hands-windows.test.ts', 'N53: a window that stays above all others asks before it is moved'],
  }),
  guard('N53', "a window waits for the person's hand", {
    file: 'agent/drivers/hands/window-changes.ts',
    from: '    act(attempt, async ({ signal }) => {',
    to: '    (async (of: Attempt, work: (turn: Attempt) => Promise<InputOutcome>) => work(of))(attempt, async ({ signal }) => {',
    failed: ['test/e2e/hands-windows.test.ts', "N53: no window takes the keyboard while the person's hand is at work"],
  }),
  guard('N31', 'the file that a window has open is judged by its title', {
    file: 'src/domain/catalogue/hands/control-target.ts',
    from: '      ...openFileRules(control),\n',
    to: '',
    failed: [WORDS, 'N31: with access to an editor that has a file of keys or starts open, its window “%s” asks'],
  }),
  guard('A5', 'a variable of a script is one line', {
    file: 'src/services/prompt-words.ts',
    from: 'environment.map(inOneLine)',
    to: 'shown(environment)',
    failed: ['test/services/prompt-words.test.ts', 'A5: a variable of a script is one line, whatever it holds'],
  }),
  guard('A5', 'rows of blanks in a name are spelled out', {
    file: 'src/contract/unseen-characters.ts',
    from: '/\\n|(?<= ) /gu',
    to: '/\\n/gu',
    failed: [
      'test/domain/file-actions.test.ts',
      'and has no more than one blank in a row, which the page would show as one',
    ],
  }),
  guard('A5', 'the path of a program is quoted', {
    file: 'renderer/src/prompt/WhoAsks.tsx',
    from: ' : text) ? shown : ',
    to: " : '') ? shown : ",
    failed: ['test/browser/strangers.test.ts', 'A5: the path of a program cannot read on as the words of Handrail'],
  }),
  guard('A5', 'a long grant scrolls in a place of its own', {
    file: 'renderer/src/styles/answers.css',
    from: '  max-height: max(132px, 24vh);\n',
    to: '',
    failed: [
      'test/browser/attacks.test.ts',
      'A5: a grant and a folder of any length leave question and answers in view: $width wide',
    ],
  }),
  guard('X4', 'a script traces no process', {
    file: 'agent/scripts/system-calls.ts',
    from: '  ptrace: [101, 117],\n',
    to: '',
    failed: ['test/agent/scripts/attacks.test.ts', 'X4: has no power over processes, mounts and users'],
  }),
];
