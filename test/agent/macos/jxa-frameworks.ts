import { existsSync, readFileSync } from 'node:fs';
import { type FakeApp, type FakeMac, type FakeProcess, shownName } from './fake-mac.ts';
import { charactersOf } from './jxa-input.ts';
import type { Member, NativeObject, NativeValue, Out } from './jxa-objects.ts';
import { isKindOf, jsValue, native, nsArray, nsDictionary, nsNumber, nsString } from './jxa-objects.ts';

/** A class and the frameworks whose import makes it known. */
export type FrameworkClass = { name: string; frameworks: readonly string[]; object: NativeObject };

/** AppKit brings Foundation with it; Foundation's own classes are there from the start. */
const FOUNDATION = ['Foundation', 'AppKit', 'Cocoa', 'ApplicationServices', 'CoreGraphics', 'CoreServices', 'Vision'];
const APPKIT = ['AppKit', 'Cocoa'];

/** The Objective-C classes that the driver's scripts use, over a Mac in memory. */
export function createFrameworks(mac: FakeMac, pipes: Pipes = createPipes([])): FrameworkClass[] {
  return [
    known('NSString', FOUNDATION, stringClass()),
    known('NSFileHandle', FOUNDATION, {
      fileHandleWithStandardInput: { get: () => standardInput(pipes) },
      fileHandleWithStandardOutput: { get: () => standardOutput(pipes.output) },
    }),
    known('NSDate', FOUNDATION, { dateWithTimeIntervalSinceNow: { call: () => native(['NSDate']) } }),
    known('NSRunLoop', FOUNDATION, { currentRunLoop: { get: () => runLoop(pipes) } }),
    known('NSArray', FOUNDATION, {}),
    known('NSNumber', FOUNDATION, {
      numberWithBool: { call: (value) => nsNumber(Boolean(jsValue(value))) },
      numberWithDouble: { call: (value) => nsNumber(Number(jsValue(value))) },
    }),
    known('NSData', FOUNDATION, { alloc: { get: () => native(['NSData'], dataMembers()) } }),
    known('NSPasteboard', APPKIT, { generalPasteboard: { get: () => pasteboard(mac) } }),
    known('NSEvent', APPKIT, {
      eventWithCGEvent: {
        call: (event) =>
          native(['NSEvent'], {
            charactersIgnoringModifiers: { get: () => nsString(charactersOf(mac, event ?? null)) },
          }),
      },
    }),
    known('NSURL', FOUNDATION, {
      fileURLWithPath: { call: (path) => fileUrl(string(path)) },
      URLWithString: { call: (text) => (URL.canParse(string(text)) ? native(['NSURL', 'address']) : null) },
    }),
    known('NSFileManager', FOUNDATION, { defaultManager: { get: () => fileManager(mac) } }),
    known('NSBundle', FOUNDATION, { bundleWithPath: { call: (path) => bundleAt(mac, string(path)) } }),
    known('NSWorkspace', APPKIT, { sharedWorkspace: { get: () => workspace(mac) } }),
    known('NSRunningApplication', APPKIT, {
      runningApplicationWithProcessIdentifier: {
        call: (pid) => {
          const process = mac.processOf(Number(jsValue(pid)));
          return process === undefined ? null : runningApplication(mac, process);
        },
      },
    }),
    known('NSScreen', APPKIT, { screens: { get: () => nsArray(screens(mac)) } }),
    known('VNImageRequestHandler', ['Vision'], { alloc: { get: () => imageRequestHandler(mac) } }),
    known('VNRecognizeTextRequest', ['Vision'], { alloc: { get: () => recognizeTextRequest() } }),
  ];
}

/** The standard input and output of one run of `osascript`, and how often its run loop was given time. */
export type Pipes = { input: string[]; output: string[]; turns: number; isOpen?: boolean };

/** The error by which a script is left that waits for more input. */
export const WAITS = 'waits for input';

/** What is written to the run, in pieces as they arrive, and then the end. */
export function createPipes(input: readonly string[]): Pipes {
  return { input: [...input], output: [], turns: 0 };
}

const UTF8 = 4;

function stringClass(): Record<string, Member> {
  const initialized = {
    initWithDataEncoding: { call: (data: NativeValue) => nsString(string(data)) },
  };
  return {
    alloc: { get: () => native(['NSString'], initialized) },
    stringWithContentsOfFileEncodingError: {
      callWithOut: (_error, path, encoding) => {
        const file = string(path ?? null);
        if (jsValue(encoding ?? null) !== UTF8 || !existsSync(file)) return null;
        return nsString(readFileSync(file, 'utf8'));
      },
    },
  };
}

