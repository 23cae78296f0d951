/**
 * Asks running apps to quit, as their own menus would, for the macOS driver:
 * `osascript -l JavaScript quit-app.js '{"processes":[{"pid":501,"path":"/Applications/Notes.app"}]}'`.
 * Prints `{ processes: [{ pid, answer }] }`: `asked` when macOS took the request, which the app may still decline;
 * `refused` when it did not; `gone` when the process is no longer that app. Ends nothing by force.
 */

ObjC.import('AppKit');

function run(argv) {
  const request = JSON.parse(argv[0]);
  return JSON.stringify({ processes: request.processes.map(ask) });
}

function ask({ pid, path }) {
  const app = $.NSRunningApplication.runningApplicationWithProcessIdentifier(pid);
  if (app.isNil() || app.terminated || pathOf(app) !== path) return { pid, answer: 'gone' };
  // A method without arguments runs when it is read.
  return { pid, answer: app.terminate ? 'asked' : 'refused' };
}

function pathOf(app) {
  if (app.bundleURL.isNil()) return null;
  const path = ObjC.unwrap(app.bundleURL.path);
  return typeof path === 'string' ? path : null;
}
