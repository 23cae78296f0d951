/**
 * Runs a script of ours that only reads, again and again in one process, for the macOS driver:
 * `osascript -l JavaScript reader.js '{"folder":"/…/macos-scripts"}'`.
 * Reads one JSON line for each call from standard input, `{ id, script, argv }`, in ASCII. Prints one line for each:
 * `{ id, ok: true, output }` or `{ id, ok: false, error, number }`. Ends with its input. Runs no script but those in SCRIPTS.
 */

ObjC.import('Foundation');

const SCRIPTS = ['desktop'];
const UTF8 = 4;
/** The number of an error that has none of its own. */
const SCRIPT_ERROR = -2700;
const TURN_SECONDS = 0.02;

function run(argv) {
  const { folder } = JSON.parse(argv[0]);
  const input = $.NSFileHandle.fileHandleWithStandardInput;
  for (let text = ''; ; ) {
    const data = input.availableData;
    if (Number(data.length) === 0) return '';
    text += ObjC.unwrap($.NSString.alloc.initWithDataEncoding(data, UTF8));
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) print(answer(JSON.parse(line), folder));
  }
}

function answer({ id, script, argv }, folder) {
  try {
    // AppKit updates its lists of running apps and of displays only while the run loop runs.
    $.NSRunLoop.currentRunLoop.runUntilDate($.NSDate.dateWithTimeIntervalSinceNow(TURN_SECONDS)); // guard E2-53
    return { id, ok: true, output: String(entryOf(script, folder)(argv)) };
  } catch (error) {
    return { id, ok: false, error: String(error), number: error.errorNumber || SCRIPT_ERROR };
  }
}

/** Each call gets its own copy of the script, so that nothing stays from one call to the next. */
function entryOf(script, folder) {
  if (!SCRIPTS.includes(script)) throw new Error('this is no script that only reads'); // guard E2-52
  const failure = Ref();
  const source = $.NSString.stringWithContentsOfFileEncodingError(`${folder}/${script}.js`, UTF8, failure);
  if (source.isNil()) throw new Error(`${script}.js cannot be read`);
  return new Function('argv', `${ObjC.unwrap(source)}\nreturn run(argv);`);
}

function print(line) {
  const data = $(`${JSON.stringify(line)}\n`).dataUsingEncoding(UTF8);
  $.NSFileHandle.fileHandleWithStandardOutput.writeData(data);
}
