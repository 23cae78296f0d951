/**
 * Asks macOS for a permission, for the Mac app: `osascript -l JavaScript request-capture.js '{"permission":"screenRecording"}'`. macOS puts the
 * app into the list of the pane, and asks the person the first time only. Takes no picture. Prints `{ granted }`. See
 * https://developer.apple.com/documentation/coregraphics/cgrequestscreencaptureaccess().
 */

ObjC.import('CoreGraphics');
ObjC.bindFunction('CGRequestScreenCaptureAccess', ['bool', []]);

function run(argv) {
  const { permission } = JSON.parse(argv[0]);
  if (permission !== 'screenRecording') throw new Error(`there is no request for ${permission}`);
  return JSON.stringify({ granted: Boolean($.CGRequestScreenCaptureAccess()) });
}
