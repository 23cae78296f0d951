/**
 * The accessibility tree of the apps on the screen, for the macOS driver:
 * `osascript -l JavaScript accessibility.js '{"apps":[…],"contents":false,"maxElements":1500,"budgetMs":2000,…}'`.
 *
 * An app is `{ pid, path, menuBar, windows: [{ id, title, bounds }] }`; apps are read in this order. `kinds` maps
 * each role or subrole to `control`, `structure` or `content`; without contents, `content` is not read. An element
 * without a kind is left out, but its children are read.
 * Prints `{ trusted, elements, cut, textCut, unreachable, pageless }`; `pageless` are browser engines that described no
 * page; an element's `parent` is an index into `elements`, and `path` leads to it: its root, its steps down from it, and a print of
 * its role and label, by which input-elements.js finds it again. A list whose entries are not all told has `beyond: { above, below }`;
 * `missing` says why other things in an element are not told.
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

const BASIC = ['AXRole', 'AXSubrole', 'AXTitle', 'AXDescription', 'AXPlaceholderValue'];
const ATTRIBUTES = [...BASIC, 'AXPosition', 'AXSize', 'AXEnabled', 'AXFocused', 'AXChildren'];

/** Roles that keep a shorter list of the children that are in view. */
const VISIBLE_CHILDREN = {
  AXTable: ['AXHeader', 'AXVisibleRows'],
  AXOutline: ['AXHeader', 'AXVisibleRows'],
  AXList: ['AXVisibleChildren'],
};

const MENUS = ['AXMenu', 'AXMenuItem'];
/** Windows of their own to the window server, but part of another one to its app. */
const ATTACHED = ['AXSheet', 'AXPopover', 'AXDrawer'];
/** The text inside these roles repeats their label. */
const LABELLED_INSIDE = ['AXButton', 'AXCheckBox', 'AXLink', 'AXMenuButton', 'AXPopUpButton', 'AXRadioButton'];

/** Their values are told with contents only. */
const WITH_VALUE = [
  ...['AXCheckBox', 'AXRadioButton', 'AXSwitch', 'AXToggle', 'AXTextField', 'AXTextArea', 'AXSearchField'],
  ...['AXComboBox', 'AXPopUpButton', 'AXSlider', 'AXIncrementor', 'AXDateTimeArea', 'AXProgressIndicator'],
  ...['AXLevelIndicator', 'AXRelevanceIndicator'],
];
const LEFT_OUT = 'contents_left_out';

const CHROMIUM = /^(Electron|Chromium|Google Chrome|Microsoft Edge|Brave Browser|Vivaldi|Opera|Arc)\b.* Framework/;
const REBUILD_POLL_SECONDS = 0.1;
const MAX_DEPTH = 100;
const TEXT_LIMIT = 10000;

class AppUnreachable extends Error {
  constructor(code) {
    super(`the app does not answer accessibility calls (AXError ${code})`);
    this.code = code;
  }
}

function run(argv) {
  const request = JSON.parse(argv[0]);
  const trusted = Boolean($.AXIsProcessTrusted());
  const answer = { trusted, elements: [], cut: null, textCut: false, unreachable: [], pageless: [] };
  const deadline = Date.now() + request.budgetMs;
  if (trusted) {
    // On the system-wide element the limit holds for every call; on another it would hold for that reference alone.
    $.AXUIElementSetMessagingTimeout($.AXUIElementCreateSystemWide(), request.messagingTimeoutSeconds);
    const state = { request, answer, deadline, attributes: $(ATTRIBUTES), pages: 0 };
    for (const app of request.apps) describeApp(app, state);
  }
  return JSON.stringify(answer);
}

function describeApp(app, state) {
  if (isOver(state)) return;
  const { elements, unreachable } = state.answer;
  const element = $.AXUIElementCreateApplication(app.pid);
  const first = elements.length;
  try {
    const hasPages = state.request.contents && app.windows.length > 0 && isChromium(app);
    if (hasPages) wakeChromium(element);
    walkApp(app, element, state);
    if (hasPages && state.pages === 0) waitForPages(app, element, { state, first });
  } catch (error) {
    if (!(error instanceof AppUnreachable)) throw error;
    unreachable.push({ pid: app.pid, code: error.code });
  }
}

/** A browser engine builds its tree some time after it was asked; half of the time left is spent looking while it grows. */
function waitForPages(app, element, { state, first }) {
  const { elements, pageless } = state.answer;
  const patience = Date.now() + (state.deadline - Date.now()) / 2;
  for (let before = -1; Date.now() < patience && !isOver(state); ) {
    if (state.pages > 0 && elements.length <= before) break;
    before = state.pages > 0 ? elements.length : -1;
    delay(REBUILD_POLL_SECONDS);
    elements.length = first;
    walkApp(app, element, state);
  }
  if (state.pages === 0) pageless.push(app.pid);
}

