/**
 * Pointer and keyboard of this Mac, for the macOS driver:
 * `osascript -l JavaScript input-events.js '{"held":{"keys":[],"buttons":[]}}'`. `held` names the keys and buttons that a previous
 * process may have left down. The script releases them first.
 *
 * Reads one JSON line for each call from standard input, `{ id, verb, events?, only? }`, in ASCII. Prints one line for each:
 * `{ id, ok: true, … }` or `{ id, ok: false, error }`. When its input ends, it lets go of every key and button, and ends.
 * Constants are numbers, as the bridge gives those of enumerations as strings.
 */

ObjC.import('AppKit');
ObjC.import('ApplicationServices');
ObjC.import('Carbon');
ObjC.import('CoreGraphics');
// The bridge has no value for a UniChar pointer; it takes the bytes of an NSData for a `void *`.
ObjC.bindFunction('CGEventKeyboardSetUnicodeString', ['void', ['void *', 'unsigned long', 'void *']]);
ObjC.bindFunction('IsSecureEventInputEnabled', ['bool', []]);
ObjC.bindFunction('AXUIElementCreateSystemWide', ['id', []]);
ObjC.bindFunction('AXUIElementCopyAttributeValue', ['int', ['id', 'id', 'id*']]);
ObjC.bindFunction('AXUIElementSetMessagingTimeout', ['int', ['id', 'float']]);

const UTF8 = 4;
const UTF16_LITTLE_ENDIAN = 0x94000100;
const HID = 1;
const HID_TAP = 0;
const ANY_INPUT = 0xffffffff;
const MOUSE_MOVED = 5;
const CLICK_STATE = 1;
const UNIT_LINE = 1;
/** On other systems one notch of a wheel scrolls so many lines. */
const LINES_A_NOTCH = 3;
/** Left, right, middle: the types of their events. */
const BUTTONS = [
  { down: 1, up: 2, drag: 6 },
  { down: 3, up: 4, drag: 7 },
  { down: 25, up: 26, drag: 27 },
];
const COUNTED = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 22, 25, 26, 27];
/** Shift, Control, Option and Command by their keys. */
const FLAGS = { 56: 0x20000, 59: 0x40000, 58: 0x80000, 55: 0x100000 };
const MODIFIERS = 0x1e0000;
/** An event that was posted arrives within this time. */
const ARRIVAL_MS = 30;
/** An app that takes longer does not tell its window. */
const TELLS_WITHIN_SECONDS = 0.4;

const held = { keys: [], buttons: [] };
const watch = { base: 0, posted: 0, beganMs: 0, postedMs: 0, personMs: 0 };
let place = null;
let source = null;
/** Each window that had the keyboard, with its app. Their numbers are their places. */
const holders = [];

const VERBS = { begin, post, look, holder, release };

function run(argv) {
  const left = JSON.parse(argv[0]).held;
  if (source === null) start(left);
  const input = $.NSFileHandle.fileHandleWithStandardInput;
  for (let text = ''; ; ) {
    const data = input.availableData;
    if (Number(data.length) === 0) break;
    text += ObjC.unwrap($.NSString.alloc.initWithDataEncoding(data, UTF8));
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) print(answer(JSON.parse(line)));
  }
  release();
  return '';
}

function start(left) {
  source = $.CGEventSourceCreate(HID);
  // Else the person's own mouse and keyboard are dead for 0.25 s after each event.
  $.CGEventSourceSetLocalEventsSuppressionInterval(source, 0);
  $.AXUIElementSetMessagingTimeout($.AXUIElementCreateSystemWide(), TELLS_WITHIN_SECONDS);
  held.keys.push(...left.keys);
  held.buttons.push(...left.buttons);
  release();
}

function answer({ id, verb, events, only }) {
  try {
    return { id, ok: true, ...VERBS[verb](events, only) };
  } catch (error) {
    release();
    return { id, ok: false, error: String(error) };
  }
}

/** The state before an input. From now on all events but those posted here are the person's. */
function begin() {
  if (Date.now() - watch.postedMs < ARRIVAL_MS) delay(ARRIVAL_MS / 1000);
  const nowMs = Date.now();
  const lastMs = lastInputMs();
  const otherMs = lastMs > watch.postedMs + ARRIVAL_MS ? lastMs : 0;
  Object.assign(watch, { base: counted(), posted: 0, beganMs: nowMs });
  const buttons = BUTTONS.some((_types, button) => Boolean($.CGEventSourceButtonState(HID, button)));
  return {
    held: buttons || (Number($.CGEventSourceFlagsState(HID)) & MODIFIERS) !== 0,
    secure: isSecure(),
    quietMs: nowMs - Math.max(otherMs, watch.personMs),
  };
}

function look() {
  const at = $.CGEventGetLocation($.CGEventCreate(null));
  return { person: isPerson(), secure: isSecure(), held, pointer: { x: at.x, y: at.y } };
}

/** No key goes to a password field, or to another window than `only`, that has taken the keyboard meanwhile. */
function post(events, only) {
  const posted = only === undefined || (!isSecure() && isStill(holders[only], told())); // guard N34-2
  if (posted) for (const event of events) POSTS[event.kind](event);
  return { ...look(), posted };
}

