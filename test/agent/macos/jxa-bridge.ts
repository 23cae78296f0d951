import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import type { FakeMac } from './fake-mac.ts';
import { createFrameworks, createPipes, type Pipes } from './jxa-frameworks.ts';
import { createFunctions, type Declaration } from './jxa-functions.ts';
import { createRef, deep, isReference, nsString, shallow, toNative, toScript, unwrapped, wrap } from './jxa-objects.ts';

/** The output of `osascript -l JavaScript <script> <argument>`, or the error it would end with. */
export type ScriptRun = { ok: true; result: string } | { ok: false; error: string };

/**
 * Runs one of the driver's scripts on a Mac in memory, in a context that has what JavaScript for Automation has and nothing
 * of Node: the bridge to Objective-C with the details that bite, after Apple's release notes for it (OS X 10.10 and 10.11)
 * and public scripts. Values stay wrapped until unwrapped; out-parameters stay empty unless the function was declared; nil
 * is truthy; arrays have to be wrapped; frameworks have to be imported. Time is the Mac's own.
 */
export function runScript(
  mac: FakeMac,
  scriptPath: string,
  argv: readonly string[],
  pipes: Pipes = createPipes([]),
): ScriptRun {
  try {
    return loadScript(mac, scriptPath, pipes)(argv);
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

/** Loads a script whose variables stay from one call of its `run` to the next. */
export function loadScript(mac: FakeMac, scriptPath: string, pipes: Pipes): (argv: readonly string[]) => ScriptRun {
  const context = createContext(globalsFor(mac, pipes));
  new Script(readFileSync(scriptPath, 'utf8'), { filename: scriptPath }).runInContext(context);
  return (argv) => {
    try {
      const result: unknown = new Script('run(argv)').runInContext(Object.assign(context, { argv: [...argv] }));
      return { ok: true, result: String(result) };
    } catch (error) {
      return { ok: false, error: String(error) };
    }
  };
}

function globalsFor(mac: FakeMac, pipes: Pipes): Record<string, unknown> {
  const imported = new Set<string>();
  const declared = new Map<string, Declaration>();
  const frameworks = createFrameworks(mac, pipes);
  const functions = createFunctions(mac);
  return {
    ObjC: {
      import: (name: string) => imported.add(name),
      bindFunction: (name: string, [result, parameters]: [string, string[]]) => {
        declared.set(name, { result, parameters });
      },
      unwrap: shallow,
      deepUnwrap: deep,
      castRefToObject: (reference: unknown) => (isReference(reference) ? wrap(reference.to) : reference),
    },
    $: dollar((name) => {
      const declaration = declared.get(name);
      if (declaration !== undefined) return functions.declared(name, declaration);
      const constant = imported.has('Carbon') ? CONSTANTS[name] : undefined;
      if (constant !== undefined) return { reference: true, to: nsString(constant) };
      if (functions.isIn(name, imported)) return functions.imported(name);
      const found = frameworks.find(
        (entry) => entry.name === name && entry.frameworks.some((one) => imported.has(one)),
      );
      return found === undefined ? undefined : wrap(found.object);
    }),
    Ref: createRef,
    delay: (seconds: number) => mac.clock.advance(seconds * 1_000),
    console: { log: () => undefined },
    Date: { now: () => mac.clock.now() },
  };
}

/** Strings of a framework, which the bridge hands over as references. */
const CONSTANTS: Readonly<Record<string, string>> = { kTISPropertyInputSourceType: 'TISPropertyInputSourceType' };

/** `$(value)` wraps a value, `$()` is nil, `$.name` is a class or a function. */
function dollar(look: (name: string) => unknown): unknown {
  return new Proxy(() => undefined, {
    apply: (_target, _this, [value]: unknown[]) => {
      return unwrapped(value) === undefined ? toScript(toNative(value)) : value;
    },
    get: (_target, name) => (typeof name === 'string' ? look(name) : undefined),
  });
}