/** Waits for text; no data means the end. A script that waits is left by an error and begun again when there is more. */
function standardInput(pipes: Pipes): NativeObject {
  return native(['NSFileHandle'], {
    availableData: {
      get: () => {
        if (pipes.input.length === 0 && pipes.isOpen) throw new Error(WAITS);
        return nsString(pipes.input.shift() ?? '');
      },
    },
  });
}

function dataMembers(): Record<string, Member> {
  return {
    initWithBase64EncodedStringOptions: {
      call: (text) => native(['NSData'], { bytes: { get: () => ({ base64: string(text ?? null) }) } }),
    },
  };
}

function pasteboard({ hands: { clipboard } }: FakeMac): NativeObject {
  const clear = () => {
    Object.assign(clipboard, { types: [], text: null });
    clipboard.changeCount += 1;
    return clipboard.changeCount;
  };
  return native(['NSPasteboard'], {
    types: { get: () => nsArray(clipboard.types.map(nsString)) },
    stringForType: { call: () => (clipboard.text === null ? null : nsString(clipboard.text)) },
    changeCount: { get: () => String(clipboard.changeCount) },
    clearContents: { get: clear },
    setStringForType: {
      call: (text, type) => {
        Object.assign(clipboard, { types: [string(type ?? null)], text: string(text ?? null) });
        return true;
      },
    },
  });
}

function standardOutput(output: string[]): NativeObject {
  return native(['NSFileHandle'], {
    writeData: { call: (data) => void output.push(string(data)) },
  });
}

function runLoop(pipes: Pipes): NativeObject {
  return native(['NSRunLoop'], {
    runUntilDate: {
      call: () => {
        pipes.turns += 1;
      },
    },
  });
}

function known(name: string, frameworks: readonly string[], members: Record<string, Member>): FrameworkClass {
  return { name, frameworks, object: native([name, 'Class'], members) };
}

function workspace(mac: FakeMac): NativeObject {
  return native(['NSWorkspace'], {
    runningApplications: { get: () => nsArray(mac.processes.map((process) => runningApplication(mac, process))) },
    frontmostApplication: {
      get: () => {
        const front = mac.frontmostPid === null ? undefined : mac.processOf(mac.frontmostPid);
        return front === undefined ? null : runningApplication(mac, front);
      },
    },
    URLForApplicationToOpenURL: {
      call: (url) => {
        if (!isKindOf(url, 'address'))
          throw new TypeError('URLForApplicationToOpenURL: expected the URL of an address');
        return mac.opensAddresses === null ? null : fileUrl(mac.opensAddresses);
      },
    },
    URLForApplicationWithBundleIdentifier: {
      call: (id) => {
        const bundleId = string(id);
        const app = mac.installed.find((one) => one.bundleId?.toLowerCase() === bundleId.toLowerCase());
        const path = app?.path ?? mac.staleRegistrations[bundleId];
        return path === undefined ? null : fileUrl(path);
      },
    },
  });
}

function runningApplication(mac: FakeMac, { pid, app }: FakeProcess): NativeObject {
  return native(['NSRunningApplication'], {
    processIdentifier: { get: () => pid },
    localizedName: { get: () => nsString(shownName(app)) },
    bundleIdentifier: { get: () => optional(app.bundleId) },
    bundleURL: { get: () => fileUrl(app.path) },
    activationPolicy: { get: () => ['regular', 'accessory', 'prohibited'].indexOf(app.policy ?? 'regular') },
    terminated: { get: () => false },
    hidden: { get: () => false },
    terminate: { get: () => mac.askToQuit(pid) },
  });
}

/** AppKit's frames have their origin at the bottom left of the first screen, and count upwards. */
function screens(mac: FakeMac): NativeObject[] {
  const menuBarHeight = mac.displays[0]?.bounds.height ?? 0;
  return mac.displays.map(({ id, name, bounds, scale }) =>
    native(['NSScreen'], {
      frame: {
        get: () => ({
          origin: { x: bounds.x, y: menuBarHeight - bounds.y - bounds.height },
          size: { width: bounds.width, height: bounds.height },
        }),
      },
      backingScaleFactor: { get: () => scale },
      localizedName: { get: () => nsString(name) },
      deviceDescription: { get: () => nsDictionary({ NSScreenNumber: nsNumber(id) }) },
    }),
  );
}