/** The window that has the keyboard. */
function holder() {
  const now = told();
  const known = holders.findIndex(({ app, window }) => isSame(app, now.app) && isSame(window, now.window));
  return { holder: known < 0 ? holders.push(now) - 1 : known };
}

/** An app that is busy may not tell its window; then it counts as the same one. */
function isStill(former, now) {
  return isSame(former.app, now.app) && (now.window === null || isSame(former.window, now.window));
}

/** As the accessibility tree tells it at this moment: this process does not hear which app comes to the front. */
function told() {
  const app = attribute($.AXUIElementCreateSystemWide(), 'AXFocusedApplication');
  return { app, window: app && attribute(app, 'AXFocusedWindow') };
}

function attribute(element, name) {
  const value = Ref();
  const code = $.AXUIElementCopyAttributeValue(element, name, value);
  return code !== 0 || value[0] === undefined || value[0].isNil() ? null : value[0];
}

function isSame(one, other) {
  return one === null || other === null ? one === other : Boolean(one.isEqual(other));
}

/** Releases only the keys and buttons in `held`, never those that the person holds. */
function release() {
  while (held.keys.length > 0) key({ code: held.keys[held.keys.length - 1], isDown: false });
  while (held.buttons.length > 0) button({ button: held.buttons[0], isDown: false, clicks: 1 });
  return {};
}

const POSTS = { move, button, scroll, key, text };

function move({ x, y }) {
  place = { x, y };
  const [down] = held.buttons;
  mouse(down === undefined ? MOUSE_MOVED : BUTTONS[down].drag, down || 0);
}

function button({ button: number, isDown, clicks }) {
  hold(held.buttons, number, isDown);
  const event = mouseEvent(isDown ? BUTTONS[number].down : BUTTONS[number].up, number);
  $.CGEventSetIntegerValueField(event, CLICK_STATE, clicks);
  send(event);
}

function mouse(type, number) {
  send(mouseEvent(type, number));
}

function mouseEvent(type, number) {
  const at = place || $.CGEventGetLocation($.CGEventCreate(null));
  const event = $.CGEventCreateMouseEvent(source, type, $.CGPointMake(at.x, at.y), number);
  $.CGEventSetFlags(event, flags());
  return event;
}

/** Positive is down and right here, and up and left for CoreGraphics. The older function takes a list of any length, which the bridge cannot pass. */
function scroll({ dx, dy }) {
  const lines = [-dy, -dx].map((notches) => notches * LINES_A_NOTCH);
  const event = $.CGEventCreateScrollWheelEvent2(source, UNIT_LINE, 2, lines[0], lines[1], 0);
  $.CGEventSetLocation(event, $.CGPointMake(place.x, place.y));
  $.CGEventSetFlags(event, flags());
  send(event);
}

function key({ code, isDown }) {
  hold(held.keys, code, isDown);
  const event = $.CGEventCreateKeyboardEvent(source, code, isDown);
  // Keys such as the arrows bring flags of their own.
  const own = Number($.CGEventGetFlags(event)) & ~MODIFIERS;
  $.CGEventSetFlags(event, own | flags());
  send(event);
}

function text({ text: characters }) {
  const data = $(characters).dataUsingEncoding(UTF16_LITTLE_ENDIAN);
  for (const isDown of [true, false]) {
    const event = $.CGEventCreateKeyboardEvent(source, 0, isDown);
    $.CGEventSetFlags(event, 0);
    $.CGEventKeyboardSetUnicodeString(event, characters.length, data.bytes);
    send(event);
  }
}

function isSecure() {
  return Boolean($.IsSecureEventInputEnabled());
}

function hold(list, one, isDown) {
  const index = list.indexOf(one);
  if (isDown && index < 0) list.push(one);
  if (!isDown && index >= 0) list.splice(index, 1);
}

function flags() {
  return held.keys.reduce((sum, code) => sum | (FLAGS[code] || 0), 0);
}

function send(event) {
  $.CGEventPost(HID_TAP, event);
  watch.posted += 1;
  watch.postedMs = Date.now();
}

/** macOS counts posted events like events of devices. So the person acted if it counts more than were posted, or one after the last post. */
function isPerson() {
  const since = Math.max(watch.postedMs, watch.beganMs) + ARRIVAL_MS;
  const is = counted() - watch.base > watch.posted || lastInputMs() > since;
  if (is) watch.personMs = Date.now();
  return is;
}

function counted() {
  return COUNTED.reduce((sum, type) => sum + Number($.CGEventSourceCounterForEventType(HID, type)), 0);
}

function lastInputMs() {
  return Date.now() - 1000 * Number($.CGEventSourceSecondsSinceLastEventType(HID, ANY_INPUT));
}

function print(line) {
  const data = $(`${JSON.stringify(line)}\n`).dataUsingEncoding(UTF8);
  $.NSFileHandle.fileHandleWithStandardOutput.writeData(data);
}
