/**
 * Finds and changes elements and windows through the accessibility tree, for the macOS driver:
 * `osascript -l JavaScript input-elements.js '{"verb":"sight",…}'`. Prints `{ ok: true, … }` or `{ ok: false, fault }`.
 *
 * An element is named by `{ pid, root, steps, print }`, as accessibility.js tells it: `root` is `m` for the menu bar, `c` and the
 * number of an open context menu, or `w` and that of a window; the steps lead down from it; `print` is that of its role and label. An element of another print is gone.
 */

ObjC.import('AppKit');
ObjC.import('ApplicationServices');
ObjC.import('CoreGraphics');
ObjC.bindFunction('AXUIElementCreateApplication', ['id', ['int']]);
ObjC.bindFunction('AXUIElementCreateSystemWide', ['id', []]);
ObjC.bindFunction('AXUIElementCopyAttributeValue', ['int', ['id', 'id', 'id*']]);
ObjC.bindFunction('AXUIElementCopyElementAtPosition', ['int', ['id', 'float', 'float', 'id*']]);
ObjC.bindFunction('AXUIElementCopyActionNames', ['int', ['id', 'id*']]);
ObjC.bindFunction('AXUIElementPerformAction', ['int', ['id', 'id']]);
ObjC.bindFunction('AXUIElementSetAttributeValue', ['int', ['id', 'id', 'id']]);
ObjC.bindFunction('AXUIElementSetMessagingTimeout', ['int', ['id', 'float']]);
// A position or a size is built of the bytes of its two numbers, as the bridge passes no pointer to a structure.
ObjC.bindFunction('AXValueCreate', ['id', ['unsigned int', 'void*']]);
ObjC.bindFunction('CFCopyDescription', ['id', ['id']]);

const SUCCESS = 0;
const INVALID_ELEMENT = -25202;
const CANNOT_COMPLETE = -25204;
const POINT = 1;
const SIZE = 2;
const TIMEOUT_SECONDS = 0.4;
/** From here on: the Dock, the menu bar, menus, the pointer. */
const SHELL_LAYER = 20;
/** kCGPopUpMenuWindowLevel */
const MENU_LAYER = 101;
const MAX_DEPTH = 100;
const MOST_NODES = 400;
const LOOK_MS = 300;
const PAGES_MS = 1000;
const MOST_PAGE_NODES = 2000;
const MOST_PAGES = 8;
const READ_BACK_SECONDS = 0.5;
const POLL_SECONDS = 0.02;
/** As AppKit names its panels for files. Of an app in the sandbox they are of a process of their own. */
const PANELS = { 'open-panel': 'open', 'save-panel': 'save' };
const PANEL_SERVICE = 'com.apple.appkit.xpc.openAndSavePanelService';
const LISTS = ['AXOutline', 'AXTable', 'AXBrowser', 'AXList', 'AXGrid'];
const ENTRIES = ['AXRow', 'AXCell'];
/** A click on one of them accepts no panel. */
const ASIDE = [
  'AXComboBox',
  'AXPopUpButton',
  'AXCheckBox',
  'AXRadioButton',
  'AXTextField',
  'AXSearchField',
  'AXSlider',
];
const EDITABLE = ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXSearchField', 'AXSecureTextField'];

const MOST_TEXT_LEVELS = 20;
const HOLDERS = ['AXWebArea', 'AXWindow', 'AXSheet', 'AXDrawer', 'AXApplication'];
const PRESSED = [
  'AXButton',
  'AXLink',
  'AXMenuItem',
  'AXCheckBox',
  'AXRadioButton',
  'AXPopUpButton',
  'AXMenuButton',
  'AXRow',
];

const VERBS = { sight, field, look, set, insert, act, menu, window, page, change };

class Fault extends Error {
  constructor(fault, more = {}) {
    super(fault);
    Object.assign(this, { fault, more });
  }
}

function run(argv) {
  const request = JSON.parse(argv[0]);
  try {
    if (!$.AXIsProcessTrusted()) throw new Fault('untrusted');
    $.AXUIElementSetMessagingTimeout($.AXUIElementCreateSystemWide(), TIMEOUT_SECONDS);
    return JSON.stringify({ ok: true, ...VERBS[request.verb](request) });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return JSON.stringify({ ok: false, fault: error.fault, ...error.more });
  }
}

