import type { Interpreter } from '../../contract/scripts.ts';
import { dangersNoticed, type Noticed } from './notice-dangers.ts';
import { lastingEffectAt } from './places.ts';

const NOTHING: Noticed = { findings: [], isCut: false };

/** The dangers in a file that is written to be run later. Other files have none. */
export function dangersWritten(path: string, content: string): Noticed {
  const interpreter = interpreterFor(path, content);
  return interpreter === undefined ? NOTHING : dangersNoticed({ interpreter, script: content });
}

const BY_ENDING: readonly [RegExp, Interpreter][] = [
  [/\.(?:sh|bash|zsh|command|ksh)$/u, 'sh'],
  [/\.pyw?$/u, 'python'],
  [/\.[cm]?[jt]s$/u, 'node'],
  [/\.(?:applescript|scpt)$/u, 'applescript'],
];

const BY_FIRST_LINE: readonly [RegExp, Interpreter][] = [
  [/^#!.*(?:sh)(?:\s|$)/u, 'sh'],
  [/^#!.*python/u, 'python'],
  [/^#!.*(?:node|deno|bun)/u, 'node'],
  [/^#!.*osascript/u, 'applescript'],
];

/** By the first line or the ending of the name. Settings of a shell are scripts of it. */
function interpreterFor(path: string, content: string): Interpreter | undefined {
  const firstLine = content.slice(0, 200).split('\n', 1)[0] ?? '';
  const named =
    BY_FIRST_LINE.find(([line]) => line.test(firstLine)) ??
    BY_ENDING.find(([ending]) => ending.test(path.toLowerCase()));
  if (named !== undefined) return named[1];
  return lastingEffectAt(path)?.includes('a shell') === true ? 'sh' : undefined;
}
