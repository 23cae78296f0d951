import { PressKeysParameters, SetValueParameters, TypeTextParameters } from '../../../contract/hands.ts';
import { chordDanger, isOfApp, parseChord } from '../../../contract/key-chords.ts';
import type { Control } from '../../../contract/screen.ts';
import { placeReference, type TargetReference } from '../../../contract/targets.ts';
import { assessRisk, type RiskRule } from '../../risk.ts';
import { secretInText } from '../../secret-text.ts';
import { defineAction } from '../definition.ts';
import { doneIn, doneWithTaken } from '../done.ts';
import { charactersIn, quoted, textView, textWords } from '../window-words.ts';
import {
  chordRulesOfBrowser,
  controlOf,
  controlTarget,
  controlWords,
  labelOf,
  labelRules,
  placeFaults,
  wordRules,
} from './control-target.ts';
import { keyOpens, type Press, takenFile, textOpens, withTaken } from './file-dialog.ts';

const FOCUS: TargetReference = { kind: 'focus' };

export const typeText = defineAction({
  name: 'TypeText',
  summary: 'Types a text, exactly or not at all',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Into an element, a point, or the focused field. Prefer elementId.',
  isUsual: true,
  isInput: true,
  usualTimeoutMs: () => 60_000,
  parameters: TypeTextParameters,
  targets: (parameters) => [placeReference(parameters) ?? FOCUS],
  faults: (parameters) => placeFaults(parameters, { isOptional: true }),
  assess({ text, clear = false, ...place }, seen) {
    const reference = placeReference(place) ?? FOCUS;
    const control = controlOf(seen.targets, reference);
    const taken = takenFile(control, pressOfText(text, { control, isFocus: reference === FOCUS }), seen);
    const { rules, facts } = withTaken(controlTarget(control), taken);
    const returns = text.includes('\n') ? returnRules(control) : [];
    const asKeys = isOutsideOfField(control) ? [ACTS_ON_KEYS] : [];
    return {
      ...facts,
      ...typedInto(control, facts.forbidden),
      risk: assessRisk({ level: 'medium', reason: 'The app keeps the text that is typed.' }, [
        ...rules,
        ...returns,
        ...asKeys,
        ...goesOnRules(text, control), // guard N14-1
        ...typedIntoMenu(control, reference), // guard N37-2
        ...textOpens(text, control),
        ...secretRules(text),
      ]),
      sentence: `Type ${textWords(text)} into ${controlWords(control, reference)}${taken.words}${clear ? ', in place of what it holds' : ''}`,
      ...textView(text),
      ...doneWithTaken(control, { did: 'typed', what: String(charactersIn(text)), path: facts.paths[0] }),
      changes: 'The app takes the text as if you had typed it.',
    };
  },
});

export const setValue = defineAction({
  name: 'SetValue',
  summary: 'Sets a field, list, slider or checkbox at once',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'medium',
  hint: 'Replaces what a text field holds. A list takes the name of an entry, a checkbox "on" or "off".',
  isInput: true,
  parameters: SetValueParameters,
  targets: ({ elementId }) => [{ kind: 'element', elementId }],
  assess({ elementId, value }, { targets }) {
    const reference: TargetReference = { kind: 'element', elementId };
    const control = controlOf(targets, reference);
    const { rules, facts } = controlTarget(control);
    return {
      ...facts,
      ...typedInto(control, facts.forbidden),
      risk: assessRisk({ level: 'medium', reason: 'A value that is set replaces the one before.' }, [
        ...rules,
        // An entry of a list is pressed by its words.
        ...(control?.isEditable === true ? [] : labelRules(value)),
        ...secretRules(value),
      ]),
      sentence: `Set ${controlWords(control, reference)} to ${textWords(value)}`,
      ...textView(value),
      ...doneIn(control, 'filled', labelOf(control)),
      changes: 'Replaces the value. The app may not be able to undo it.',
    };
  },
});

