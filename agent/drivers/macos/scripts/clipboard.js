/**
 * The clipboard, for the macOS driver: `osascript -l JavaScript clipboard.js '{"write":"text"}'`, without `write` to read it.
 * Prints `{ kind: 'text', text, changeCount }`, or `{ kind }` with `empty`, `other` or `concealed`. After a write it
 * reads the clipboard back and prints that.
 */

ObjC.import('AppKit');

const TEXT = 'public.utf8-plain-text';
/** Password managers mark a secret with these types, so that no other program keeps it (nspasteboard.org). */
const CONCEALED = ['org.nspasteboard.ConcealedType', 'com.agilebits.onepassword'];

function run(argv) {
  const request = JSON.parse(argv[0]);
  const clipboard = $.NSPasteboard.generalPasteboard;
  if (request.write !== undefined) {
    clipboard.clearContents;
    clipboard.setStringForType(request.write, TEXT);
  }
  return JSON.stringify(contents(clipboard));
}

function contents(clipboard) {
  const types = ObjC.deepUnwrap(clipboard.types) || [];
  if (types.some((type) => CONCEALED.includes(type))) return { kind: 'concealed' };
  const text = clipboard.stringForType(TEXT);
  if (!text.isNil()) return { kind: 'text', text: ObjC.unwrap(text), changeCount: Number(clipboard.changeCount) };
  return { kind: types.length === 0 ? 'empty' : 'other' };
}
