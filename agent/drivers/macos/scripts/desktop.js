/**
 * The desktop as it is now, for the macOS driver: `osascript -l JavaScript desktop.js '{"parts":["displays"]}'`.
 * Prints one JSON object with the parts asked for, and under `errors` why a part is missing. Prompts for nothing.
 */

ObjC.import('AppKit');
ObjC.import('ApplicationServices');
ObjC.import('CoreGraphics');
ObjC.bindFunction('CGPreflightScreenCaptureAccess', ['bool', []]);

const PARTS = { displays, windows, apps, session, permissions };

function run(argv) {
  const request = JSON.parse(argv[0]);
  const answer = { errors: {} };
  for (const part of request.parts) {
    try {
      answer[part] = PARTS[part]();
    } catch (error) {
      answer.errors[part] = String(error);
    }
  }
  return JSON.stringify(answer);
}

/** Bounds in points, origin at the top left of the menu-bar display; `number` is the argument of `screencapture -D`. */
function displays() {
  const screens = list($.NSScreen.screens);
  if (screens.length === 0) return [];
  const menuBarHeight = screens[0].frame.size.height;
  return screens.map((screen, index) => {
    const frame = screen.frame;
    const id = Number(ObjC.unwrap(screen.deviceDescription.objectForKey('NSScreenNumber')));
    return {
      id: String(id),
      number: index + 1,
      name: text(screen.localizedName) || `Display ${index + 1}`,
      primary: index === 0,
      bounds: {
        x: frame.origin.x,
        // AppKit counts upwards from the bottom left of the menu-bar display.
        y: menuBarHeight - frame.origin.y - frame.size.height,
        width: frame.size.width,
        height: frame.size.height,
      },
      scale: screen.backingScaleFactor,
      asleep: Boolean($.CGDisplayIsAsleep(id)),
    };
  });
}

/** On-screen windows front to back. `title` is null when macOS withholds it, which it does without Screen Recording. */
function windows() {
  const onScreenOnly = 1;
  const excludeDesktopElements = 16;
  const reference = $.CGWindowListCopyWindowInfo(onScreenOnly | excludeDesktopElements, 0);
  const entries = ObjC.deepUnwrap(ObjC.castRefToObject(reference));
  if (!Array.isArray(entries)) throw new Error('the window server answers no list: there is no graphical session');
  return entries.map((entry) => ({
    id: String(entry.kCGWindowNumber),
    pid: Number(entry.kCGWindowOwnerPID),
    app: entry.kCGWindowOwnerName || '',
    title: typeof entry.kCGWindowName === 'string' ? entry.kCGWindowName : null,
    bounds: {
      x: entry.kCGWindowBounds.X,
      y: entry.kCGWindowBounds.Y,
      width: entry.kCGWindowBounds.Width,
      height: entry.kCGWindowBounds.Height,
    },
    layer: Number(entry.kCGWindowLayer),
    alpha: entry.kCGWindowAlpha === undefined ? 1 : Number(entry.kCGWindowAlpha),
  }));
}

function apps() {
  const workspace = $.NSWorkspace.sharedWorkspace;
  const front = workspace.frontmostApplication;
  const frontPid = front.isNil() ? null : Number(front.processIdentifier);
  return list(workspace.runningApplications)
    .filter((app) => !app.terminated)
    .map((app) => {
      const pid = Number(app.processIdentifier);
      return {
        pid,
        name: text(app.localizedName) || '',
        bundleId: text(app.bundleIdentifier),
        path: app.bundleURL.isNil() ? null : text(app.bundleURL.path),
        policy: ['regular', 'accessory', 'prohibited'][Number(app.activationPolicy)] || 'prohibited',
        frontmost: pid === frontPid,
        hidden: Boolean(app.hidden),
      };
    });
}

/** Null where the process belongs to no graphical session, as over ssh. */
function session() {
  const reference = $.CGSessionCopyCurrentDictionary();
  const state = ObjC.deepUnwrap(ObjC.castRefToObject(reference));
  if (!state) return null;
  return { onConsole: Boolean(state.kCGSSessionOnConsoleKey), locked: Boolean(state.CGSSessionScreenIsLocked) };
}

/** Each is null where the system would not say. */
function permissions() {
  return {
    screenRecording: attempt(() => Boolean($.CGPreflightScreenCaptureAccess())),
    accessibility: attempt(() => Boolean($.AXIsProcessTrusted())),
  };
}

function attempt(ask) {
  try {
    return ask();
  } catch (_error) {
    return null;
  }
}

function list(array) {
  const items = [];
  for (let index = 0; index < Number(array.count); index += 1) items.push(array.objectAtIndex(index));
  return items;
}

function text(value) {
  const unwrapped = ObjC.unwrap(value);
  return typeof unwrapped === 'string' ? unwrapped : null;
}