export const pressKeys = defineAction({
  name: 'PressKeys',
  summary: 'Presses a key or a chord, such as "ctrl+s"',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'For text use type_text.',
  isUsual: true,
  isInput: true,
  parameters: PressKeysParameters,
  targets: () => [FOCUS],
  faults({ keys }) {
    const chord = parseChord(keys);
    return 'fault' in chord ? [{ pointer: '/keys', message: chord.fault }] : [];
  },
  assess({ keys, repeat = 1, holdMs = 0 }, seen) {
    const control = controlOf(seen.targets, FOCUS);
    const taken = takenFile(control, pressOfKeys(keys), seen);
    const { rules, facts } = withTaken(controlTarget(control), taken);
    return {
      ...facts,
      denialTarget: `${keys}\n${facts.denialTarget}`,
      risk: assessRisk({ level: 'medium', reason: 'A key can do anything in the app.' }, [
        ...rules.filter(({ reason }) => presses(keys) || !labelReasons(control).has(reason)),
        ...chordRules(keys), // guard N12-1
        ...browserRules(keys, control), // guard N21-2
        ...desktopRules(keys, control),
        ...pageKeyRules(keys, control), // guard N28-1
        ...(keyOf(keys) === 'enter' ? returnRules(control) : []),
        ...menuRules(keys, control),
        ...keyOpens(keys, control), // guard N39-2
        ...(keyOf(keys) === 'delete' && control?.isEditable !== true ? [DELETES] : []), // guard N19-1
        ...(presses(keys) && (repeat > 1 || holdMs >= REPEATS_ITSELF_MS) ? pressAgainRules(control) : []),
      ]),
      sentence: `Press ${quoted(keys)}${repeat === 1 ? '' : ` ${repeat} times`} in ${controlWords(control, FOCUS)}${taken.words}`,
      ...doneWithTaken(control, { did: 'pressed', what: keys, path: facts.paths[0], ...windowOfChord(keys, control) }),
      changes: 'Does what the app makes of the key. The app may not be able to undo it.',
    };
  },
});

/** The window that gets a chord: its title may name the document. */
function windowOfChord(keys: string, control: Control | undefined): { window?: string } {
  const { windowTitle = '' } = control ?? {};
  return keys.includes('+') && windowTitle !== '' ? { window: windowTitle } : {};
}

/** Text into a password field is blocked: an agent has no business with passwords, and a field may pass them on. */
function typedInto(control: Control | undefined, forbidden: string | undefined) {
  const objection = control?.isPassword === true ? 'The field is for a password. No action types into it.' : undefined; // guard N4-1
  const both = forbidden ?? objection;
  return both === undefined ? {} : { forbidden: both };
}

function chordRules(keys: string): RiskRule[] {
  const chord = parseChord(keys);
  const danger = 'fault' in chord ? undefined : chordDanger(chord);
  if (danger === undefined) return [];
  const what = {
    quits: 'quits an app',
    closes: 'closes a window or tab',
    deletes: 'deletes something for good',
    locks: 'locks the screen or ends the session',
    pastes: 'inserts the clipboard, which may hold a password',
    sends: 'sends what was written',
    presses: 'may press a button that Handrail has not judged',
    'opens a menu': 'opens a menu, whose items Handrail has not judged',
    'leaves the app': 'is one of the desktop, which may start a program or open the menu of a window',
    'reads otherwise': 'may be another chord, by the key that it is on',
  }[danger];
  return [{ level: 'high', reason: `By custom ${quoted(keys)} ${what}.` }];
}

/** With Super, or with Cmd and a key that is no app's, a chord is the desktop's: it starts programs, or leaves the app. */
function desktopRules(keys: string, control: Control | undefined): RiskRule[] {
  const chord = parseChord(keys);
  const { bundleId } = control?.app ?? {};
  const isMac = bundleId !== undefined && !bundleId.endsWith('.desktop');
  if ('fault' in chord || isOfApp(chord, { isMac })) return [];
  return [{ level: 'high', reason: `${quoted(keys)} may be a chord of the desktop, outside of the app.` }];
}

function browserRules(keys: string, control: Control | undefined): RiskRule[] {
  const chord = parseChord(keys);
  return 'fault' in chord ? [] : chordRulesOfBrowser(chord, control);
}

/** Pages act on single keys: in a list of mails # deletes. */
function pageKeyRules(keys: string, control: Control | undefined): RiskRule[] {
  const chord = parseChord(keys);
  if ('fault' in chord || chord.modifiers.some((held) => held !== 'shift')) return [];
  const isCharacter = [...chord.key].length === 1 || chord.key === 'plus' || chord.key === 'backspace';
  return isCharacter && isOutsideOfField(control) ? [ACTS_ON_KEYS] : [];
}

function isOutsideOfField(control: Control | undefined): boolean {
  return control?.url !== undefined && !control.isEditable;
}

const ACTS_ON_KEYS: RiskRule = {
  level: 'high',
  reason: 'Outside of a text field a page may act on a single key, such as one that deletes.',
};

/** The least time after which the systems repeat a key that is held. */
const REPEATS_ITSELF_MS = 200;

/** The first press may bring up another control, which then gets the next one. A field of many lines keeps the keyboard. */
function pressAgainRules(control: Control | undefined): RiskRule[] {
  if (keepsKeyboard(control)) return []; // guard N14-2
  return [{ level: 'high', reason: 'A key pressed again may press a control that Handrail has not judged.' }];
}

