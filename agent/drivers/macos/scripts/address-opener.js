/**
 * The app that opens the addresses of a scheme, for the macOS driver:
 * `osascript -l JavaScript address-opener.js '{"scheme":"https"}'`. Prints `{ path, bundleId, name }`, all null where macOS names none.
 * NSWorkspace `URLForApplicationToOpenURL` (macOS 10.6 and later) answers by the scheme; no address of a requester is asked about.
 */

ObjC.import('AppKit');

function run(argv) {
  const { scheme } = JSON.parse(argv[0]);
  const address = $.NSURL.URLWithString(`${scheme}://example.com/`);
  const found = $.NSWorkspace.sharedWorkspace.URLForApplicationToOpenURL(address);
  const path = found.isNil() ? null : text(found.path);
  if (path === null) return JSON.stringify({ path: null, bundleId: null, name: null });
  const bundle = $.NSBundle.bundleWithPath(path);
  const shown = text($.NSFileManager.defaultManager.displayNameAtPath(path));
  return JSON.stringify({
    path,
    bundleId: bundle.isNil() ? null : text(bundle.bundleIdentifier),
    name: shown === null ? null : shown.replace(/\.app$/, ''),
  });
}

function text(value) {
  const unwrapped = ObjC.unwrap(value);
  return typeof unwrapped === 'string' ? unwrapped : null;
}
