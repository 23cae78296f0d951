import type { FileDialog } from '../../../contract/file-dialog.ts';
import type { ResolvedPath } from '../../../contract/files.ts';
import { parseChord } from '../../../contract/key-chords.ts';
import { folded } from '../../../contract/near-names.ts';
import type { Control, ResolvedApp, ResolvedWindow } from '../../../contract/screen.ts';
import { isFileManager } from '../../../contract/sensitive-apps.ts';
import { isBrowser } from '../../../contract/web-address.ts';
import { appOfWindow } from '../../dashboard-apps.ts';
import { isAtLeast, type RiskRule } from '../../risk.ts';
import { personalRecordsAt, secretNamed } from '../../scripts/places.ts';
import type { Assessment, Seen } from '../definition.ts';
import { personalRule, placeRules } from '../file-actions.ts';
import { contentsAt } from '../file-contents.ts';
import { fileTarget, namedAt } from '../file-target.ts';
import { pathWords } from '../window-words.ts';

/** `click` and `clicks`: once, or more often. `menu`: a click for the context menu. `changes`: it changes the choice before it accepts. */
export type Press = 'click' | 'clicks' | 'menu' | 'drag' | 'enter' | 'space' | 'changes' | 'none';

type Facts = Pick<Assessment, 'denialTarget' | 'forbidden' | 'paths'>;
type Taken = { rules: RiskRule[]; facts: Omit<Facts, 'denialTarget'>; words: string };

/** The target of an input action, with the file that its press takes. */
export function withTaken<Own extends Facts>(target: { rules: RiskRule[]; facts: Own }, { rules, facts }: Taken) {
  const forbidden = target.facts.forbidden ?? facts.forbidden;
  const denialTarget = [target.facts.denialTarget, ...facts.paths].join('\n');
  return {
    rules: [...target.rules, ...rules],
    facts: { ...target.facts, denialTarget, paths: facts.paths, forbidden },
  };
}

/**
 * What a press in a dialog for files does with a file. Where the press may accept the dialog, the file is judged as if the requester read
 * or wrote it by an action of its own. A file that nothing tells for sure asks.
 */
export function takenFile(control: Control | undefined, press: Press, { folders = [] }: Seen): Taken {
  const dialog = control?.dialog;
  if (control === undefined || dialog === undefined || !mayAccept({ ...control, dialog }, press)) return NOTHING;
  const { kind, path, file } = dialog;
  // guard N32-1
  if (file === undefined || path === undefined || press === 'changes')
    return { rules: [UNTOLD], facts: { paths: [] }, words: UNTOLD_WORDS };
  // A browser sends the file that it opens. Another app may write it: it saves what it has open without a dialog.
  const access = kind === 'open' && isBrowser(control.app) ? 'read' : 'write'; // guard N48-1
  const seen = { targets: [{ kind: 'path', path, file } as const], folders };
  const { rules, facts } = fileTarget([{ path, access }], seen);
  const { paths } = facts;
  const untold = (words: string) => withoutPath(words, file.realPath);
  const forbidden = facts.forbidden === undefined ? {} : { forbidden: untold(facts.forbidden) };
  const own = kind === 'open' ? readRules(file) : writtenRules(file);
  const unknown = kind === 'unknown' ? [UNTOLD] : [];
  return {
    rules: [...rules, ...own, ...unknown].map(({ level, reason }) => asking({ level, reason: untold(reason) })),
    facts: { paths, ...forbidden },
    words: `, which ${kind === 'open' ? 'opens' : 'saves'} ${namedAt(file.realPath)}`,
  };
}

const NOTHING: Taken = { rules: [], facts: { paths: [] }, words: '' };
const UNTOLD: RiskRule = {
  level: 'high',
  reason: 'It may accept a dialog for files, and Handrail cannot tell which file.',
};
const UNTOLD_WORDS = ', which may open or save a file that Handrail cannot tell';

function mayAccept({ dialog, isEditable, name }: Control & { dialog: FileDialog }, press: Press): boolean {
  const { kind, part, file } = dialog;
  const opensFolder = part !== 'other' && kind !== 'unknown' && file?.kind === 'folder';
  switch (press) {
    case 'click':
      return part === 'chosen' ? !opensFolder : part === 'other' && !CANCELS.has(name.trim().toLowerCase());
    case 'clicks':
      return part !== 'aside' && !opensFolder;
    case 'drag':
      return part !== 'aside';
    case 'space':
      return !isEditable;
    case 'enter':
    case 'changes':
      return true;
    case 'menu':
    case 'none':
      return false;
  }
}