function isChromium({ path }) {
  if (path === null) return false;
  const names = $.NSFileManager.defaultManager.contentsOfDirectoryAtPathError(`${path}/Contents/Frameworks`, null);
  return !names.isNil() && ObjC.deepUnwrap(names).some((name) => CHROMIUM.test(name));
}

/**
 * Electron takes the attribute, and some of its versions say that they do not. Chrome, Edge and Brave have no such attribute.
 * So the answer says nothing; the tree shows whether it helped.
 */
function wakeChromium(element) {
  $.AXUIElementSetAttributeValue(element, 'AXManualAccessibility', $.NSNumber.numberWithBool(true));
}

function walkApp(app, element, state) {
  state.pages = 0;
  const unclaimed = [...app.windows];
  if (app.menuBar) {
    const open = children(attribute(element, 'AXChildren')).filter(
      (one) => string(attribute(one, 'AXRole')) === 'AXMenu',
    );
    const menus = [attribute(element, 'AXMenuBar'), ...open];
    menus.forEach((menu, index) => {
      const root = index === 0 ? 'm' : `c${index - 1}`;
      walk(menu, { app, unclaimed, window: null, root }, state);
    });
  }
  const windows = children(attribute(element, 'AXWindows'));
  for (const root of windows) {
    const node = isOver(state) ? null : read(root, state);
    if (node === null) continue;
    // While a window moves its bounds disagree; one window on each side can only be the same.
    const alone = windows.length === 1 && unclaimed.length === 1 ? unclaimed.pop() : null;
    const window = claim(node, unclaimed) || alone;
    if (window !== null) walk(root, { app, unclaimed, window, root: `w${window.id}` }, state);
  }
}

/** The window of the window server that this element is: of the same bounds, and among several of the same title. */
function claim(node, unclaimed) {
  const alike = unclaimed.filter((window) => sameBounds(window.bounds, node.bounds));
  const window = alike.find(({ title }) => title === node.title) || alike[0];
  if (window === undefined) return null;
  unclaimed.splice(unclaimed.indexOf(window), 1);
  return window;
}

function sameBounds(one, other) {
  return other !== null && ['x', 'y', 'width', 'height'].every((side) => Math.abs(one[side] - other[side]) <= 1);
}

/** Roles that keep their entries among other children. */
const WITH_ROWS = ['AXTable', 'AXOutline'];
const LISTS = [...WITH_ROWS, 'AXList', 'AXGrid', 'AXBrowser'];

/** Depth first, so that the order is the reading order; without recursion, as pages are deep. */
function walk(top, { app, unclaimed, window, root }, state) {
  const stack = [{ element: top, parent: null, list: null, depth: 0, level: 0, window, root, steps: [] }];
  while (stack.length > 0 && !isOver(state)) {
    const { element, ...step } = stack.pop();
    const node = read(element, state);
    if (node === null) continue;
    if (step.level > 0 && ATTACHED.includes(node.role)) step.window = claim(node, unclaimed) || step.window;
    const inside = visit(node, { ...step, app }, state);
    const held = inside === null ? [] : insideOf(node, { ...inside, level: step.level }, state);
    for (const { child, by } of held.reverse())
      stack.push({ element: child, ...inside, level: step.level + 1, root, steps: [...step.steps, by] });
  }
  noteUnread(stack, state);
}

function insideOf(node, { parent, list, level }, state) {
  if (level < MAX_DEPTH) return heldBy(node, list, state);
  if (node.children.length > 0) mark(parent, 'elements_cut', state);
  return [];
}

/** Counts the entries that were not reached, and marks what else was not. */
function noteUnread(stack, state) {
  for (const { list, parent } of stack) {
    if (list !== null) addBeyond(list, { above: 0, below: 1 }, state);
    else mark(parent, state.answer.cut === 'time' ? 'app_slow' : 'elements_cut', state);
  }
}

/** What did not answer says more than what was not asked for. */
function mark(index, missing, { answer }) {
  const element = answer.elements[index];
  if (element !== undefined && (element.missing === undefined || element.missing === LEFT_OUT))
    element.missing = missing;
}

/** Entries that are not told, before the first told one and after the last. */
function addBeyond({ index }, { above, below }, { answer }) {
  const list = answer.elements[index];
  const known = list.beyond || { above: 0, below: 0 };
  list.beyond = { above: known.above + above, below: known.below + below };
}