function sight({ element, point }) {
  if (point) return sightAt(point);
  if (element) {
    const found = resolve(element);
    const seen = told(found, element.pid);
    return { ...seen, ...atMiddle(found, seen) };
  }
  const pid = frontPid();
  // A menu is a window in a layer of its own, and gets the keys, whatever has the focus.
  const isMenuOpen = windowList(1 | 16).some(({ layer, alpha }) => layer === MENU_LAYER && alpha > 0);
  return { ...told(attribute(appOf(pid), 'AXFocusedUIElement'), pid, { takesKeys: true }), isMenuOpen };
}

/** Whether a click on the middle of an element would go to another window or to an open menu, and the documents around what gets it. */
function atMiddle(found, { element: { bounds }, windowId, documents }) {
  if (bounds === null) return {};
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  try {
    const front = sightAt(middle);
    const own = menusAround(found);
    const menus = menusAround(hit($.AXUIElementCreateSystemWide(), middle));
    const isUnderMenu = menus.some((menu) => !own.some((one) => Boolean(one.isEqual(menu))));
    const others = documents.length === 0 ? [] : front.documents.filter((address) => !documents.includes(address));
    return { isCovered: front.windowId !== windowId || isUnderMenu, documents: [...others, ...documents] }; // guard N40-4
  } catch (error) {
    if (error instanceof Fault) return { isCovered: true };
    throw error;
  }
}

/** A menu may be told in the window that it was opened from. */
function menusAround(found) {
  const menus = [];
  for (let at = found, level = 0; at !== null && level < MAX_DEPTH; level += 1) {
    if (named(at).role === 'AXMenu') menus.push(at);
    at = attribute(at, 'AXParent');
  }
  return menus;
}

/**
 * The list of windows does not tell which ones let a click through. The Dock's covers the whole screen since macOS 26
 * (anthropics/claude-code#50719), and so does that of Screenshot (vorssaint/vorssaint-utils#1459). The accessibility tree does tell; it
 * decides, unless an ordinary window lies over that element, as then both may be wrong. The window server draws the menu bar for the app in front.
 */
function sightAt(point) {
  const there = windowList(1 | 16).filter((one) => one.layer >= 0 && one.alpha > 0 && holds(one.bounds, point));
  const front = there.find(({ layer }) => layer < SHELL_LAYER);
  const wanted = hit($.AXUIElementCreateSystemWide(), point);
  const top = wanted === null ? undefined : there.find((one) => isOf(one, wanted, point));
  if (top !== undefined && top.layer < SHELL_LAYER && top !== front) throw new Fault('covered');
  if (top !== undefined) return told(wanted, isApp(top.pid) ? top.pid : frontPid(), { top });
  if (front === undefined) throw new Fault('gone');
  return isApp(front.pid) ? told(null, front.pid, { top: front }) : unowned(front);
}

/** Whether the element at the point is of the app that a window belongs to. */
function isOf({ pid, layer }, wanted, point) {
  const owned = isApp(pid);
  if (!owned && (layer < SHELL_LAYER || !/^AXMenuBar/.test(named(wanted).role))) return false;
  const found = hit(appOf(owned ? pid : frontPid()), point);
  return found !== null && Boolean(found.isEqual(wanted));
}

function hit(root, { x, y }) {
  const found = Ref();
  return $.AXUIElementCopyElementAtPosition(root, x, y, found) === SUCCESS ? found[0] : null;
}

/** A program that is no app has no elements. */
function unowned({ owner, pid, id, title, bounds }) {
  const app = { name: owner, bundleId: null, path: null };
  const seen = { app, pid, windowId: id, windowTitle: title, windowBounds: bounds, isCovered: false };
  return { ...seen, documents: [], pagesBeside: [], element: null };
}