/** The words of the button that closes a dialog without a file. In other languages it asks. */
const CANCELS: ReadonlySet<string> = new Set(['cancel', 'abbrechen', 'annuler', 'cancelar', 'annulla', 'annuleren']);

/** No contents are known before an app writes them. */
function writtenRules({ realPath, kind }: ResolvedPath): RiskRule[] {
  const replaces = kind === 'missing' ? [] : [{ level: 'high', reason: 'The present contents are replaced.' } as const];
  return [...placeRules(realPath), ...contentsAt(realPath, undefined, 'parameters').rules, ...replaces]; // guard N31-1
}

function readRules({ realPath }: ResolvedPath): RiskRule[] {
  return personalRule(secretNamed(realPath) ?? personalRecordsAt(realPath));
}

/** An access lets through whatever is below high, and an action on the file itself would ask. */
function asking({ level, reason }: RiskRule): RiskRule {
  return { level: isAtLeast(level, 'high') ? level : 'high', reason }; // guard N30-1
}

/** The requester reads the reasons too, and may not have read the dialog. */
function withoutPath(words: string, path: string): string {
  const bare = words.replaceAll(pathWords(path), 'the file').replaceAll(path, 'the file');
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}`;
}

/** A file that is opened may be a program, or a file that another app takes for one. */
const OPENS: RiskRule = {
  level: 'high',
  reason: 'In a file manager it may open a file, and so start a program.',
};

/** Parts of its window that are no files. A click on a tab or in a field opens none. */
const NO_FILE: ReadonlySet<string> = new Set([
  ...['button', 'togglebutton', 'checkbox', 'radio', 'switch', 'combobox', 'tab', 'textbox', 'searchbox', 'spinbutton'],
  ...['slider', 'scrollbar', 'columnheader', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'menubar', 'menu'],
]);

/** What a click in a file manager may open. One click opens a file where the person has set it so; with a key held it chooses. */
export function clickOpens(
  control: Control | undefined,
  { button, count, isHeld }: { button: string; count: number; isHeld: boolean },
): RiskRule[] {
  if (control === undefined || !isManager(control.app) || button === 'right') return [];
  const isFile = !NO_FILE.has(control.role) && (count > 1 || !isHeld);
  return isFile || isOpenItem(control) ? [OPENS] : [];
}

/** What is dropped on a program or on a link to one starts it. */
export function dropOpens(control: Control | undefined): RiskRule[] {
  return control !== undefined && isManager(control.app) && !NO_FILE.has(control.role) ? [OPENS] : [];
}

/** Return opens what is chosen, and in a field the path in it. Mac: Cmd and O or Down. */
export function keyOpens(keys: string, control: Control | undefined): RiskRule[] {
  const chord = parseChord(keys);
  if (control === undefined || 'fault' in chord || !isManager(control.app)) return [];
  const { key, modifiers } = chord;
  const isChord = modifiers.some((held) => held !== 'shift') && (key === 'o' || key === 'down');
  return key === 'enter' || isChord || (key === 'space' && isOpenItem(control)) ? [OPENS] : [];
}

export function textOpens(text: string, control: Control | undefined): RiskRule[] {
  return text.includes('\n') ? keyOpens('enter', control) : [];
}

export function itemOpens(path: readonly string[], window: ResolvedWindow | undefined): RiskRule[] {
  return window !== undefined && isManager(appOfWindow(window)) && path.some(saysOpen) ? [OPENS] : [];
}

function isManager({ appName, bundleId = appName, alsoKnownAs }: ResolvedApp): boolean {
  return [appName, bundleId, ...alsoKnownAs].some(isFileManager);
}

function isOpenItem({ name, texts = [] }: Control): boolean {
  return [name, ...texts].some(saysOpen);
}

/** The items of nautilus, thunar, dolphin and the Finder that open or run. */
function saysOpen(label: string): boolean {
  return OPEN.test(folded(label).replace(/_/gu, ''));
}

const OPEN =
  /(?<!\p{L})(?:open|run|launch|execute|start|öffnen|ausführen|starten|ouvrir|exécuter|lancer|abrir|ejecutar|iniciar)(?!\p{L})|開く|実行|起動|打开|运行|执行|启动/u;
