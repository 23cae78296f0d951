import { createAccessibility } from './fake-accessibility.ts';
import { describe, structureOf } from './fake-accessibility-targets.ts';
import { type FakeMac, type FakeWindow, shownName } from './fake-mac.ts';
import { inputFunctions } from './jxa-input.ts';
import type { CReference, NativeValue, Out } from './jxa-objects.ts';
import { jsValue, nsArray, nsDictionary, nsNumber, nsString, outOf, toArgument, toScript } from './jxa-objects.ts';

export type Declaration = { result: string; parameters: readonly string[] };

/** One C function. `bridged` ones can be called once their framework is imported; the others have to be declared. */
export type CFunction = Declaration & {
  frameworks: readonly string[];
  bridged: boolean;
  call(...values: unknown[]): unknown;
};

const ACCESSIBILITY = ['ApplicationServices', 'AppKit', 'Cocoa'];
const GRAPHICS = ['CoreGraphics', 'Quartz'];

/** The C functions that the driver's scripts use, over a Mac in memory. */
export function createFunctions(mac: FakeMac) {
  const functions: Record<string, CFunction> = {
    ...accessibilityFunctions(mac),
    ...systemFunctions(mac),
    ...inputFunctions(mac),
  };
  return {
    isIn: (name: string, imported: ReadonlySet<string>): boolean =>
      functions[name]?.frameworks.some((framework) => imported.has(framework)) ?? false,
    /** Not declared: pointers stay opaque, and nothing arrives through an out-parameter. */
    imported: (name: string): unknown => {
      const found = functions[name];
      if (found === undefined || !found.bridged) return undefined;
      return (...values: unknown[]) =>
        fromC(found.call(...values.map((value, index) => undeclared(found, index, value))));
    },
    declared: (name: string, declaration: Declaration): unknown => {
      const found = functions[name];
      if (found === undefined || !agrees(found, declaration)) {
        throw new TypeError(`${name} was declared as ${JSON.stringify(declaration)}, which it is not`);
      }
      return (...values: unknown[]) => {
        const result = found.call(...found.parameters.map((type, index) => asDeclared(type, values[index])));
        return found.result === 'id' ? toScript(result) : result;
      };
    },
  };
}

function accessibilityFunctions(mac: FakeMac): Record<string, CFunction> {
  const accessibility = createAccessibility(mac);
  const declare = (result: string, parameters: readonly string[], call: CFunction['call']): CFunction => {
    return { result, parameters, call, frameworks: ACCESSIBILITY, bridged: true };
  };
  return {
    AXIsProcessTrusted: declare('bool', [], () => mac.grants.accessibility),
    AXUIElementCreateApplication: declare('id', ['int'], (pid) => accessibility.application(Number(pid))),
    AXUIElementCreateSystemWide: declare('id', [], () => accessibility.systemWide()),
    AXUIElementCopyAttributeValue: declare('int', ['id', 'id', 'id*'], (element, name, out) =>
      accessibility.copyValue(element as NativeValue, text(name), out as Out),
    ),
    AXUIElementCopyMultipleAttributeValues: declare(
      'int',
      ['id', 'id', 'int', 'id*'],
      (element, names, _options, out) => accessibility.copyValues(element as NativeValue, texts(names), out as Out),
    ),
    AXUIElementCopyActionNames: declare('int', ['id', 'id*'], (element, out) =>
      accessibility.copyActions(element as NativeValue, out as Out),
    ),
    AXUIElementSetAttributeValue: declare('int', ['id', 'id', 'id'], (element, name, value) =>
      accessibility.setValue(element as NativeValue, text(name), value as NativeValue),
    ),
    AXUIElementPerformAction: declare('int', ['id', 'id'], (element, action) =>
      accessibility.perform(element as NativeValue, text(action)),
    ),
    AXUIElementCopyElementAtPosition: declare('int', ['id', 'float', 'float', 'id*'], (element, x, y, out) =>
      accessibility.atPosition(element as NativeValue, { x: Number(x), y: Number(y) }, out as Out),
    ),
    AXValueCreate: declare('id', ['unsigned int', 'void*'], (type, bytes) => structureOf(Number(type), bytes)),
    AXUIElementSetMessagingTimeout: declare('int', ['id', 'float'], (element, seconds) =>
      accessibility.setTimeout(element as NativeValue, Number(seconds)),
    ),
    CFCopyDescription: declare('id', ['id'], (value) => nsString(describe(value as NativeValue))),
  };
}

