import { type Call, readArguments } from '../call.ts';
import { shortened } from '../finding.ts';
import type { Command } from './words.ts';

type Interpreter = {
  isShell: boolean;
  /** Options whose value is the program. */
  inline: RegExp;
  /** Other options with a value. */
  letters: string;
};

const SHELL: Interpreter = { isShell: true, inline: /^-\w*c$/u, letters: 'oO' };
const PYTHON: Interpreter = { isShell: false, inline: /^-\w*c$/u, letters: 'WXm' };
const NODE: Interpreter = { isShell: false, inline: /^-[ep]{1,2}$|^--(?:eval|print)$/u, letters: 'rC' };
const SCRIPTING: Interpreter = { isShell: false, inline: /^-\w*[eE]$/u, letters: 'IlSMm' };
const PHP: Interpreter = { isShell: false, inline: /^-r$/u, letters: 'dc' };

const INTERPRETERS: readonly { names: RegExp; interpreter: Interpreter }[] = [
  { names: /^(?:sh|bash|zsh|dash|ksh|ash|mksh|fish|csh|tcsh|su|runuser|script)$/u, interpreter: SHELL },
  { names: /^(?:python|pypy)[\d.]*$/u, interpreter: PYTHON },
  { names: /^(?:node|nodejs|deno|bun|tsx)$/u, interpreter: NODE },
  { names: /^php[\d.]*$/u, interpreter: PHP },
  { names: /^(?:perl|ruby|osascript|lua|tclsh|rscript)[\d.]*$/u, interpreter: SCRIPTING },
];

export function interpreterOf({ name }: Pick<Call, 'name'>): Interpreter | undefined {
  if (name === 'eval' || name === 'source' || name === '.' || name === 'trap') return SHELL;
  return INTERPRETERS.find(({ names }) => names.test(name))?.interpreter;
}

/** Finds the program that an interpreter runs: in an option, in its standard input, or in a file. */
export function runInterpreter(call: Call, interpreter: Interpreter) {
  const { name, args, command } = call;
  if (name === 'eval') return call.shell(args.join(' '));
  if (name === 'trap') return call.shell(args[0] ?? '');
  const inline = inlineTexts(args, interpreter);
  const analyse = interpreter.isShell ? call.shell : call.code;
  for (const text of inline) analyse(text);
  if (inline.length > 0) return;
  const file = readArguments(args, { letters: interpreter.letters }).operands[0];
  const module = interpreter === PYTHON ? moduleOf(args) : undefined;
  if (module !== undefined) runModule(call, module);
  else if (file !== undefined && file !== '-' && name !== 'su') runFile(call, file);
  else if (command.input !== '') analyse(command.input);
  else runUpstream(call, analyse);
}

function inlineTexts(args: readonly string[], { inline }: Interpreter): string[] {
  const texts: string[] = [];
  for (let at = 0; at < args.length - 1; at += 1) {
    if (!inline.test(args[at] ?? '') || texts.length > 20) continue;
    texts.push(args[at + 1] ?? '');
    at += 1;
  }
  return texts;
}

function moduleOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('-m');
  return at < 0 || at > 4 ? undefined : args.slice(at + 1, at + 30).join(' ');
}

function runModule(call: Call, module: string) {
  const [name = '', ...rest] = module.split(' ');
  if (/^(?:http\.server|SimpleHTTPServer|pyftpdlib)$/u.test(name))
    call.note('sends', `lets other computers connect and read the files of a folder (${shortened(module)})`);
  else if (/^(?:pip|ensurepip|venv)$/u.test(name)) call.run([name, ...rest]);
  else call.note('runs', `runs the Python module ${shortened(name)}`);
}

