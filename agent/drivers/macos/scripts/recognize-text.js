/**
 * Text in an image file, read by Vision on the device, for the macOS driver:
 * `osascript -l JavaScript recognize-text.js '{"path":"/…/window.png"}'`.
 * Prints `{ lines: [{ text, confidence, box }] }`; a box is in fractions of the image, its origin at the top left.
 */

ObjC.import('Foundation');
ObjC.import('Vision');

function run(argv) {
  const { path } = JSON.parse(argv[0]);
  const handler = $.VNImageRequestHandler.alloc.initWithURLOptions($.NSURL.fileURLWithPath(path), $({}));
  const request = $.VNRecognizeTextRequest.alloc.init;
  request.recognitionLevel = 0;
  // Screens hold names, paths and code, which a language model would "correct".
  request.usesLanguageCorrection = false;
  if (request.respondsToSelector('setAutomaticallyDetectsLanguage:')) request.automaticallyDetectsLanguage = true;
  const failure = Ref();
  if (!handler.performRequestsError($([request]), failure)) throw new Error(reason(failure[0]));
  return JSON.stringify({ lines: observations(request.results) });
}

function observations(results) {
  const lines = [];
  if (results.isNil()) return lines;
  for (let index = 0; index < length(results); index += 1) {
    const observation = results.objectAtIndex(index);
    const candidates = observation.topCandidates(1);
    if (length(candidates) === 0) continue;
    const best = candidates.objectAtIndex(0);
    lines.push({
      text: ObjC.unwrap(best.string),
      confidence: Number(best.confidence),
      box: fromTopLeft(observation.boundingBox),
    });
  }
  return lines;
}

/** The bridge hands an NSUInteger over as a string. */
function length(array) {
  return Number(array.count);
}

function fromTopLeft({ origin, size }) {
  return { x: origin.x, y: 1 - origin.y - size.height, width: size.width, height: size.height };
}

function reason(error) {
  const description = error === undefined || error.isNil() ? undefined : ObjC.unwrap(error.localizedDescription);
  return `Vision could not read the image: ${description || 'it gave no reason'}`;
}