function fileUrl(path: string): NativeObject {
  return native(['NSURL'], { path: { get: () => nsString(path) } });
}

function fileManager(mac: FakeMac): NativeObject {
  return native(['NSFileManager'], {
    contentsOfDirectoryAtPathError: {
      callWithOut: (_error, folder) => {
        const names = entriesOf(mac, string(folder ?? null));
        return names.length === 0 ? null : nsArray(names.map(nsString));
      },
    },
    fileExistsAtPath: { call: (path) => mac.installed.some((app) => app.path === string(path)) },
    displayNameAtPath: {
      call: (path) => {
        const app = appAt(mac, string(path));
        return nsString(app?.displayName ?? string(path).replace(/^.*\//, ''));
      },
    },
  });
}

function entriesOf(mac: FakeMac, folder: string): string[] {
  const frameworks = mac.installed.find((app) => folder === `${app.path}/Contents/Frameworks`)?.frameworks ?? [];
  const within = mac.installed.filter((app) => app.path.startsWith(`${folder}/`));
  const names = within.map((app) => app.path.slice(folder.length + 1).split('/')[0] ?? '');
  return [...new Set([...names, ...frameworks.map((name) => `${name}.framework`)])];
}

function bundleAt(mac: FakeMac, path: string): NativeValue {
  const app = appAt(mac, path);
  if (app === undefined) return null;
  return native(['NSBundle'], {
    bundleIdentifier: { get: () => optional(app.bundleId) },
    objectForInfoDictionaryKey: {
      call: (key) => (string(key) === 'CFBundleName' ? optional(app.bundleName ?? null) : null),
    },
  });
}

function appAt(mac: FakeMac, path: string): FakeApp | undefined {
  return mac.installed.find((app) => app.path === path);
}

/** Vision reads the file when it is asked to perform, and reports a file it cannot read through the out-parameter. */
function imageRequestHandler(mac: FakeMac): NativeObject {
  return native(['VNImageRequestHandler'], {
    initWithURLOptions: {
      call: (url, options) => {
        if (!isKindOf(options, 'NSDictionary')) throw new TypeError('the options are no NSDictionary');
        const path = String(jsValue((url?.members.path?.get?.() ?? null) as NativeValue));
        return native(['VNImageRequestHandler'], {
          performRequestsError: {
            callWithOut: (error, requests) => perform(mac, { path, error, requests: requests ?? null }),
          },
        });
      },
    },
  });
}

function perform(
  mac: FakeMac,
  { path, error, requests }: { path: string; error: Out; requests: NativeValue },
): boolean {
  if (requests?.content?.kind !== 'array') throw new TypeError('the requests are no NSArray');
  if (!existsSync(path)) {
    error(native(['NSError'], { localizedDescription: { get: () => nsString('The image could not be loaded.') } }));
    return false;
  }
  const window = mac.windows.find((one) => one.id === mac.captures.get(path));
  const results = (window?.recognized ?? []).map(observation);
  for (const request of requests.content.items) request.members.results = { get: () => nsArray(results) };
  return true;
}

function observation(line: {
  text: string;
  confidence: number;
  box: { x: number; y: number; width: number; height: number };
  hasNoCandidate?: true;
}) {
  const { x, y, width, height } = line.box;
  const candidate = native(['VNRecognizedText'], {
    string: { get: () => nsString(line.text) },
    confidence: { get: () => line.confidence },
  });
  return native(['VNRecognizedTextObservation'], {
    topCandidates: {
      call: (count) => nsArray((line.hasNoCandidate ? [] : [candidate]).slice(0, Number(jsValue(count)))),
    },
    boundingBox: { get: () => ({ origin: { x, y }, size: { width, height } }) },
  });
}

function recognizeTextRequest(): NativeObject {
  const settings = ['recognitionLevel', 'usesLanguageCorrection', 'automaticallyDetectsLanguage'];
  const assignable = Object.fromEntries(settings.map((name) => [name, { set: () => undefined }]));
  const request = native(['VNRecognizeTextRequest', 'VNRequest'], { ...assignable, results: { get: () => null } });
  return native(['VNRecognizeTextRequest'], { init: { get: () => request } });
}

function optional(value: string | null): NativeValue {
  return value === null ? null : nsString(value);
}

function string(value: NativeValue): string {
  return String(jsValue(value));
}
