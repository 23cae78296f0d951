/**
 * The accessibility tree of the apps on the screen, for the macOS driver:
 * `osascript -l JavaScript accessibility.js '{"apps":[…],"contents":false,"maxElements":1500,"budgetMs":2000,"roles":{…}}'`.
 *
 * An app is `{ pid, path, menuBar, windows: [{ id, title, bounds }] }`; the first ones are looked at first. `roles` names
 * the kind of each role or subrole: `control` and `structure` are told, `content` only with contents and otherwise not even
 * looked into; all others are passed through to what they hold, and told with contents if they have a label.
 * Prints `{ trusted, elements, cut, unreachable }`; an element's `parent` is an index into `elements`.
 */

ObjC.import('AppKit');
ObjC.import('ApplicationServices');
ObjC.bindFunction('AXUIElementCreateApplication', ['id', ['int']]);
ObjC.bindFunction('AXUIElementCreateSystemWide', ['id', []]);
ObjC.bindFunction('AXUIElementCopyAttributeValue', ['int', ['id', 'id', 'id*']]);
ObjC.bindFunction('AXUIElementCopyMultipleAttributeValues', ['int', ['id', 'id', 'int', 'id*']]);
ObjC.bindFunction('AXUIElementCopyActionNames', ['int', ['id', 'id*']]);
ObjC.bindFunction('AXUIElementSetAttributeValue', ['int', ['id', 'id', 'id']]);
ObjC.bindFunction('AXUIElementSetMessagingTimeout', ['int', ['id', 'float']]);
ObjC.bindFunction('CFCopyDescription', ['id', ['id']]);

const SUCCESS = 0;
const CANNOT_COMPLETE = -25204;
const API_DISABLED = -25211;

const ATTRIBUTES = [
  'AXRole',
  'AXSubrole',
  'AXTitle',
  'AXDescription',
  'AXPlaceholderValue',
  'AXPosition',
  'AXSize',
  'AXEnabled',
  'AXFocused',
  'AXChildren',
];

/** Roles that keep a cheaper list of the children that are in view. */
const VISIBLE_CHILDREN = {
  AXTable: ['AXHeader', 'AXVisibleRows'],
  AXOutline: ['AXHeader', 'AXVisibleRows'],
  AXList: ['AXVisibleChildren'],
};

const CHROMIUM_FRAMEWORK =
  /^(Electron|Chromium|Chromium Embedded|Google Chrome|Microsoft Edge|Brave Browser|Vivaldi|Opera|Arc) Framework/;
const MAX_DEPTH = 100;
const LONGEST_TEXT = 10000;
const REBUILD_POLL_SECONDS = 0.1;

class AppUnreachable extends Error {
  constructor(code) {
    super(`the app does not answer accessibility calls (AXError ${code})`);
    this.code = code;
  }
}

function run(argv) {
  const request = JSON.parse(argv[0]);
  const { budgetMs, messagingTimeoutSeconds } = request;
  const trusted = Boolean($.AXIsProcessTrusted());
  const progress = { elements: [], pages: 0, cut: null, unreachable: [] };
  const state = { ...progress, request, deadline: Date.now() + budgetMs, attributes: $(ATTRIBUTES) };
  if (trusted) {
    // On the system-wide element the limit holds for every call; on another it would hold for that reference alone.
    $.AXUIElementSetMessagingTimeout($.AXUIElementCreateSystemWide(), messagingTimeoutSeconds);
    for (const app of request.apps) describeApp(app, state);
  }
  const { elements, cut, unreachable } = state;
  return JSON.stringify({ trusted, elements, cut, unreachable });
}

function describeApp(app, state) {
  if (isOver(state)) return;
  const element = $.AXUIElementCreateApplication(app.pid);
  const first = state.elements.length;
  try {
    const wasAsleep = wakeChromium(app, element);
    walkApp(app, element, state);
    // A browser engine builds its tree after it was asked to; until it has, half of the time left is spent looking again.
    const patience = Date.now() + (state.deadline - Date.now()) / 2;
    while (wasAsleep && state.pages === 0 && Date.now() < patience && !isOver(state)) {
      delay(REBUILD_POLL_SECONDS);
      state.elements.length = first;
      walkApp(app, element, state);
    }
  } catch (error) {
    if (!(error instanceof AppUnreachable)) throw error;
    state.unreachable.push({ pid: app.pid, code: error.code });
  }
}

