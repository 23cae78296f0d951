import type { Interpreter } from '../../contract/scripts.ts';

/** The language of a script in words, as sentences name it. */
export const LANGUAGES: Readonly<Record<Interpreter, string>> = {
  sh: 'shell',
  bash: 'bash',
  zsh: 'zsh',
  python: 'Python',
  node: 'JavaScript (Node)',
  applescript: 'AppleScript',
  javascript: 'JXA',
};
