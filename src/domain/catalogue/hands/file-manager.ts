import { parseChord } from '../../../contract/key-chords.ts';
import { folded } from '../../../contract/near-names.ts';
import type { Control, ResolvedApp, ResolvedWindow } from '../../../contract/screen.ts';
import { isFileManager } from '../../../contract/sensitive-apps.ts';
import { appOfWindow } from '../../dashboard-apps.ts';
import type { RiskRule } from '../../risk.ts';

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