/** Whether the app is built on Chromium and has only now been asked for its tree. */
function wakeChromium(app, element) {
  if (!isChromium(app.path)) return false;
  const before = plain(attribute(element, 'AXManualAccessibility'));
  if (before === true || before === 1) return false;
  const yes = $.NSNumber.numberWithBool(true);
  return $.AXUIElementSetAttributeValue(element, 'AXManualAccessibility', yes) === SUCCESS;
}

function isChromium(path) {
  if (path === null) return false;
  const names = $.NSFileManager.defaultManager.contentsOfDirectoryAtPathError(`${path}/Contents/Frameworks`, null);
  return !names.isNil() && ObjC.deepUnwrap(names).some((name) => CHROMIUM_FRAMEWORK.test(name));
}

function walkApp(app, element, state) {
  state.pages = 0;
  const unclaimed = [...app.windows];
  if (app.menuBar) {
    const roots = [attribute(element, 'AXMenuBar'), ...children(attribute(element, 'AXChildren')).filter(isMenu)];
    for (const root of roots) walk(root, { app, unclaimed, windowId: null }, state);
  }
  const windows = children(attribute(element, 'AXWindows'));
  for (const window of windows) {
    const node = read(window, state);
    if (node === null) continue;
    const shown = claim(node, unclaimed) || onlyPair(windows, unclaimed);
    if (shown !== null) walk(window, { app, unclaimed, windowId: shown }, state);
  }
}

function isMenu(element) {
  return string(attribute(element, 'AXRole')) === 'AXMenu';
}

/** The window of the window server that this element is: the same bounds, and among several the same title. */
function claim(node, unclaimed) {
  const alike = unclaimed.filter((window) => sameBounds(window.bounds, node.bounds));
  const found = alike.find((window) => window.title === node.title) || alike[0];
  return take(found, unclaimed);
}

/** While a window moves its bounds disagree; one window on each side can only be the same. */
function onlyPair(windows, unclaimed) {
  return windows.length === 1 && unclaimed.length === 1 ? take(unclaimed[0], unclaimed) : null;
}

function take(window, unclaimed) {
  if (window === undefined) return null;
  unclaimed.splice(unclaimed.indexOf(window), 1);
  return window.id;
}

function sameBounds(one, other) {
  return other !== null && ['x', 'y', 'width', 'height'].every((side) => Math.abs(one[side] - other[side]) <= 1);
}

/** Depth first, so that the order is the reading order; without recursion, as pages are deep. */
function walk(root, { app, unclaimed, windowId }, state) {
  const stack = [{ element: root, parent: null, depth: 0, windowId, level: 0 }];
  while (stack.length > 0) {
    const step = stack.pop();
    if (isOver(state)) return;
    const node = read(step.element, state);
    if (node === null) continue;
    const within = { ...step, windowId: step.level === 0 ? windowId : claimed(node, unclaimed) || step.windowId };
    const inside = visit(node, { ...within, app }, state);
    const held = inside === null || step.level >= MAX_DEPTH ? [] : heldBy(node);
    for (const element of held.reverse()) stack.push({ element, ...inside, level: step.level + 1 });
  }
}

/** Sheets and popovers are windows of their own to the window server. */
function claimed(node, unclaimed) {
  return ['AXSheet', 'AXPopover', 'AXDrawer'].includes(node.role) ? claim(node, unclaimed) : null;
}

/** Tells the element if its kind is told; answers where its children hang, or null if they are not looked at. */
function visit(node, step, state) {
  const { contents, roles } = state.request;
  const kind = roles[node.subrole] || roles[node.role] || 'layout';
  if (isClosedMenu(node)) return null;
  if (kind === 'content' && !contents) return null;
  if (node.role === 'AXWebArea' && node.children.length > 0) state.pages += 1;
  if (kind === 'layout' && !(contents && node.label !== '')) {
    return { parent: step.parent, depth: step.depth, windowId: step.windowId };
  }
  state.elements.push(told(node, { kind, step, contents }));
  if (isSecure(node)) return null;
  return { parent: state.elements.length - 1, depth: step.depth + 1, windowId: step.windowId };
}

/** A menu that is not open reports items without a size. */
function isClosedMenu(node) {
  if (node.role !== 'AXMenu' && node.role !== 'AXMenuItem') return false;
  return node.bounds === null || node.bounds.width === 0 || node.bounds.height === 0;
}

