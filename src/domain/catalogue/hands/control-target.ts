import type { Place } from '../../../contract/hands.ts';
import type { KeyChord } from '../../../contract/key-chords.ts';
import { folded } from '../../../contract/near-names.ts';
import type { SchemaFault } from '../../../contract/schema-faults.ts';
import { type Control, MAX_LABEL, type ResolvedApp } from '../../../contract/screen.ts';
import { secretAt } from '../../../contract/secret-paths.ts';
import { isHandrail, sensitivity } from '../../../contract/sensitive-apps.ts';
import { type Target, type TargetReference, targetFor } from '../../../contract/targets.ts';
import { isBrowser, siteOf } from '../../../contract/web-address.ts';
import { criticalLabel } from '../../critical-controls.ts';
import { showsOtherScreen } from '../../other-screens.ts';
import type { RiskRule } from '../../risk.ts';
import type { Assessment } from '../definition.ts';
import { placeOf } from '../done.ts';
import { placeRules } from '../file-actions.ts';
import { pathWords, quoted, shortened } from '../window-words.ts';

/** A place is an element, or a point. `isOptional`: it may also be left out. */
export function placeFaults(
  { elementId, frameId, x, y }: Place,
  { pointer = '', isOptional = false }: { pointer?: string; isOptional?: boolean } = {},
): SchemaFault[] {
  const hasPoint = x !== undefined && y !== undefined;
  const isPart = !hasPoint && (x !== undefined || y !== undefined || frameId !== undefined);
  const count = Number(elementId !== undefined) + Number(hasPoint);
  if (!isPart && (count === 1 || (count === 0 && isOptional))) return [];
  return [{ pointer, message: 'give either elementId, or x and y with the frameId of the picture they belong to' }];
}

/** The control that the agent found for a reference. */
export function controlOf(
  targets: readonly Target[] = [],
  reference: TargetReference | undefined,
): Control | undefined {
  const target = reference === undefined ? undefined : targetFor(targets, reference); // guard N25-2
  return target !== undefined && 'control' in target ? target.control : undefined;
}

type Facts = Pick<
  Assessment,
  | 'capability'
  | 'target'
  | 'denialTarget'
  | 'apps'
  | 'alsoNamed'
  | 'paths'
  | 'sensitive'
  | 'forbidden'
  | 'onceOnly'
  | 'access'
  | 'onSite'
>;

/** No dialog tells where the file lies. */
const OPENS_FILE: RiskRule = {
  level: 'high',
  reason: 'By its words it may open a file, and nothing tells which one.',
};

/** Items of the menus of an app that stand for files, as those of recent files do. */
export function fileItemRules({ role, name, texts = [], url }: Item): RiskRule[] {
  return url === undefined && ITEMS.has(role) && [name, ...texts].some(saysFile) ? [OPENS_FILE] : [];
}

type Item = Pick<Control, 'role' | 'name' | 'texts' | 'url'>;

const ITEMS: ReadonlySet<string> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio', 'menu']);

function saysFile(label: string): boolean {
  return NAME_OF_FILE.test(label) || RECENT.test(folded(label).replace(/_/gu, ''));
}