/** Adds the element to the answer if it belongs there. Answers the place for its children, or null if they are not read. */
function visit(node, step, state) {
  const { contents, kinds } = state.request;
  const kind = kinds[node.subrole] || kinds[node.role];
  if (kind === 'content' && !contents) return leaveOut(node, step, state);
  const isInView = isSeen(node, step);
  if (step.list !== null) noteEntry(node, { list: step.list, isInView }, state);
  if (!isInView) return null;
  if (node.role === 'AXWebArea' && node.children.length > 0) state.pages += 1;
  if (kind === undefined) return { parent: step.parent, list: null, depth: step.depth, window: step.window };
  const { elements } = state.answer;
  elements.push(told(node, { kind, step, state }));
  if (isSecure(node) || (LABELLED_INSIDE.includes(node.role) && node.label !== '')) return null;
  const index = elements.length - 1;
  const own = LISTS.includes(node.role) ? { index, hasRows: WITH_ROWS.includes(node.role), isBegun: false } : null;
  return { parent: index, list: own, depth: step.depth + 1, window: step.window };
}

/** A content that was not asked for: a page is told without what is in it, and the rest is missing in what is around it. */
function leaveOut(node, step, state) {
  if (!isSeen(node, step)) return null;
  const isPage = node.role === 'AXWebArea';
  if (isPage) state.answer.elements.push(told(node, { kind: 'content', step, state }));
  mark(isPage ? state.answer.elements.length - 1 : step.parent, LEFT_OUT, state);
  return null;
}

/** Counts an entry of a list that is scrolled out of the window. */
function noteEntry(node, { list, isInView }, state) {
  if (list.hasRows && node.role !== 'AXRow') return;
  if (isInView) list.isBegun = true;
  else addBeyond(list, list.isBegun ? { above: 0, below: 1 } : { above: 1, below: 0 }, state);
}

/** False for an element that is scrolled out of its window, and for a closed menu, which reports no size. */
function isSeen({ role, bounds }, { level, window }) {
  const isEmpty = bounds === null || bounds.width === 0 || bounds.height === 0;
  if (MENUS.includes(role)) return !isEmpty;
  return isEmpty || level === 0 || window === null || ATTACHED.includes(role) || overlap(bounds, window.bounds);
}

function overlap(one, other) {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}

function told(node, { kind, step, state }) {
  const { contents } = state.request;
  const value = contents && !isSecure(node) ? currentValue(node) : undefined;
  const isUnnamed = kind === 'structure' && !contents && step.level > 0;
  return {
    pid: step.app.pid,
    windowId: step.window ? step.window.id : null,
    parent: step.parent,
    depth: step.depth,
    role: node.role,
    subrole: node.subrole,
    name: isUnnamed || isPrivate(node, step, state) ? '' : short(nameOf(node, { kind, contents, value }), state),
    ...(!contents && WITH_VALUE.includes(node.role) && !isSecure(node) && { missing: LEFT_OUT }),
    ...(value !== undefined && { value: short(value, state) }),
    ...(contents && node.role === 'AXWebArea' && { url: addressOf(node.element) }),
    bounds: node.bounds,
    enabled: node.enabled,
    focused: node.focused,
    actions: kind === 'control' ? actionsOf(node.element) : [],
    path: {
      root: step.root,
      steps: step.steps,
      print: printOf([node.role, node.subrole, isUnnamed ? '' : node.label]),
    },
  };
}

/** Without contents the name of a page is told only where the title of its window has it too. */
function isPrivate({ role, label }, { window }, { request }) {
  return !request.contents && role === 'AXWebArea' && !window?.title.includes(label);
}

/** '' where the page does not tell its address. */
function addressOf(element) {
  const url = attribute(element, 'AXURL');
  return url?.isKindOfClass($.NSURL) ? ObjC.unwrap(url.absoluteString) : '';
}

/** Its value is never read. */
function isSecure(node) {
  return node.subrole === 'AXSecureTextField' || node.role === 'AXSecureTextField';
}

/** A control without a label of its own may be labelled by a text beside it; the title of a choice may be the chosen entry. */
function nameOf(node, { kind, contents, value }) {
  const isChoice = node.role === 'AXPopUpButton' && !contents;
  const label = isChoice ? node.description : node.label;
  if (label !== '' || kind !== 'control') return label || (kind === 'content' && value) || '';
  const beside = attribute(node.element, 'AXTitleUIElement');
  return beside === null ? '' : string(attribute(beside, 'AXTitle')) || string(attribute(beside, 'AXValue'));
}

function currentValue(node) {
  const value = attribute(node.element, 'AXValue');
  if (!value?.isKindOfClass($.NSString) && !value?.isKindOfClass($.NSNumber)) return undefined;
  return String(ObjC.unwrap(value));
}