function told(found, pid, { top, takesKeys = false } = {}) {
  const rootWindow = found === null ? null : windowAbove(found);
  const over = top && top.layer < SHELL_LAYER ? top : rootWindow && serverWindowOf(rootWindow, pid);
  const element = found === null ? null : { ...facts(found), ref: refOf(found, pid) };
  const app = appNamed(pid);
  return {
    app,
    pid,
    windowId: over ? over.id : null,
    windowTitle: over?.title || (rootWindow ? string(attribute(rootWindow, 'AXTitle')) : ''),
    windowBounds: over ? over.bounds : rootWindow && boundsOf(rootWindow),
    isCovered: false,
    element,
    ...panelAround(found, app),
    texts: found === null ? [] : textsOf(found, element.name),
    ...around(found, { rootWindow, takesKeys: takesKeys || Boolean(element?.isEditable) }),
  };
}

/** The panel for files that has an element. A panel does not tell its files in a way that is known for sure. */
function panelAround(found, { bundleId }) {
  const above = [];
  for (let at = found, level = 0; at !== null && level < MAX_DEPTH; level += 1) {
    const kind = PANELS[string(attribute(at, 'AXIdentifier'))];
    if (kind !== undefined) return { dialog: { kind, part: partOf(above) } };
    above.push(at);
    at = attribute(at, 'AXParent');
  }
  return bundleId === PANEL_SERVICE ? { dialog: { kind: 'unknown', part: partOf(above) } } : {}; // guard N32-5
}

/** Anything in a list may be an entry, also a field with the name of a file. A button there, such as one that ejects, and an item of a menu are none. */
function partOf(above) {
  const roles = above.map((one) => named(one).role);
  if (roles[0] === 'AXButton' || roles[0] === 'AXMenuItem') return 'other'; // guard N46-4
  const entries = above.filter((_one, index) => ENTRIES.includes(roles[index]));
  if (entries.length > 0) return entries.some((one) => truth(attribute(one, 'AXSelected'))) ? 'chosen' : 'row';
  if (roles.some((role) => LISTS.includes(role))) return 'chosen';
  return ASIDE.includes(roles[0]) ? 'aside' : 'other';
}

/** The addresses of the documents around an element, the innermost first, and where keys may go on from it. A way that does not end tells one that is not known. */
function around(found, { rootWindow, takesKeys }) {
  const documents = [];
  let at = found;
  for (let level = 0; at !== null && level < MAX_DEPTH; level += 1) {
    if (isDocument(at) || leadsToWeb(at)) documents.push(addressOf(at));
    at = attribute(at, 'AXParent');
  }
  if (at !== null) documents.push('');
  if (!takesKeys || rootWindow === null) return { documents, pagesBeside: [] };
  const button = named(found).role === 'AXTextArea' ? null : attribute(rootWindow, 'AXDefaultButton');
  const defaultButton = button === null ? {} : { defaultButton: named(button).label };
  const isInPage = documents.some((address) => address !== '');
  return { documents, pagesBeside: isInPage ? [] : pagesIn(rootWindow), ...defaultButton };
}

/**
 * All further words of an element and of what a press on it presses: titles, descriptions, hints, titles of other elements, shown texts, up
 * to the first one around it that can be pressed.
 */
function textsOf(found, name) {
  const texts = [];
  for (let at = found, level = 0; at !== null && level < MOST_TEXT_LEVELS; level += 1) {
    const role = string(attribute(at, 'AXRole'));
    if (HOLDERS.includes(role)) break;
    const title = attribute(at, 'AXTitleUIElement');
    texts.push(
      ...['AXTitle', 'AXDescription', 'AXHelp', 'AXPlaceholderValue'].map((one) => string(attribute(at, one))),
    );
    if (role === 'AXStaticText') texts.push(plainValue(at));
    if (title !== null) texts.push(named(title).label, plainValue(title));
    if (PRESSED.includes(role)) break;
    at = attribute(at, 'AXParent');
  }
  return [...new Set(texts)].filter((text) => text !== '' && text !== name);
}

function pagesIn(rootWindow) {
  const endMs = Date.now() + PAGES_MS;
  const pages = [];
  const queue = [rootWindow];
  for (let index = 0; index < queue.length && index < MOST_PAGE_NODES && Date.now() < endMs; index += 1) {
    const address = isDocument(queue[index]) ? addressOf(queue[index]) : '';
    if (address !== '') pages.push(address);
    queue.push(...children(queue[index]));
  }
  return pages.slice(0, MOST_PAGES);
}

