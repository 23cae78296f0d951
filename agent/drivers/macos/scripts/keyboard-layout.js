/**
 * The keyboard as it is now, for the macOS driver: `osascript -l JavaScript keyboard-layout.js '{"keys":51}'`.
 * Prints `{ isLayout, keys: [{ code, plain, shifted }] }` with the characters of the first keys. `isLayout` is false
 * while an input method composes what is typed. It runs in a process of its own, because a process keeps the layout it began with.
 */

ObjC.import('AppKit');
ObjC.import('Carbon');
ObjC.import('CoreGraphics');
ObjC.bindFunction('TISCopyCurrentKeyboardInputSource', ['id', []]);
ObjC.bindFunction('TISGetInputSourceProperty', ['id', ['id', 'id']]);

const SHIFT = 0x20000;

function run(argv) {
  const request = JSON.parse(argv[0]);
  const keys = Array.from({ length: request.keys }, (_, code) => {
    return { code, plain: characterOf(code, 0), shifted: characterOf(code, SHIFT) };
  });
  return JSON.stringify({ isLayout: sourceType() === 'TISTypeKeyboardLayout', keys });
}

function sourceType() {
  const name = ObjC.castRefToObject($.kTISPropertyInputSourceType);
  return ObjC.unwrap($.TISGetInputSourceProperty($.TISCopyCurrentKeyboardInputSource(), name));
}

/** Empty for a key that types nothing by itself, such as a dead one. */
function characterOf(code, flags) {
  const event = $.CGEventCreateKeyboardEvent(null, code, true);
  $.CGEventSetFlags(event, flags);
  const told = $.NSEvent.eventWithCGEvent(event);
  return told.isNil() ? '' : ObjC.unwrap(told.charactersIgnoringModifiers) || '';
}