function told(node, { kind, step, contents }) {
  const secure = isSecure(node);
  const value = contents && !secure ? currentValue(node) : undefined;
  return {
    pid: step.app.pid,
    windowId: step.windowId,
    parent: step.parent,
    depth: step.depth,
    role: node.role,
    subrole: node.subrole,
    name: short(nameOf(node, { kind, value })),
    ...(value !== undefined && { value: short(value) }),
    bounds: node.bounds,
    enabled: node.enabled,
    focused: node.focused,
    actions: kind === 'control' ? actionsOf(node.element) : [],
  };
}

function isSecure(node) {
  return node.subrole === 'AXSecureTextField' || node.role === 'AXSecureTextField';
}

/** A control without a label of its own may be labelled by a text beside it. */
function nameOf(node, { kind, value }) {
  if (node.label !== '') return node.label;
  if (node.role === 'AXStaticText' || node.role === 'AXHeading') return value || '';
  if (kind !== 'control') return '';
  const beside = attribute(node.element, 'AXTitleUIElement');
  if (beside === null) return '';
  return string(attribute(beside, 'AXTitle')) || string(attribute(beside, 'AXValue'));
}

function currentValue(node) {
  const value = plain(attribute(node.element, 'AXValue'));
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function actionsOf(element) {
  const names = Ref();
  return $.AXUIElementCopyActionNames(element, names) === SUCCESS ? ObjC.deepUnwrap(names[0]) || [] : [];
}

function heldBy(node) {
  if (node.role === 'AXMenuBarItem' && plain(attribute(node.element, 'AXSelected')) !== true) return [];
  const inView = (VISIBLE_CHILDREN[node.role] || []).flatMap((name) => {
    const value = attribute(node.element, name);
    return name === 'AXHeader' && value !== null ? [value] : children(value);
  });
  return inView.length > 0 ? inView : node.children;
}

/** Null for an element that is gone. Attributes an element lacks come as error values in the array. */
function read(element, state) {
  if (element === null) return null;
  const answer = Ref();
  check($.AXUIElementCopyMultipleAttributeValues(element, state.attributes, 0, answer));
  if (answer[0] === undefined || answer[0].isNil()) return null;
  const values = ATTRIBUTES.map((_name, index) => answer[0].objectAtIndex(index));
  const [role, subrole, title, description, placeholder, position, size, enabled, focused, held] = values;
  return {
    element,
    role: string(role),
    subrole: string(subrole),
    title: string(title),
    label: string(title) || string(description) || string(placeholder),
    bounds: bounds(position, size),
    enabled: plain(enabled) !== false && plain(enabled) !== 0,
    focused: plain(focused) === true || plain(focused) === 1,
    children: children(held),
  };
}

/** Null where the attribute is not supported or has no value. */
function attribute(element, name) {
  const value = Ref();
  const code = $.AXUIElementCopyAttributeValue(element, name, value);
  check(code);
  return code !== SUCCESS || value[0] === undefined || value[0].isNil() ? null : value[0];
}

function check(code) {
  if (code === API_DISABLED || code === CANNOT_COMPLETE) throw new AppUnreachable(code);
}

function isOver(state) {
  if (state.elements.length >= state.request.maxElements) state.cut = 'elements';
  else if (Date.now() >= state.deadline) state.cut = 'time';
  return state.cut !== null;
}

function children(value) {
  if (value === null || value.isNil() || !value.isKindOfClass($.NSArray)) return [];
  const items = [];
  for (let index = 0; index < value.count; index += 1) items.push(value.objectAtIndex(index));
  return items;
}

/** Positions and sizes are opaque structures whose description tells them, as `x:12.000000 y:34.000000`. */
function bounds(position, size) {
  const [x, y] = pair(position, /x:(-?[\d.]+) y:(-?[\d.]+)/);
  const [width, height] = pair(size, /w:(-?[\d.]+) h:(-?[\d.]+)/);
  return x === undefined || width === undefined ? null : { x, y, width, height };
}

function pair(value, pattern) {
  if (value.isNil()) return [];
  const match = pattern.exec(ObjC.unwrap($.CFCopyDescription(value)));
  return match === null ? [] : [Number(match[1]), Number(match[2])];
}

function string(value) {
  return value !== null && !value.isNil() && value.isKindOfClass($.NSString) ? ObjC.unwrap(value) : '';
}

/** Text, numbers and truth values; undefined for everything else. */
function plain(value) {
  if (value === null || value.isNil()) return undefined;
  return value.isKindOfClass($.NSString) || value.isKindOfClass($.NSNumber) ? ObjC.unwrap(value) : undefined;
}

function short(text) {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