function isDocument(element) {
  return string(attribute(element, 'AXRole')) === 'AXWebArea';
}

/** A click on it is one on the page to which it leads. */
function leadsToWeb(element) {
  return string(attribute(element, 'AXRole')) === 'AXLink' && /^https?:/iu.test(addressOf(element));
}

function addressOf(element) {
  const url = attribute(element, 'AXURL');
  return url?.isKindOfClass($.NSURL) ? ObjC.unwrap(url.absoluteString) : '';
}

function facts(found) {
  const { role, subrole, label } = named(found);
  const isPassword = isSecure({ role, subrole });
  return { role, subrole, name: label, bounds: boundsOf(found), isPassword, isEditable: EDITABLE.includes(role) };
}

/** The text and the selection of the element that has the keyboard. A password is not read. */
function field() {
  const focused = attribute(appOf(frontPid()), 'AXFocusedUIElement');
  if (focused === null) return { field: null };
  const { role, subrole } = named(focused);
  const isPassword = isSecure({ role, subrole });
  const value = isPassword ? null : attribute(focused, 'AXValue');
  const range = /location:(\d+) length:(\d+)/.exec(describe(attribute(focused, 'AXSelectedTextRange')));
  return {
    field: {
      isPassword,
      value: value?.isKindOfClass($.NSString) ? ObjC.unwrap(value) : null,
      start: range === null ? null : Number(range[1]),
      length: range === null ? 0 : Number(range[2]),
    },
  };
}

/** A number that differs when something on the screen does: the windows, the focus, or the states in the window in front. */
function look() {
  const endMs = Date.now() + LOOK_MS;
  const pid = frontPid();
  const app = appOf(pid);
  const parts = windowList(1 | 16).map(({ id, title, bounds }) => JSON.stringify([id, title, bounds]));
  parts.push(String(pid), states(attribute(app, 'AXFocusedUIElement')));
  const stack = [attribute(app, 'AXFocusedWindow')];
  for (let count = 0; stack.length > 0 && count < MOST_NODES && Date.now() < endMs; count += 1) {
    const node = stack.pop();
    parts.push(states(node));
    stack.push(...children(node));
  }
  return { look: printOf(parts) };
}

function states(node) {
  if (node === null) return '';
  const { role, subrole, label } = named(node);
  const value = isSecure({ role, subrole }) ? '' : plainValue(node);
  const flags = ['AXEnabled', 'AXFocused', 'AXSelected'].map((name) => truth(attribute(node, name)));
  return JSON.stringify([role, label, value, flags]);
}

function set({ element, value }) {
  const found = usable(element);
  const { role, subrole } = named(found);
  if (isSecure({ role, subrole })) throw new Fault('password');
  const now = attribute(found, 'AXValue');
  const isNumber = Boolean(now?.isKindOfClass($.NSNumber));
  if (isNumber && (value.trim() === '' || !Number.isFinite(Number(value)))) throw new Fault('unsupported');
  const wanted = isNumber ? $.NSNumber.numberWithDouble(Number(value)) : value;
  if ($.AXUIElementSetAttributeValue(found, 'AXValue', wanted) !== SUCCESS) throw new Fault('unsupported');
  const isSame = () => {
    const text = plainValue(found);
    return isNumber ? Number(text) === Number(value) : text === value;
  };
  return { isConfirmed: until(isSame) };
}

/** In the place of the selection. */
function insert({ text }) {
  const focused = attribute(appOf(frontPid()), 'AXFocusedUIElement');
  if (focused === null) throw new Fault('unsupported');
  if (isSecure(named(focused))) throw new Fault('password');
  if ($.AXUIElementSetAttributeValue(focused, 'AXSelectedText', text) !== SUCCESS) throw new Fault('unsupported');
  return {};
}

function act({ element, action }) {
  const found = usable(element);
  const names = Ref();
  const actions = $.AXUIElementCopyActionNames(found, names) === SUCCESS ? ObjC.deepUnwrap(names[0]) || [] : [];
  const wanted = action === undefined ? actions[0] : actions.find((name) => toldName(name) === action.toLowerCase());
  if (wanted === undefined) throw new Fault('no_action', { names: actions.slice(0, 5).map(toldName) });
  perform(found, wanted);
  return {};
}