/** The rest of a text goes wherever a tab, or a Return that presses something, has led the keyboard. */
function goesOnRules(text: string, control: Control | undefined): RiskRule[] {
  const isLed = /\t[^\t]/u.test(text) || (/\n./su.test(text) && !keepsKeyboard(control));
  return isLed ? [{ level: 'high', reason: 'The text may go on in a control that Handrail has not judged.' }] : [];
}

/** Whether Return is a new line there, as far as can be told: an app may tell nothing at all. */
function keepsKeyboard(control: Control | undefined): boolean {
  return control?.role === 'window' || (control?.isEditable === true && control.defaultButton === undefined);
}

/** In a text it deletes a character, in a list of files or mails the selected ones. */
const DELETES: RiskRule = { level: 'high', reason: 'Outside of a text, Delete removes the selection.' };

/** In an open menu a letter chooses an item, and Return the one that is marked, which the app may not tell. */
function menuRules(keys: string, control: Control | undefined): RiskRule[] {
  const key = keyOf(keys) ?? '';
  if (!isMenu(control)) return [];
  if (isToldItem(control)) return [...key].length === 1 ? [CHOOSES] : [];
  return key === 'escape' ? [] : [CHOOSES]; // guard N37-1
}

function isMenu(control: Control | undefined): boolean {
  return control?.isMenuOpen === true || control?.role.startsWith('menu') === true;
}

function isToldItem(control: Control | undefined): boolean {
  return control !== undefined && control.name !== '' && /^(?:menu.*|option|treeitem)$/u.test(control.role);
}

/** A click on a place closes the menu, and only then the text is typed. */
function typedIntoMenu(control: Control | undefined, reference: TargetReference): RiskRule[] {
  return isMenu(control) && reference === FOCUS ? [CHOOSES] : [];
}

const CHOOSES: RiskRule = {
  level: 'high',
  reason: 'The key may choose an item of the open menu that Handrail has not judged.',
};

function pressOfKeys(keys: string): Press {
  const key = keyOf(keys);
  return key === 'enter' || key === 'space' ? key : 'none';
}

/** A click gives the keyboard to a place first. In a list a space is a key like any other. */
function pressOfText(text: string, { control, isFocus }: { control: Control | undefined; isFocus: boolean }): Press {
  if (text.includes('\n') || (/\s/u.test(text) && control?.isEditable !== true)) return 'changes';
  return isFocus ? 'none' : 'click';
}

/** Return and Space press what has the focus. */
function presses(keys: string): boolean {
  const key = keyOf(keys);
  return key === 'enter' || key === 'space';
}

function keyOf(keys: string): string | undefined {
  const chord = parseChord(keys);
  return 'fault' in chord ? undefined : chord.key;
}

/**
 * Return in a form presses its default button. If a page reports no such button, Return may send the text of the field, as in a chat. In a
 * search field it only searches.
 */
function returnRules(control: Control | undefined): RiskRule[] {
  if (control?.defaultButton === '') return [UNTOLD_BUTTON];
  if (control?.url !== undefined) return returnInPage(control); // guard N28-2
  if (control?.defaultButton !== undefined) return labelRules(control.defaultButton); // guard N3-2
  // guard N17-1
  if (control?.besidePage === true)
    return [{ level: 'high', reason: 'Return in a field of the browser may open an address, or run it as a script.' }];
  return [];
}

const UNTOLD_BUTTON: RiskRule = { level: 'high', reason: 'Return presses a button without a name.' };

/**
 * A form may have a submit button that is hidden, or several, and a page may act on Return anywhere. Only a search field is known to search,
 * and only a control that is pressed does what its words say.
 */
function returnInPage(control: Control): RiskRule[] {
  const { role, name, defaultButton = '', isEditable } = control;
  const isSearch = isEditable && (role === 'searchbox' || [name, defaultButton].some((words) => SEARCH.test(words)));
  if (isSearch) return labelRules(defaultButton);
  if (!isEditable && PRESSED.has(role)) return [];
  return [
    {
      level: 'high',
      reason: 'Return in a field of a page may send what is in it, and elsewhere it may press any button.',
    },
  ];
}

const SEARCH = /\bsearch\b|\bsuch(?:e|en)\b|\brecherche[r]?\b|\bbuscar\b|検索|搜索/iu;
const PRESSED: ReadonlySet<string> = new Set([
  ...['button', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'option'],
]);

function secretRules(text: string): RiskRule[] {
  const kind = secretInText(text);
  return kind === undefined ? [] : [{ level: 'high', reason: `The text seems to hold ${kind}.` }]; // guard N8-1
}

function labelReasons(control: Control | undefined): ReadonlySet<string> {
  return new Set(control === undefined ? [] : wordRules(control).map(({ reason }) => reason));
}