function runFile(call: Call, file: string) {
  if (/^(?:\$\(…\)|<\()/u.test(file)) call.note('runs', 'runs the output of other commands as a program');
  else call.note('runs', `runs the program in ${shortened(call.at(file))}`);
}

/** `… | sh`: the program is the output of the commands before. */
function runUpstream(call: Call, analyse: (text: string) => void) {
  const { upstream } = call;
  const texts = upstream.map(textPrinted);
  const isEncoded = upstream.some(isDecoder);
  if (upstream.length === 0 || call.name === 'su') return;
  const loader = upstream.find(({ words }) => /^(?:curl|wget|fetch|http|aria2c|nc)$/u.test(words[0]?.text ?? ''));
  if (loader !== undefined)
    return call.note('installs', `downloads a program and runs it at once with ${shortened(call.name)}`);
  const decoder = upstream.find(isDecoder)?.words.map(({ text }) => text) ?? [];
  if (isEncoded) call.note('hides', `runs a program that is hidden in encoded text (${shortened(decoder.join(' '))})`);
  for (const text of texts) if (text !== '') analyse(isEncoded ? decoded(text) : text);
  if (!isEncoded && texts.every((text) => text === ''))
    call.note('runs', 'runs the output of other commands as a program');
}

/** The text that `echo`, `printf` and `cat` of a here-document hand on. */
function textPrinted({ words, input }: Command): string {
  const [first, ...rest] = words.map(({ text }) => text);
  if (first === 'echo' || first === 'printf')
    return rest
      .filter((text) => !/^-[neE]+$/u.test(text))
      .join(' ')
      .replaceAll('\\n', '\n');
  return input;
}

function isDecoder({ words }: Command): boolean {
  const [first = '', ...rest] = words.map(({ text }) => text);
  if (/^(?:rev|tr|gunzip|zcat|xz|uudecode|bunzip2)$/u.test(first)) return true;
  return (
    /^(?:base64|base32|xxd|openssl|gzip|basenc|uuencode)$/u.test(first) &&
    rest.some((text) => /^-\w*[dDr]|^--decode|^enc$/u.test(text))
  );
}

const MOST_DECODED = 100_000;

/** Text that was encoded in Base64 or in hexadecimal; other text as it is. */
export function decoded(text: string): string {
  const dense = text.slice(0, MOST_DECODED).replace(/\s+/gu, '');
  if (/^[0-9a-fA-F]{8,}$/u.test(dense)) return Buffer.from(dense, 'hex').toString('utf8');
  if (/^[\w+/-]{8,}={0,2}$/u.test(dense)) return Buffer.from(dense, 'base64').toString('utf8');
  return text;
}

type Unwrapped = { name: string; args: string[]; isAdministrator: boolean };

/** Programs that start the program named after them: their options with values, and their own operands. */
const WRAPPERS = new Map<string, { letters?: string; operands?: number }>([
  ...wrappers('nohup setsid unbuffer command builtin busybox toybox unshare fakeroot firejail arch', {}),
  ...wrappers('proxychains proxychains4 torify torsocks dbus-run-session xvfb-run', {}),
  ...wrappers('chrt taskset chroot', { operands: 1 }),
  ...wrappers('timeout gtimeout', { letters: 'ks', operands: 1 }),
  ...wrappers('strace ltrace', { letters: 'eopsP' }),
  ...wrappers('sudo', { letters: 'ughpCTUDRr' }),
  ...wrappers('doas pkexec', { letters: 'uC' }),
  ...wrappers('env', { letters: 'uCS' }),
  ...wrappers('time', { letters: 'fo' }),
  ...wrappers('nice watch', { letters: 'n' }),
  ...wrappers('ionice', { letters: 'cnp' }),
  ...wrappers('stdbuf', { letters: 'ioe' }),
  ...wrappers('exec', { letters: 'a' }),
  ...wrappers('flock', { letters: 'wE', operands: 1 }),
  ...wrappers('caffeinate', { letters: 'tw' }),
  ...wrappers('xargs', { letters: 'InPLdsEa' }),
  ...wrappers('parallel', { letters: 'jIN' }),
]);

function wrappers<Valued>(names: string, valued: Valued): [string, Valued][] {
  return names.split(' ').map((name) => [name, valued]);
}

const DEEPEST = 12;

/** The program behind `sudo`, `env A=1`, `xargs` and the like. Words that only assign variables are left out. */
export function unwrap(words: readonly string[]): Unwrapped {
  let rest = withoutAssignments(words);
  let isAdministrator = false;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const name = programName(rest[0] ?? '');
    const wrapper = WRAPPERS.get(name);
    if (wrapper === undefined) break;
    const inner = withoutAssignments(behind(rest.slice(1), wrapper));
    if (/^(?:sudo|doas|pkexec)$/u.test(name)) isAdministrator = true;
    // Alone, `env` and `time` are programs of their own.
    if (inner.length === 0) break;
    rest = inner;
  }
  return { name: programName(rest[0] ?? ''), args: rest.slice(1), isAdministrator };
}

function withoutAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/u.test(word));
  return first < 0 ? [] : words.slice(first);
}

/** The words after the wrapper's own options and operands. */
function behind(
  args: readonly string[],
  { letters = '', operands = 0 }: { letters?: string; operands?: number },
): string[] {
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      at += 1;
      break;
    }
    if (!arg.startsWith('-') || arg === '-') break;
    const { values } = readArguments([arg, ''], { letters });
    const takesNext = [...values].some(([letter, value]) => letter.length === 1 && value === '');
    at += takesNext ? 2 : 1;
  }
  return args.slice(at + operands);
}

function programName(word: string): string {
  return word
    .slice(word.lastIndexOf('/') + 1)
    .toLowerCase()
    .slice(0, 100);
}