/** As the description tells it: `AXPress` as `press`; of an action of the app's own, its name. */
function toldName(action) {
  const own = /^Name:(.*)/.exec(action);
  return (own === null ? action.replace(/^AX/, '') : own[1].trim()).toLowerCase();
}

/** The menus of a Mac are of the app and act on its window in front. So the window has to be there first. */
function menu({ windowId, path }) {
  const { app, element, pid } = windowNamed(windowId);
  raise(app, element);
  if (!until(() => isInFront(app, element, pid))) throw new Fault('not_front');
  let at = attribute(app, 'AXMenuBar');
  if (at === null) throw new Fault('unsupported');
  path.forEach((name, depth) => {
    const items = children(at).flatMap((one) => (named(one).role === 'AXMenu' ? children(one) : [one]));
    const labels = items.map((one) => named(one).label);
    const index = labels.findIndex((label) => label !== '' && plain(label) === plain(name));
    if (index < 0) throw new Fault('no_item', { depth, names: labels.filter((label) => label !== '').slice(0, 200) });
    at = items[index];
    if (truth(attribute(at, 'AXEnabled')) === false) throw new Fault('disabled');
  });
  perform(at, 'AXPress');
  return {};
}

/** "Save As…", "Save As..." and "save as" are one item. */
function plain(name) {
  const folded = name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
  return folded.replace(/\s*(?:…|\.{3})$/, '');
}

function window({ windowId }) {
  const { app, element, pid } = windowNamed(windowId);
  return {
    minimized: truth(attribute(element, 'AXMinimized')) === true,
    focused: isInFront(app, element, pid),
    bounds: boundsOf(element),
  };
}

/** The address of the page that a window shows: the first one in it. */
function page({ windowId }) {
  return { page: pagesIn(windowNamed(windowId).element)[0] ?? '' };
}

function change({ windowId, wish, position, size }) {
  const { app, element } = windowNamed(windowId);
  const changes = {
    focus: () => raise(app, element),
    // In a display that is too small for it the window keeps its size at first; hence the place is set twice.
    move: () => [position, size, position].every((bytes, step) => moveTo(element, { bytes, isSize: step === 1 })),
    minimize: () => setTruth(element, 'AXMinimized', true),
    close: () => {
      const button = attribute(element, 'AXCloseButton');
      if (button === null) throw new Fault('unsupported');
      perform(button, 'AXPress');
      return true;
    },
  };
  if (!changes[wish]()) throw new Fault('unsupported');
  return {};
}

function raise(app, element) {
  if (truth(attribute(element, 'AXMinimized')) === true) setTruth(element, 'AXMinimized', false);
  const isRaised = $.AXUIElementPerformAction(element, 'AXRaise') === SUCCESS;
  setTruth(element, 'AXMain', true);
  return setTruth(app, 'AXFrontmost', true) && isRaised;
}

function moveTo(element, { bytes, isSize }) {
  const data = $.NSData.alloc.initWithBase64EncodedStringOptions(bytes, 0);
  const value = $.AXValueCreate(isSize ? SIZE : POINT, data.bytes);
  return $.AXUIElementSetAttributeValue(element, isSize ? 'AXSize' : 'AXPosition', value) === SUCCESS;
}

function setTruth(element, name, value) {
  return $.AXUIElementSetAttributeValue(element, name, $.NSNumber.numberWithBool(value)) === SUCCESS;
}

function isInFront(app, element, pid) {
  const focused = attribute(app, 'AXFocusedWindow');
  return frontPid() === pid && focused !== null && Boolean(focused.isEqual(element));
}

/**
 * An app that opens a question answers only after it, and AppKit answers with other errors after it has acted (trycua/cua#3835). So after any
 * error it may have been done.
 */
function perform(element, action) {
  const code = $.AXUIElementPerformAction(element, action);
  if (code === INVALID_ELEMENT) throw new Fault('gone');
  if (code !== SUCCESS) throw new Fault('unknown');
}

