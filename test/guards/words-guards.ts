import { type Guard, guard } from './guards.ts';

const SAME_TARGET = 'test/agent/targets/same-target.test.ts';
const ATTACKS = 'test/services/hands-attacks.test.ts';
const MANAGERS = 'test/services/file-managers.test.ts';
const WORDS = 'test/services/words-attacks.test.ts';

/** The guards of words and keys: rows N25 to N29, N37 to N39 and N53 of the attack table, and of what a fresh attacker found on a running daemon. */
export const WORDS_GUARDS: readonly Guard[] = [
  guard('N25', 'a point of a picture is another one than that of the desktop', {
    mark: 'N25-1',
    becomes: "return ['point', reference.x, reference.y];",
    failed: [SAME_TARGET, 'N25: two references share a key only where they are the same'],
  }),
  guard('N25', 'an end of a drag is judged by its own control', {
    mark: 'N25-2',
    becomes: 'const target = targets.find(({ kind }) => kind === reference?.kind);',
    failed: [WORDS, 'N25: a drag is judged by both of its ends, also where their numbers are the same'],
  }),
  guard('N26', 'a control is judged by all of its words', {
    mark: 'N26-1',
    becomes: 'const said = [name];',
    failed: [WORDS, 'N26: a control that is critical by %s asks'],
  }),
  guard('N26', 'a control of a page without words asks', {
    mark: 'N26-2',
    becomes: '',
    failed: [WORDS, 'N26: a control that is critical by %s asks'],
  }),
  guard('N27', 'a second press on a button asks', {
    mark: 'N27-1',
    becomes: '...(count > 3 && mayChange(control) ? [PRESSES_AGAIN] : []),',
    failed: [WORDS, 'N27: with access, two presses on %s ask'],
  }),
  guard('N28', 'a single key in a page asks', {
    mark: 'N28-1',
    becomes: '',
    failed: [WORDS, 'N28: with access, %s asks'],
  }),
  guard('N28', 'Return in a form of a page asks', {
    mark: 'N28-2',
    becomes: '',
    failed: [WORDS, 'N28: with access, %s asks'],
  }),
  guard('N29', 'no mark seems to end a quotation', {
    mark: 'N29-1',
    becomes: 'const closed = text.replace(LOST_IN_A_LINE, spelledOut);',
    failed: ['test/renderer/visible-text.test.ts', 'N29: %s in a text that stands in quotes is spelled out'],
  }),
  guard('N29', 'a launcher of programs is sensitive', {
    mark: 'N29-2',
    becomes: "...['rofi', 'dmenu', 'wofi', 'fuzzel', 'ulauncher', 'raycast', 'gmrun', 'lxrun', 'appfinder'],",
    failed: ['test/contract/sensitive-apps.test.ts', 'N29: %s is sensitive, since programs run in it'],
  }),
  guard('N37', 'a key asks while a menu is open', {
    mark: 'N37-1',
    becomes: 'return [];',
    failed: [ATTACKS, 'N37: %s asks'],
  }),
  guard('N37', 'a text asks while a menu is open', {
    mark: 'N37-2',
    becomes: '',
    failed: [ATTACKS, 'N37: %s asks'],
  }),
  guard('N38', 'labels that are not told in time make a control untold', {
    mark: 'N38-1',
    becomes: '',
    failed: ['test/agent/linux/texts-of.test.ts', 'N38: where %s, the words of a control are not all told'],
  }),
  guard('N39', 'a click in a file manager asks', {
    mark: 'N39-1',
    becomes: '',
    failed: [MANAGERS, 'N39: in a file manager, %s asks'],
  }),
  guard('N39', 'a key that opens a file asks', {
    mark: 'N39-2',
    becomes: '',
    failed: [MANAGERS, 'N39: in a file manager, %s asks'],
  }),
  guard('N53', 'chords of the desktop without Super ask', {
    mark: 'N53-1',
    becomes: "{ danger: 'leaves the app', keys: [], holds: [['alt']] },",
    failed: [WORDS, 'N53: with access, %s asks: it is one of the desktop, without Super'],
  }),
  guard('N53', 'the frame of a window is none of its app', {
    mark: 'N53-2',
    becomes: 'const isPart = isCutShort(found) || (popup !== undefined && element === null);',
    failed: [
      'test/e2e/hands-windows.test.ts',
      'N53: with access to an editor, a chord or a click that brings up the menu of the window manager asks',
    ],
  }),
  guard('N53', 'a window that stays above all others asks before it is moved', {
    mark: 'N53-3',
    becomes: '',
    failed: ['test/e2e/hands-windows.test.ts', 'N53: a window that stays above all others asks before it is moved'],
  }),
  guard('N53', "a window waits for the person's hand", {
    mark: 'N53-4',
    becomes:
      '(async (of: Attempt, work: (turn: Attempt) => Promise<InputOutcome>) => work(of))(attempt, async ({ signal }) => {',
    failed: ['test/e2e/hands-windows.test.ts', "N53: no window takes the keyboard while the person's hand is at work"],
  }),
  guard('N31', 'the file that a window has open is judged by its title', {
    mark: 'N31-2',
    becomes: '',
    failed: [WORDS, 'N31: with access to an editor that has a file of keys or starts open, its window “%s” asks'],
  }),
  guard('A5', 'a variable of a script is one line', {
    mark: 'A5-5',
    becomes: 'const set = environment.length === 0 ? {} : { environment: shown(environment) };',
    failed: ['test/services/prompt-words.test.ts', 'A5: a variable of a script is one line, whatever it holds'],
  }),
  guard('A5', 'rows of blanks in a name are spelled out', {
    mark: 'A5-6',
    becomes: 'export const LOST_IN_A_LINE = /\\n/gu;',
    failed: [
      'test/domain/file-actions.test.ts',
      'and has no more than one blank in a row, which the page would show as one',
    ],
  }),
  guard('A5', 'the path of a program is quoted', {
    mark: 'A5-7',
    becomes: "return PLAIN_PATH.test(isName ? text.replaceAll(' ', '') : '') ? shown : `“${quotedText(shown)}”`;",
    failed: ['test/browser/strangers.test.ts', 'A5: the path of a program cannot read on as the words of Handrail'],
  }),
  guard('A5', 'a long grant scrolls in a place of its own', {
    mark: 'A5-8',
    becomes: '',
    failed: [
      'test/browser/attacks.test.ts',
      'A5: a grant and a folder of any length leave question and answers in view: $width wide',
    ],
  }),
  guard('X4', 'a script traces no process', {
    mark: 'X4-1',
    becomes: '',
    failed: ['test/agent/scripts/attacks.test.ts', 'X4: has no power over processes, mounts and users'],
  }),
];