function actionsOf(element) {
  const names = Ref();
  return $.AXUIElementCopyActionNames(element, names) === SUCCESS ? ObjC.deepUnwrap(names[0]) || [] : [];
}

function heldBy(node, list, state) {
  if (node.role === 'AXMenuBarItem' && !truth(attribute(node.element, 'AXSelected'))) return [];
  const inView = (VISIBLE_CHILDREN[node.role] || []).flatMap((name) => {
    const value = attribute(node.element, name);
    if (name === 'AXHeader') return value === null ? [] : [{ child: value, by: 'h' }];
    const entries = children(value);
    // Without contents entries are not told, and so they are not counted.
    if (list !== null && entries.length > 0 && state.request.contents) countOthers(node, { list, entries }, state);
    return entries.map((child, index) => ({ child, by: `${name === 'AXVisibleRows' ? 'r' : 'v'}${index}` }));
  });
  return inView.length > 0 ? inView : node.children.map((child, index) => ({ child, by: String(index) }));
}

/** The entries that are not in view. They count as below where the app does not say where the first one in view stands. */
function countOthers(node, { list, entries }, state) {
  const all = list.hasRows ? children(attribute(node.element, 'AXRows')).length : node.children.length;
  const others = Math.max(0, all - entries.length);
  const place = attribute(entries[0], 'AXIndex');
  const above = place === null ? 0 : Math.min(Number(ObjC.unwrap(place)), others);
  if (others > 0) addBeyond(list, { above, below: others - above }, state);
}

/** Null for an element that is gone. Attributes an element lacks come as error values in the array. */
function read(element, { attributes }) {
  const answer = Ref();
  if (element === null || code($.AXUIElementCopyMultipleAttributeValues(element, attributes, 0, answer)) !== SUCCESS) {
    return null;
  }
  const values = ATTRIBUTES.map((_name, index) => answer[0].objectAtIndex(index));
  const [role, subrole, title, description, placeholder] = values.slice(0, BASIC.length).map(string);
  const [position, size, enabled, focused, held] = values.slice(BASIC.length);
  return {
    element,
    role,
    subrole,
    title,
    description,
    label: title || description || placeholder,
    bounds: boundsOf(position, size),
    enabled: truth(enabled) !== false,
    focused: truth(focused) === true,
    children: children(held),
  };
}

/** Null where the attribute is not supported or has no value. */
function attribute(element, name) {
  const value = Ref();
  if (code($.AXUIElementCopyAttributeValue(element, name, value)) !== SUCCESS) return null;
  return value[0] === undefined || value[0].isNil() ? null : value[0];
}

function code(error) {
  if (error === API_DISABLED || error === CANNOT_COMPLETE) throw new AppUnreachable(error);
  return error;
}

function isOver({ request, answer, deadline }) {
  if (answer.elements.length >= request.maxElements) answer.cut = 'elements';
  else if (Date.now() >= deadline) answer.cut = 'time';
  return answer.cut !== null;
}

function children(value) {
  if (!value?.isKindOfClass($.NSArray)) return [];
  const items = [];
  for (let index = 0; index < Number(value.count); index += 1) items.push(value.objectAtIndex(index));
  return items;
}

/** Positions and sizes are opaque structures whose description tells them, as `x:12.000000 y:34.000000`. */
function boundsOf(position, size) {
  const place = /x:(-?[\d.]+) y:(-?[\d.]+)/.exec(ObjC.unwrap($.CFCopyDescription(position)));
  const extent = /w:(-?[\d.]+) h:(-?[\d.]+)/.exec(ObjC.unwrap($.CFCopyDescription(size)));
  if (place === null || extent === null) return null;
  return { x: Number(place[1]), y: Number(place[2]), width: Number(extent[1]), height: Number(extent[2]) };
}

function string(value) {
  return value?.isKindOfClass($.NSString) ? ObjC.unwrap(value) : '';
}

/** Undefined for a value that is neither true nor false. */
function truth(value) {
  return value?.isKindOfClass($.NSNumber) ? Boolean(ObjC.unwrap(value)) : undefined;
}

/** FNV-1a over the UTF-16 units, as input-elements.js has it. */
function printOf(parts) {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    for (let index = 0; index <= part.length; index += 1) {
      hash = Math.imul(hash ^ (index < part.length ? part.charCodeAt(index) : 0x1f), 0x01000193) >>> 0;
    }
  }
  return hash.toString(36);
}

function short(text, { answer }) {
  if (text.length <= TEXT_LIMIT) return text;
  answer.textCut = true;
  return `${text.slice(0, TEXT_LIMIT)}…`;
}
