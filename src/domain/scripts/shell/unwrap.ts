import { readArguments } from '../call.ts';

export type Unwrapped = { name: string; args: string[]; isAdministrator: boolean };

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
