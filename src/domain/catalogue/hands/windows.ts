import {
  InvokeMenuParameters,
  ListWindowsParameters,
  MoveWindowParameters,
  WindowParameters,
} from '../../../contract/hands.ts';
import { showsDashboard } from '../../../contract/own-window.ts';
import { isHandrail, sensitivity } from '../../../contract/sensitive-apps.ts';
import type { Target } from '../../../contract/targets.ts';
import { showsOtherScreen } from '../../other-screens.ts';
import { assessRisk, type RiskRule } from '../../risk.ts';
import { type Assessment, defineAction } from '../definition.ts';
import { doneInWindow } from '../done.ts';
import { quoted, shortened, windowIn, windowSentence } from '../window-words.ts';
import {
  accessToWindow,
  appFacts,
  fileItemRules,
  HOLDS_DASHBOARD,
  labelRules,
  menuOfBrowserRules,
  openFileRules,
} from './control-target.ts';
import { itemOpens } from './file-dialog.ts';

export const listWindows = defineAction({
  name: 'ListWindows',
  summary: 'Lists the windows with app, title, place and order',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  parameters: ListWindowsParameters,
  assess: () => ({
    risk: assessRisk({ level: 'low', reason: 'Naming windows changes nothing and shows no contents.' }),
    capability: null,
    sentence: 'List the windows',
    target: null,
    denialTarget: 'names of every display',
    apps: [],
    paths: [],
    changes: 'Changes nothing; a title that was read cannot be unread.',
  }),
});

const windowTargets = ({ windowId }: { windowId: string }) => [{ kind: 'window', windowId, hidden: true }] as const;

export const focusWindow = defineAction({
  name: 'FocusWindow',
  summary: 'Brings a window to the front',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'low',
  isUsual: true,
  isInput: true,
  parameters: WindowParameters,
  targets: windowTargets,
  assess({ windowId }, { targets }) {
    const { facts, words } = windowTarget(windowId, targets);
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'A window that comes to the front changes nothing in it.' }),
      sentence: `Bring ${words} to the front`,
      changes: 'Brings the window to the front; keys then go to it.',
    };
  },
});

export const moveWindow = defineAction({
  name: 'MoveWindow',
  summary: 'Moves and sizes a window',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'low',
  isInput: true,
  parameters: MoveWindowParameters,
  targets: windowTargets,
  assess({ windowId, bounds: { x, y, width, height } }, { targets }) {
    const { facts, words } = windowTarget(windowId, targets);
    return {
      ...facts,
      risk: assessRisk(
        { level: 'low', reason: 'A window that moves changes nothing in it.' },
        windowIn(targets)?.staysAbove === true ? [MAY_COVER] : [],
      ),
      sentence: `Move ${words} to ${x}, ${y} with ${width} × ${height}`,
      changes: 'Moves and sizes the window; it can be moved back.',
    };
  },
});

export const minimizeWindow = defineAction({
  name: 'MinimizeWindow',
  summary: 'Minimizes a window',
  capability: 'canControlInput',
  effectClass: 'idempotent',
  baseRisk: 'low',
  isInput: true,
  parameters: WindowParameters,
  targets: windowTargets,
  assess({ windowId }, { targets }) {
    const { facts, words } = windowTarget(windowId, targets);
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'A window that is minimized changes nothing in it.' }),
      sentence: `Minimize ${words}`,
      changes: 'Takes the window out of sight; it can be brought back.',
    };
  },
});

export const closeWindow = defineAction({
  name: 'CloseWindow',
  summary: 'Asks a window to close, as its close button would',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  isIrreversible: true,
  isInput: true,
  parameters: WindowParameters,
  targets: windowTargets,
  assess({ windowId }, { targets }) {
    const { rules, facts, words } = windowTarget(windowId, targets);
    return {
      ...facts,
      risk: assessRisk({ level: 'medium', reason: 'A window that closes may take unsaved work with it.' }, rules),
      sentence: `Close ${words}`,
      ...doneInWindow(windowIn(targets), 'closed', windowIn(targets)?.title ?? ''),
      changes: 'Asks the window to close. The app may ask about unsaved work; work that it drops is lost.',
    };
  },
});

export const invokeMenu = defineAction({
  name: 'InvokeMenu',
  summary: 'Chooses an item of the menu bar of a window',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  isInput: true,
  parameters: InvokeMenuParameters,
  targets: ({ windowId }) => [{ kind: 'window', windowId }],
  assess({ windowId, path }, { targets }) {
    const { rules, facts, words, menuRules } = windowTarget(windowId, targets);
    return {
      ...facts,
      denialTarget: `${facts.denialTarget}\n${path.join('\n')}`,
      risk: assessRisk({ level: 'medium', reason: 'A menu item does what its name says.' }, [
        ...rules,
        ...menuRules,
        ...path.flatMap(labelRules),
        ...path.flatMap((name) => fileItemRules({ role: 'menuitem', name })), // guard N47-2
        ...itemOpens(path, windowIn(targets)),
      ]),
      sentence: `Choose ${path.map((name) => quoted(shortened(name))).join(' → ')} in the menu of ${words}`,
      ...doneInWindow(windowIn(targets), 'chose', path.join(' → ')),
      changes: 'Does what the menu item does. The app may not be able to undo it.',
    };
  },
});

const MAY_COVER: RiskRule = {
  level: 'high',
  reason: 'It stays in front of all other windows, and may cover a part of a prompt there.',
};

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
>;

function windowTarget(
  windowId: string,
  targets: readonly Target[] | undefined,
): { rules: RiskRule[]; menuRules: RiskRule[]; facts: Facts; words: string } {
  const window = windowIn(targets);
  const base = { capability: 'canControlInput', target: null, apps: [], paths: [], onceOnly: true } as const;
  if (window === undefined) {
    const rules: RiskRule[] = [{ level: 'high', reason: 'The agent has not looked at the window.' }];
    return {
      rules,
      menuRules: [],
      facts: { ...base, denialTarget: `window ${windowId}` },
      words: `window ${quoted(windowId)}`,
    };
  }
  const { app, identity = { appName: app, alsoKnownAs: [], risks: [] } } = window;
  const kind = sensitivity(app);
  const names = [app, identity.appName, ...identity.alsoKnownAs];
  const isOwn = names.some(isHandrail) || showsDashboard(window.title, names); // guard N15-1
  const own = isOwn ? 'Handrail itself can never be the target of an action.' : undefined;
  const other = showsOtherScreen(names) ? `${quoted(app)} shows another screen. No input goes there.` : undefined;
  const forbidden = identity.holdsDashboard === true ? HOLDS_DASHBOARD : (own ?? other);
  const rules: RiskRule[] = [
    ...(kind === undefined ? [] : [{ level: 'high', reason: `${quoted(app)} is ${kind}.` } as const]),
    ...identity.risks,
  ];
  return {
    rules,
    menuRules: [...menuOfBrowserRules(identity), ...openFileRules({ windowTitle: window.title })],
    words: `the window ${windowSentence(window)}`,
    facts: {
      ...base,
      target: app,
      denialTarget: `window ${windowId}`,
      ...appFacts(identity),
      apps: [app],
      access: window.identity && accessToWindow(window.identity),
      forbidden,
    },
  };
}
