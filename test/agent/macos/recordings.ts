import { readFileSync } from 'node:fs';

/**
 * Outputs of macOS programs, as files under recordings/, with their sources. None was taken by us on a Mac. `public`: the
 * same text stands in the source named. `assumed`: only its form is known; the text is ours.
 */
export type Recording = {
  /** The program that printed it, with its arguments; words in braces stand for parts that differ between calls. */
  command: string;
  stream: 'stdout' | 'stderr';
  exitCode: number;
  basis: 'public' | 'assumed';
  /** The person who has seen it, or the basis of the assumption. */
  source: string;
  system: string;
};

export const RECORDINGS = {
  'open-unknown-name': {
    command: 'open -a {name}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'public code that compares the whole output (index file 17149086923, Go, `exec.Command("open", "-a", …)`), and a Raycast extension that notes having verified it (index file 68425781379)',
    system: 'macOS 26, and unchanged since at least OS X 10.11',
  },
  'open-unknown-bundle-id': {
    command: 'open -b {bundleId}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'a test with the output as seen on macOS 26 (index file 70180355411) and a recorded run with its exit code (index file 61920321811)',
    system: 'macOS 26',
  },
  'open-cannot-start': {
    command: 'open -b {bundleId}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'tauri-apps/tauri issue 527, yhat/rodeo issue 301, BallAerospace/COSMOS issue 691; the exit code is assumed',
    system: 'macOS 10.14 (Darwin 18.7.0)',
  },
  'open-no-process': {
    command: 'open {url}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source: 'will-stone/browserosaurus issue 549; the exit code is assumed',
    system: 'macOS 12',
  },
  'screencapture-display-refused': {
    command: 'screencapture -x -t png -D1 {path}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'electron/electron issue 51797: recorded output and exit code, without the permission and right after another capture',
    system: 'macOS 15 or later, Electron 42',
  },
  'screencapture-window-refused': {
    command: 'screencapture -x -t png -o -l{windowId} {path}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source: 'rancher-sandbox/rancher-desktop issue 4897; the exit code is assumed',
    system: 'macOS 13',
  },
  'screencapture-region-refused': {
    command: 'screencapture -x -t png -R{x},{y},{width},{height} {path}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'the README of a public tool names it as the effect of the missing permission (index file 53971328015); the exit code is assumed',
    system: 'not said',
  },
  'lsappinfo-front': {
    command: 'lsappinfo front',
    stream: 'stdout',
    exitCode: 0,
    basis: 'public',
    source:
      'jnoortheen/xontrib-cmd-durations issue 16 shows the same form of a serial number; lsappinfo(8) describes the command',
    system: 'macOS 13',
  },
  'lsappinfo-front-14': {
    command: 'lsappinfo front',
    stream: 'stdout',
    exitCode: 0,
    basis: 'public',
    source: 'franciscolourenco/done issue 139, which also reports that 14.0 knows no more of some serial numbers',
    system: 'macOS 13 and 14.0',
  },
  'lsappinfo-front-none': {
    command: 'lsappinfo front',
    stream: 'stdout',
    exitCode: 0,
    basis: 'public',
    source: 'a parser test in public code (index file 52834598520)',
    system: 'not said',
  },
  'lsappinfo-info': {
    command: 'lsappinfo info -only pid -only bundleid -only name {serial number}',
    stream: 'stdout',
    exitCode: 0,
    basis: 'public',
    source: 'parser tests in public code (index files 68917137247 and 62677396747)',
    system: 'not said',
  },
  'lsappinfo-info-other-keys': {
    command: 'lsappinfo info -only pid -only bundleid -only name {serial number}',
    stream: 'stdout',
    exitCode: 0,
    basis: 'public',
    source:
      'parser tests in public code (index files 6268265811 and 52493910757, which says that the keys differ by version)',
    system: 'not said',
  },
  'lsappinfo-info-empty': {
    command: 'lsappinfo info -only pid -only bundleid -only name {serial number}',
    stream: 'stdout',
    exitCode: 0,
    basis: 'assumed',
    source:
      'franciscolourenco/done issue 139 says that the result is empty; with which exit code and whether with a line end it does not say',
    system: 'macOS 14.0',
  },
  'osascript-script-error-10.13': {
    command: 'osascript -l JavaScript {script}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source: 'wtfaremyinitials/jxa issue 4; the exit code is assumed',
    system: 'macOS 10.13.6',
  },
  'osascript-script-error': {
    command: 'osascript -l JavaScript {script}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source:
      'felixhageloh/uebersicht issue 533, from the same component in another program; what osascript puts before it is assumed',
    system: 'macOS 14 or 15',
  },
  'osascript-automation-denied': {
    command: 'osascript {script}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source: 'ankurk91/google-chat-electron issue 13, octalmage/active-window issue 29; the exit code is assumed',
    system: 'macOS 10.14 and 10.15',
  },
  'osascript-assistive-access-denied': {
    command: 'osascript {script}',
    stream: 'stderr',
    exitCode: 1,
    basis: 'public',
    source: 'sourcegraph/thyme issue 71, with the exit code',
    system: 'OS X 10.11',
  },
} as const satisfies Record<string, Recording>;

export type RecordingName = keyof typeof RECORDINGS;

/** The recorded text, with the parts in braces filled in. */
export function recorded(name: RecordingName, values: Record<string, string> = {}): string {
  const text = readFileSync(new URL(`./recordings/${name}.txt`, import.meta.url), 'utf8');
  return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