/** A name with an ending, or a path. */
const NAME_OF_FILE = /[^\s.]\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])|(?:^|[\s("'“])~?\/\S/u;

const RECENT = /recent|récent|recient|zuletzt|nylig|senast|seneste|onlangs|ostatni|недавн|последн|最近|최근/u;

/** The title of a window names the file that its app has open, and what is typed there gets into that file without a dialog. */
export function openFileRules({ windowTitle, url }: Pick<Control, 'windowTitle' | 'url'>): RiskRule[] {
  return url === undefined && windowTitle.split(BETWEEN_PARTS).map(fileIn).some(isGrave) ? [CHANGES_GRAVE] : [];
}

const CHANGES_GRAVE: RiskRule = {
  level: 'high',
  reason: 'By its title the window has a file open that holds keys, or from which programs start.',
};

/** As in `*name - app`, `name (folder) - app` and `name [modified] – app`. */
const BETWEEN_PARTS = / [-–—|] /u;

function fileIn(part: string): string {
  const name = part.replace(/^[*●• ]+|(?<![*●• ])[*●• ]+$/gu, '');
  const [state, folder] = [name.lastIndexOf(' ['), name.lastIndexOf(' (')];
  if (state > 0 && name.endsWith(']')) return name.slice(0, state);
  if (folder > 0 && name.endsWith(')')) return `${name.slice(folder + 2, -1)}/${name.slice(0, folder)}`;
  return name;
}

/** A name alone may be of a file of any folder, and a word that is no file. */
function isGrave(file: string): boolean {
  const isPath = /^~?\//u.test(file);
  if (!isPath && !NAME_ALONE.test(file)) return false;
  const path = isPath ? file : `~/${file}`;
  return secretAt(path) !== undefined || placeRules(path).length > 0;
}

const NAME_ALONE = /^(?:\.[^/\s]+|authorized_keys2?|id_[a-z0-9_]+|sudoers|crontab)$/iu;

/**
 * The access within which input reaches a control. In a browser it is a place in documents of known sites, and an access to each of them is
 * needed. What is around the page is the browser's own, and no access covers it.
 */
function accessAt({ app, documents = [] }: Control): Assessment['access'] {
  const told = documents.filter((address, index) => !(TAKES_AFTER.test(address) && index < documents.length - 1));
  const sites = told.map(siteOf);
  const known = [...new Set(sites.filter((site) => site !== undefined))];
  if (isBrowser(app) && (known.length === 0 || sites.includes(undefined))) return undefined; // guard N20-1
  return { use: 'input', app, ...(known.length > 0 && { sites: known }) };
}

/** Whether input there acts on a site, of which the person may have given no access. */
function isOnSite({ documents = [] }: Control): boolean {
  return documents.some((address) => siteOf(address) !== undefined);
}

/** Such a document has the rights of the one around it. */
const TAKES_AFTER = /^about:(?:blank|srcdoc)$/u;

/** The access within which input reaches a window or its menus. Those of a browser are of no site. */
export function accessToWindow(app: ResolvedApp): Assessment['access'] {
  return isBrowser(app) ? undefined : { use: 'input', app };
}

/** Around the pages a browser opens any address, runs scripts and changes itself. */
function siteRules(control: Control): RiskRule[] {
  return isBrowser(control.app) && accessAt(control) === undefined ? [OF_NO_SITE] : [];
}

/** The same for the menus of a window. */
export function menuOfBrowserRules(app: ResolvedApp): RiskRule[] {
  return isBrowser(app) ? [OF_NO_SITE] : [];
}

const OF_NO_SITE: RiskRule = {
  level: 'high',
  reason: 'It is not in a page of a known site: it may be of the browser itself, or of a file.',
};

/** Why no profile lets input reach a page, if so: on it a browser can be turned against the person. */
function pageObjection({ app, documents = [] }: Control): string | undefined {
  if (!isBrowser(app) || !documents.some((address) => UNDERNEATH.test(address))) return undefined;
  return 'The page is for extensions, experiments or developer tools of the browser. No input goes there.';
}

const UNDERNEATH =
  /^(?:view-source:)?(?:(?:chrome|edge|brave|opera|vivaldi)(?:-untrusted)?:\/\/(?:extensions?|flags|inspect|policy|devtools)\b|(?:chrome|moz|safari-web)-extension:|(?:chrome-)?devtools:|about:(?:addons|config|debugging|devtools|profiles|policies|flags|extensions)\b)/iu;

/** A chord that is known to act in the page, or to go back, forward or load it again. The others may be the browser's own. */
export function chordRulesOfBrowser({ modifiers, key }: KeyChord, control: Control | undefined): RiskRule[] {
  if (control === undefined || !isBrowser(control.app)) return [];
  const held = modifiers.filter((modifier) => modifier !== 'shift');
  const keys = modifiers.includes('shift') ? WITH_SHIFT : held[0] === 'alt' ? WITH_ALT : EDITS;
  const isOwnKey = /^f\d+$/u.test(key) ? key !== 'f5' : key === 'escape' && modifiers.includes('shift'); // guard N21-1
  const isOfPage = held.length === 0 ? !isOwnKey : held.length === 1 && keys.has(key);
  return isOfPage ? [] : [OF_BROWSER];
}

const ARROWS = ['up', 'down', 'left', 'right'];
const WITH_ALT: ReadonlySet<string> = new Set([...ARROWS, 'backspace']);
const WITH_SHIFT: ReadonlySet<string> = new Set([...ARROWS, 'home', 'end', 'z']);
const EDITS: ReadonlySet<string> = new Set([
  ...[...ARROWS, 'home', 'end', 'backspace'],
  ...['a', 'b', 'c', 'i', 'r', 'x', 'y', 'z'],
]);

const OF_BROWSER: RiskRule = {
  level: 'high',
  reason: 'The chord may be one of the browser itself, outside of the page.',
};

/**
 * The rules that all input actions share. Its risk is about the control that is really there, never about the words of the request. The
 * words on a control are the app's own: they can raise the risk, and never lower it.
 */
export function controlTarget(control: Control | undefined): { rules: RiskRule[]; facts: Facts } {
  if (control === undefined) {
    const rules: RiskRule[] = [{ level: 'high', reason: 'The agent has not looked at the place.' }];
    return { rules, facts: { ...NOWHERE, denialTarget: 'an unknown place' } };
  }
  const { app, role, name, isPart = false } = control;
  const own = controlObjection(control);
  return {
    rules: [
      ...appRules(app),
      ...siteRules(control),
      ...wordRules(control),
      ...openFileRules(control), // guard N31-2
      ...(isPart ? [UNTOLD] : []),
    ],
    facts: {
      ...NOWHERE,
      target: app.appName,
      denialTarget: `${app.appName}\n${role}\n${name}`,
      ...appFacts(app),
      access: accessAt(control),
      onSite: isOnSite(control),
      forbidden: own,
    },
  };
}

/** A click presses the control by all of its words, and may press what else is at its place. */
export function wordRules(control: Control): RiskRule[] {
  const { name, others = [], texts = [], url, isEditable, role } = control;
  const said = [name, ...texts]; // guard N26-1
  const isTold = url !== undefined && !isEditable && !WITHOUT_LABEL.has(role);
  const isUnsaid = isTold && [...said, ...others].every(isWordless);
  return [
    ...said.flatMap(labelRules), // guard N3-3
    ...(others.some((other) => labelRules(other).length > 0) ? [AT_ITS_PLACE] : []), // guard N16-1
    ...(isUnsaid ? [WORDLESS] : []), // guard N26-2
    ...fileItemRules(control), // guard N47-1
  ];
}

/** A sign alone, such as an arrow, says nothing that can be judged. */
function isWordless(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** A page as a whole, and a window of which the app tells nothing. */
const WITHOUT_LABEL: ReadonlySet<string> = new Set(['document', 'window']);

const WORDLESS: RiskRule = {
  level: 'high',
  reason: 'The page has no words on the control, so that nothing tells what it does.',
};
const AT_ITS_PLACE: RiskRule = {
  level: 'high',
  reason: 'By its words something else at the place of the control is critical.',
};
const UNTOLD: RiskRule = {
  level: 'high',
  reason: 'The app told only a part of its controls or of their words; another one may be there.',
};

const NOWHERE = { capability: 'canControlInput', target: null, apps: [], paths: [], onceOnly: true } as const;

/** Names of an app for rules of a profile, and why it is sensitive if it is. */
export function appFacts(app: ResolvedApp) {
  const { appName, bundleId = appName, alsoKnownAs } = app;
  const worst = appRules(app).find(({ level }) => level === 'high' || level === 'critical');
  return { apps: [appName], alsoNamed: [bundleId, ...alsoKnownAs], sensitive: worst?.reason };
}

/** The risks that the agent found in an app. If it found none above low, the risks that the names of the app show count too. */
function appRules({ appName, bundleId = appName, alsoKnownAs, risks }: ResolvedApp): RiskRule[] {
  const named = new Set([appName, bundleId, ...alsoKnownAs]);
  const byName = [...named].flatMap((name): RiskRule[] => {
    const kind = sensitivity(name);
    return kind === undefined ? [] : [{ level: 'high', reason: `${quoted(shortened(name))} is ${kind}.` }];
  });
  return [...risks, ...(risks.some(({ level }) => level !== 'low') ? [] : byName)];
}

/** Why no profile lets input reach this control. */
function controlObjection(control: Control): string | undefined {
  return control.isOwn ? NEVER_HANDRAIL : (appObjection(control.app) ?? pageObjection(control)); // guard N4-2
}

const NEVER_HANDRAIL = 'Handrail itself can never be the target of an action.';

export const HOLDS_DASHBOARD =
  'Your dashboard is open in this browser. Open it in its own window: handrail open. A browser that holds it is never a target.';

/** Why no profile lets an action reach this app. */
export function appObjection(app: ResolvedApp): string | undefined {
  if (app.holdsDashboard === true) return HOLDS_DASHBOARD;
  const names = [app.appName, ...(app.bundleId === undefined ? [] : [app.bundleId]), ...app.alsoKnownAs];
  if (names.some(isHandrail)) return NEVER_HANDRAIL;
  if (!showsOtherScreen(names)) return undefined;
  return `${quoted(app.appName)} shows another screen, on which an approval could be given. No input goes there.`;
}

/** The words on a control that make it critical. The requester reads the reason too, and may not have read the control. */
export function labelRules(label: string): RiskRule[] {
  // The end is missing, and may have the word that matters.
  // guard N3-4
  if (label.length > MAX_LABEL)
    return [{ level: 'high', reason: 'The words on the control are too many to be judged.' }];
  const found = criticalLabel(label);
  if (found === undefined) return [];
  if (found.family === 'another script')
    return [{ level: 'high', reason: 'The words on the control are in a script that Handrail cannot judge.' }];
  return [{ level: 'high', reason: `By its words the control ${EFFECTS[found.family]}.` }];
}

const EFFECTS = {
  sends: 'may send or publish something',
  pays: 'may pay or order something',
  deletes: 'may delete or overwrite something',
  allows: 'may give a permission or install something',
  'signs in': 'has to do with signing in, passwords or keys',
  shares: 'may upload or share something',
  pastes: 'may insert the clipboard, which may hold a password',
  'ends the session': 'may end the session or restart the computer',
} as const;

/** Everything that is known of a control, and that must still hold when it is used. */
export function controlFacts(control: Control): string {
  const {
    app,
    pid,
    windowTitle,
    role,
    name,
    bounds,
    documents = [],
    defaultButton,
    others = [],
    texts = [],
    dialog,
  } = control;
  const known = [
    `${name === '' ? `a ${role} without a name` : `the ${role} ${quoted(name)}`} of ${quoted(app.appName)}`,
    ...(app.bundleId === undefined ? [] : [quoted(app.bundleId)]),
    pid === null ? 'process unknown' : `process ${pid}`,
    windowTitle === '' ? 'window without a title' : `window ${quoted(windowTitle)}`,
    ...documents.map((address) => (address === '' ? 'in a page without an address' : `page ${quoted(address)}`)),
    ...(others.length === 0 ? [] : [`with ${others.map(quoted).join(' and ')} at the same place`]),
    ...(dialog?.file === undefined ? [] : [`its dialog takes ${pathWords(dialog.file.realPath)}`]),
    ...(texts.length === 0 ? [] : [`also called ${texts.map(quoted).join(' and ')}`]),
    ...(control.isMenuOpen === true ? ['with a menu open'] : []),
    ...(defaultButton === undefined ? [] : [`Return presses ${quoted(defaultButton)}`]),
    bounds === null ? 'place unknown' : `${bounds.width} × ${bounds.height} at ${bounds.x}, ${bounds.y}`,
  ];
  return known.join(', ');
}

/** A control in a sentence: the button “Save” of “Mousepad”. */
/** The name of a control; empty where it has none or was not found. */
export function labelOf(control: Control | undefined): string {
  return control?.name ?? '';
}

export function controlWords(control: Control | undefined, reference: TargetReference | undefined): string {
  if (control === undefined) return placeWords(reference);
  const { app, role, name, windowTitle } = control;
  const place = placeOf(control);
  const of = place === app.appName ? `of ${quoted(shortened(place))}` : `on ${place}${otherSites(control, place)}`;
  if (role === 'window' && name === '')
    return `the window ${windowTitle === '' ? 'without a title' : quoted(shortened(windowTitle))} ${of}`;
  return `${name === '' ? `a ${role} without a name` : `the ${role} ${quoted(shortened(name))}`} ${of}`;
}

/** The sites of frames around the control, and of the page to which a link leads, where they are not the site of the page. */
function otherSites({ documents = [] }: Control, place: string): string {
  const others = new Set(documents.map(siteOf).filter((site) => site !== undefined && site !== place));
  return others.size === 0 ? '' : `, with ${[...others].join(' and ')}`;
}

function placeWords(reference: TargetReference | undefined): string {
  switch (reference?.kind) {
    case 'point':
      return `the point ${reference.x}, ${reference.y}`;
    case 'element':
      return 'an element of the screen';
    default:
      return 'the control with the focus';
  }
}
