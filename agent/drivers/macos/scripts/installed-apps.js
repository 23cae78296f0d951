/**
 * The apps of this Mac, for the macOS driver:
 * `osascript -l JavaScript installed-apps.js '{"folders":["/Applications"],"bundleIds":["com.apple.Safari"]}'`.
 * Looks into each folder and the folders directly in it, then asks LaunchServices for the identifiers that were not found
 * there. Prints `{ apps: [{ path, bundleId, names }] }`; `names` holds what the Finder shows first, then the other names.
 */

ObjC.import('AppKit');

function run(argv) {
  const request = JSON.parse(argv[0]);
  const manager = $.NSFileManager.defaultManager;
  const found = request.folders
    .flatMap((folder) => bundlePaths(manager, folder))
    .map((path) => describe(manager, path));
  const known = new Set(found.map((app) => app.bundleId));
  const registered = request.bundleIds
    .filter((bundleId) => !known.has(bundleId))
    .map((bundleId) => registeredPath(manager, bundleId))
    .filter((path) => path !== null)
    .map((path) => describe(manager, path));
  return JSON.stringify({ apps: [...found, ...registered] });
}

function bundlePaths(manager, folder) {
  return entries(manager, folder).flatMap((entry) => {
    const path = `${folder}/${entry}`;
    if (isBundle(entry)) return [path];
    return entries(manager, path)
      .filter(isBundle)
      .map((inner) => `${path}/${inner}`);
  });
}

function isBundle(name) {
  return name.endsWith('.app');
}

/** Empty for a path that is no folder or may not be read. */
function entries(manager, folder) {
  const names = manager.contentsOfDirectoryAtPathError(folder, null);
  if (names.isNil()) return [];
  return ObjC.deepUnwrap(names).filter((name) => !name.startsWith('.'));
}

function describe(manager, path) {
  const bundle = $.NSBundle.bundleWithPath(path);
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.app$/, '');
  const names = [text(manager.displayNameAtPath(path)), fileName];
  if (!bundle.isNil()) {
    names.push(text(bundle.objectForInfoDictionaryKey('CFBundleDisplayName')));
    names.push(text(bundle.objectForInfoDictionaryKey('CFBundleName')));
  }
  return {
    path,
    bundleId: bundle.isNil() ? null : text(bundle.bundleIdentifier),
    names: [...new Set(names.filter((name) => name !== null && name !== '').map((name) => name.replace(/\.app$/, '')))],
  };
}

/** LaunchServices may remember an app that is gone, so the path has to exist. */
function registeredPath(manager, bundleId) {
  const url = $.NSWorkspace.sharedWorkspace.URLForApplicationWithBundleIdentifier(bundleId);
  if (url.isNil()) return null;
  const path = text(url.path);
  return path !== null && manager.fileExistsAtPath(path) ? path : null;
}

function text(value) {
  const unwrapped = ObjC.unwrap(value);
  return typeof unwrapped === 'string' ? unwrapped : null;
}
