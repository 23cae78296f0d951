/**
 * Moves one file or folder to the Finder's trash for the macOS driver:
 * `osascript -l JavaScript trash-file.js '{"path":"/Volumes/work/notes.txt"}'`.
 * Prints `{ trashedTo }`, the place in the trash, or fails with the words of macOS.
 */

ObjC.import('Foundation');

function run(argv) {
  const { path } = JSON.parse(argv[0]);
  const place = Ref();
  const fault = Ref();
  const url = $.NSURL.fileURLWithPath($(path));
  const done = $.NSFileManager.defaultManager.trashItemAtURLResultingItemURLError(url, place, fault);
  if (!done) throw new Error(ObjC.unwrap(fault[0].localizedDescription));
  return JSON.stringify({ trashedTo: ObjC.unwrap(place[0].path) });
}
