import type { Danger } from './finding.ts';
import type { Command, Pipeline } from './shell/words.ts';

/** A command without the programs in front of it, such as `sudo` and `env`. */
export type Call = {
  /** The name of the program, without folders, in lower case. */
  name: string;
  args: readonly string[];
  command: Command;
  /** Commands that write into this one through pipes, the nearest last. */
  upstream: Pipeline;
  note(danger: Danger, words: string): void;
  /** The path as a sentence shows it: below the folder that the script went to, if it did. */
  at(path: string): string;
  reads(path: string): void;
  /** Notes a change: `verb` says which, as in "overwrites". */
  writes(path: string, verb: string): void;
  isSecret(path: string): boolean;
  /** Analyses text that this command runs as a shell script, or in another language. */
  shell(text: string): void;
  code(text: string): void;
  /** Analyses a command that this one starts. */
  run(words: readonly string[]): void;
};

export type Handler = (call: Call) => void;
export type Handlers = Readonly<Record<string, Handler>>;

export type Arguments = {
  operands: string[];
  flags: ReadonlySet<string>;
  /** The last value of each option. */
  values: ReadonlyMap<string, string>;
  /** All values in their order, with the names of their options: an option may come more than once. */
  given: (readonly [name: string, value: string])[];
};

type Valued = { letters?: string; words?: readonly string[] };

/**
 * Options and operands by the usual rules. `valued` names the options that take a value: letters for short ones, whole words for
 * long ones; `find` and others have long options with one dash, which count as short letters.
 */
export function readArguments(args: readonly string[], { letters = '', words = [] }: Valued = {}): Arguments {
  const operands: string[] = [];
  const flags = new Set<string>();
  const given: Arguments['given'] = [];
  let at = 0;
  while (at < args.length && args[at] !== '--') {
    const arg = args[at] ?? '';
    at += 1;
    const option = arg.startsWith('--') ? longOption(arg, words) : shortOptions(arg, letters);
    if (option === undefined) operands.push(arg);
    else for (const flag of option.flags) flags.add(flag);
    if (option?.valued === undefined) continue;
    given.push([option.valued, option.value ?? args[at] ?? '']);
    at += option.value === undefined ? 1 : 0;
  }
  return { operands: operands.concat(args.slice(at + 1)), flags, values: new Map(given), given };
}

/** `valued` is the option that has a value, which is the next word if `value` is absent. */
type Option = { flags: readonly string[]; valued?: string; value?: string };

function longOption(arg: string, words: readonly string[]): Option {
  const place = arg.indexOf('=');
  const name = arg.slice(2, place < 0 ? undefined : place);
  if (place >= 0) return { flags: [name], valued: name, value: arg.slice(place + 1) };
  return words.includes(name) ? { flags: [name], valued: name } : { flags: [name] };
}

/** `-rf`, and `-ofile` where `o` takes a value. A single dash is an operand. */
function shortOptions(arg: string, letters: string): Option | undefined {
  if (!arg.startsWith('-') || arg.length === 1) return undefined;
  const all = [...arg.slice(1)];
  const place = all.findIndex((letter) => letters.includes(letter));
  if (place < 0) return { flags: all };
  const value = all.slice(place + 1).join('');
  return { flags: all.slice(0, place + 1), valued: all[place] ?? '', ...(value === '' ? {} : { value }) };
}