function usable(ref) {
  const found = resolve(ref);
  if (truth(attribute(found, 'AXEnabled')) === false) throw new Fault('disabled');
  return found;
}

const STEPS = { r: 'AXVisibleRows', v: 'AXVisibleChildren', '': 'AXChildren' };

function resolve({ pid, root, steps, print }) {
  const app = appOf(pid);
  let at = rootNamed(app, root);
  for (const step of steps) {
    const [, list, index] = /^([rv]?)(\d*)$/.exec(step) || [];
    at =
      at === null
        ? null
        : step === 'h'
          ? attribute(at, 'AXHeader')
          : childrenBy(at, STEPS[list])[Number(index)] || null;
  }
  if (at === null) throw new Fault('gone');
  const { role, subrole, label } = named(at);
  const prints = [printOf([role, subrole, label]), printOf([role, subrole, ''])];
  if (!prints.includes(print)) throw new Fault('gone');
  return at;
}

function rootNamed(app, root) {
  if (root === 'm') return attribute(app, 'AXMenuBar');
  if (root[0] === 'w') return windowNamed(root.slice(1)).element;
  return children(app).filter((one) => named(one).role === 'AXMenu')[Number(root.slice(1))] || null;
}

/** Null for an element that its parents do not tell among their children. */
function refOf(found, pid) {
  const { role, subrole, label } = named(found);
  const print = printOf([role, subrole, label]);
  const steps = [];
  for (let at = found, level = 0; level < MAX_DEPTH; level += 1) {
    const parent = attribute(at, 'AXParent');
    const own = named(at).role;
    if (own === 'AXMenuBar') return { pid, root: 'm', steps: steps.reverse(), print };
    if (parent === null) return null;
    if (own === 'AXWindow' && named(parent).role === 'AXApplication') {
      const server = serverWindowOf(at, pid);
      return server === null ? null : { pid, root: `w${server.id}`, steps: steps.reverse(), print };
    }
    const child = at;
    const index = children(parent).findIndex((one) => one.isEqual(child));
    if (index < 0) return null;
    steps.push(String(index));
    at = parent;
  }
  return null;
}

function windowAbove(found) {
  for (let at = found, level = 0; at !== null && level < MAX_DEPTH; level += 1) {
    const parent = attribute(at, 'AXParent');
    if (parent !== null && named(at).role === 'AXWindow' && named(parent).role === 'AXApplication') return at;
    at = parent;
  }
  return null;
}

/** A window of the window server, and its element. Minimized windows and those of other spaces are found, too. */
function windowNamed(windowId) {
  const server = windowList(0).find(({ id }) => id === windowId);
  if (server === undefined) throw new Fault('gone');
  const app = appOf(server.pid);
  const all = childrenBy(app, 'AXWindows').map((element) => ({
    element,
    bounds: boundsOf(element),
    title: named(element).label,
  }));
  const element = onlyOne(all, server).element;
  return { app, element, pid: server.pid };
}

function serverWindowOf(element, pid) {
  const own = { bounds: boundsOf(element), title: named(element).label };
  const all = windowList(0).filter((one) => one.pid === pid && one.layer === 0);
  try {
    return onlyOne(all, own);
  } catch (_error) {
    return null;
  }
}

/** The one of the same bounds, and among several of the same title. Where two are alike, none: another one would be closed. */
function onlyOne(all, { bounds, title }) {
  const alike = all.filter((one) => sameBounds(one.bounds, bounds));
  const titled =
    alike.length === 1 ? alike : (alike.length > 0 ? alike : all).filter((one) => title !== '' && one.title === title);
  if (titled.length !== 1) throw new Fault(titled.length === 0 && alike.length === 0 ? 'gone' : 'ambiguous');
  return titled[0];
}

function sameBounds(one, other) {
  const sides = ['x', 'y', 'width', 'height'];
  return one !== null && other !== null && sides.every((side) => Math.abs(one[side] - other[side]) <= 1);
}