function systemFunctions(mac: FakeMac): Record<string, CFunction> {
  return {
    CGWindowListCopyWindowInfo: {
      ...declaration('ref', ['int', 'int']),
      frameworks: GRAPHICS,
      bridged: true,
      call: (options) => ({ reference: true, to: windowList(mac, Number(options)) }),
    },
    CGSessionCopyCurrentDictionary: {
      ...declaration('ref', []),
      frameworks: GRAPHICS,
      bridged: true,
      call: () => ({ reference: true, to: sessionDictionary(mac) }),
    },
    CGDisplayIsAsleep: {
      ...declaration('int', ['int']),
      frameworks: GRAPHICS,
      bridged: true,
      call: (id) => (mac.displays.find((display) => display.id === Number(id))?.asleep ? 1 : 0),
    },
    CGPreflightScreenCaptureAccess: {
      ...declaration('bool', []),
      frameworks: GRAPHICS,
      bridged: false,
      call: () => mac.grants.screenRecording !== false,
    },
    CGRequestScreenCaptureAccess: {
      ...declaration('bool', []),
      frameworks: GRAPHICS,
      bridged: false,
      call: () => mac.grants.screenRecording !== false,
    },
  };
}

function declaration(result: string, parameters: readonly string[]): Declaration {
  return { result, parameters };
}

const ON_SCREEN_ONLY = 1;
const EXCLUDE_DESKTOP_ELEMENTS = 16;

/** Titles are told only with Screen Recording; null when there is no window server to ask. */
function windowList(mac: FakeMac, options: number): NativeValue {
  if (mac.displays.length === 0) return null;
  const isShown = (window: FakeWindow) => !(options & ON_SCREEN_ONLY) || window.element?.minimized !== true;
  const entries = mac.windows.filter(isShown).map((window) =>
    nsDictionary({
      kCGWindowNumber: nsNumber(window.id),
      kCGWindowOwnerPID: nsNumber(window.pid),
      kCGWindowOwnerName: nsString(ownerName(mac, window.pid)),
      kCGWindowLayer: nsNumber(window.layer ?? 0),
      kCGWindowAlpha: nsNumber(window.alpha ?? 1),
      kCGWindowIsOnscreen: nsNumber(true),
      kCGWindowSharingState: nsNumber(1),
      kCGWindowBounds: rectangle(window.bounds),
      ...(mac.grants.screenRecording === true && !window.isUntitled && { kCGWindowName: nsString(window.title) }),
    }),
  );
  const desktop = nsDictionary({
    kCGWindowNumber: nsNumber(2),
    kCGWindowOwnerPID: nsNumber(99),
    kCGWindowOwnerName: nsString('Dock'),
    kCGWindowLayer: nsNumber(-2147483624),
    kCGWindowBounds: rectangle(mac.displays[0]?.bounds ?? { x: 0, y: 0, width: 0, height: 0 }),
  });
  return nsArray(options & EXCLUDE_DESKTOP_ELEMENTS ? entries : [...entries, desktop]);
}

function ownerName(mac: FakeMac, pid: number): string {
  const app = mac.processOf(pid)?.app;
  return app === undefined ? 'unknown' : shownName(app);
}

function rectangle({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return nsDictionary({ X: nsNumber(x), Y: nsNumber(y), Width: nsNumber(width), Height: nsNumber(height) });
}

function sessionDictionary({ session }: FakeMac): NativeValue {
  if (session === null) return null;
  return nsDictionary({
    kCGSSessionOnConsoleKey: nsNumber(session.onConsole),
    kCGSSessionUserNameKey: nsString('person'),
    ...(session.locked && { CGSSessionScreenIsLocked: nsNumber(true) }),
  });
}

function agrees(found: Declaration, declared: Declaration): boolean {
  const same = (one: string, other: string) => normalized(one) === normalized(other);
  return (
    same(found.result, declared.result) &&
    found.parameters.length === declared.parameters.length &&
    found.parameters.every((type, index) => same(type, declared.parameters[index] ?? ''))
  );
}

function normalized(type: string): string {
  const plain = type.replace(/\s+/g, '');
  if (plain === 'unsignedint' || plain === 'uint32') return 'int';
  return plain === 'pointer' ? 'void*' : plain;
}

function asDeclared(type: string, value: unknown): unknown {
  switch (normalized(type)) {
    case 'id':
      return toArgument(value);
    case 'id*':
      return outOf(value);
    case 'bool':
      return value === true;
    default:
      return value;
  }
}

function undeclared(found: CFunction, index: number, value: unknown): unknown {
  const type = found.parameters[index];
  if (type === 'id*') return () => undefined;
  return type === 'id' ? toArgument(value) : value;
}

function fromC(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'native' in value;
  return isObject ? ({ reference: true, to: value } as CReference) : value;
}

function text(value: unknown): string {
  return String(jsValue(value as NativeValue));
}

function texts(value: unknown): string[] {
  const content = (value as NativeValue)?.content;
  if (content?.kind !== 'array') throw new TypeError('expected an NSArray of attribute names');
  return content.items.map((item) => String(jsValue(item)));
}
