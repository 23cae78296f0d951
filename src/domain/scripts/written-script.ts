import { lastingEffectAt } from '../../contract/lasting-places.ts';
import type { Interpreter } from '../../contract/scripts.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import { LANGUAGES } from './languages.ts';
import { dangersNoticed, type Noticed } from './notice-dangers.ts';

const NOTHING: Noticed = { findings: [], isCut: false };

/** A file that is a script at its path, and the dangers in it. Other files have no language and no dangers. */
export function scriptWritten(path: string, content: string): { language?: string; noticed: Noticed } {
  const interpreter = interpreterFor(path, content);
  if (interpreter === undefined) return { noticed: NOTHING };
  return { language: LANGUAGES[interpreter], noticed: dangersNoticed({ interpreter, script: content }) };
}

const BY_ENDING: readonly [RegExp, Interpreter][] = [
  [/\.(?:sh|bash|zsh|command|ksh|csh|tcsh|dash|fish|tool|mk)$|^(?:gnu)?makefile$|^justfile$/u, 'sh'],
  // Their calls are written as those of Python.
  [/\.(?:pyw?|rb|pl|php|lua)$/u, 'python'],
  [/\.[cm]?[jt]sx?$/u, 'node'],
  [/\.(?:applescript|scpt)$/u, 'applescript'],
];

const BY_FIRST_LINE: readonly [RegExp, Interpreter][] = [
  [/^#!.*(?:sh)(?:\s|$)/u, 'sh'],
  [/^#!.*(?:python|ruby|perl|php|lua)/u, 'python'],
  [/^#!.*(?:node|deno|bun)/u, 'node'],
  [/^#!.*osascript/u, 'applescript'],
];

/** By the first line or the ending of the name. Settings of a shell are scripts of it. */
function interpreterFor(path: string, content: string): Interpreter | undefined {
  const firstLine = content.slice(0, 200).split('\n', 1)[0] ?? '';
  const name = comparablePath(path.slice(path.lastIndexOf('/') + 1));
  const named = BY_FIRST_LINE.find(([line]) => line.test(firstLine)) ?? BY_ENDING.find(([ending]) => ending.test(name));
  if (named !== undefined) return named[1];
  // A first line in an unknown language is read as shell, so that nothing in it is missed.
  const isShell = firstLine.startsWith('#!') || lastingEffectAt(path)?.includes('a shell') === true;
  return isShell ? 'sh' : undefined;
}