function windowList(options) {
  const entries = ObjC.deepUnwrap(ObjC.castRefToObject($.CGWindowListCopyWindowInfo(options, 0)));
  return (Array.isArray(entries) ? entries : []).map((entry) => ({
    id: String(entry.kCGWindowNumber),
    pid: Number(entry.kCGWindowOwnerPID),
    owner: entry.kCGWindowOwnerName || '',
    title: entry.kCGWindowName || '',
    layer: Number(entry.kCGWindowLayer),
    alpha: entry.kCGWindowAlpha === undefined ? 1 : Number(entry.kCGWindowAlpha),
    bounds: {
      x: entry.kCGWindowBounds.X,
      y: entry.kCGWindowBounds.Y,
      width: entry.kCGWindowBounds.Width,
      height: entry.kCGWindowBounds.Height,
    },
  }));
}

function holds({ x, y, width, height }, point) {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function appOf(pid) {
  return $.AXUIElementCreateApplication(pid);
}

function isApp(pid) {
  return !$.NSRunningApplication.runningApplicationWithProcessIdentifier(pid).isNil();
}

function appNamed(pid) {
  const app = $.NSRunningApplication.runningApplicationWithProcessIdentifier(pid);
  if (app.isNil()) return { name: '', bundleId: null, path: null };
  return {
    name: string(app.localizedName),
    bundleId: app.bundleIdentifier.isNil() ? null : ObjC.unwrap(app.bundleIdentifier),
    path: app.bundleURL.isNil() ? null : ObjC.unwrap(app.bundleURL.path),
  };
}

function frontPid() {
  const front = $.NSWorkspace.sharedWorkspace.frontmostApplication;
  if (front.isNil()) throw new Fault('gone');
  return Number(front.processIdentifier);
}

function named(element) {
  const [role, subrole, title, description, placeholder] = [
    'AXRole',
    'AXSubrole',
    'AXTitle',
    'AXDescription',
    'AXPlaceholderValue',
  ].map((name) => string(attribute(element, name)));
  return { role, subrole, label: title || description || placeholder };
}

function isSecure({ role, subrole }) {
  return subrole === 'AXSecureTextField' || role === 'AXSecureTextField';
}

function plainValue(element) {
  const value = attribute(element, 'AXValue');
  return value?.isKindOfClass($.NSString) || value?.isKindOfClass($.NSNumber) ? String(ObjC.unwrap(value)) : '';
}

function boundsOf(element) {
  const place = /x:(-?[\d.]+) y:(-?[\d.]+)/.exec(describe(attribute(element, 'AXPosition')));
  const extent = /w:(-?[\d.]+) h:(-?[\d.]+)/.exec(describe(attribute(element, 'AXSize')));
  if (place === null || extent === null) return null;
  return { x: Number(place[1]), y: Number(place[2]), width: Number(extent[1]), height: Number(extent[2]) };
}

function describe(value) {
  return value === null ? '' : ObjC.unwrap($.CFCopyDescription(value));
}

function attribute(element, name) {
  const value = Ref();
  const code = $.AXUIElementCopyAttributeValue(element, name, value);
  if (code === CANNOT_COMPLETE) throw new Fault('unreachable');
  return code !== SUCCESS || value[0] === undefined || value[0].isNil() ? null : value[0];
}

function children(element) {
  return element === null ? [] : childrenBy(element, 'AXChildren');
}

function childrenBy(element, name) {
  const value = attribute(element, name);
  if (!value?.isKindOfClass($.NSArray)) return [];
  return Array.from({ length: Number(value.count) }, (_, index) => value.objectAtIndex(index));
}

function string(value) {
  return value?.isKindOfClass($.NSString) ? ObjC.unwrap(value) : '';
}

function truth(value) {
  return value?.isKindOfClass($.NSNumber) ? Boolean(ObjC.unwrap(value)) : undefined;
}

function until(isSo) {
  for (let waited = 0; waited < READ_BACK_SECONDS; waited += POLL_SECONDS) {
    if (isSo()) return true;
    delay(POLL_SECONDS);
  }
  return isSo();
}

/** FNV-1a over the UTF-16 units, as accessibility.js has it. */
function printOf(parts) {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    for (let index = 0; index <= part.length; index += 1) {
      hash = Math.imul(hash ^ (index < part.length ? part.charCodeAt(index) : 0x1f), 0x01000193) >>> 0;
    }
  }
  return hash.toString(36);
}
