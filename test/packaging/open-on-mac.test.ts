import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openOnMac } from '../../src/packaging/open-on-mac.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail opening '));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Starts the program of the app in a session of its own with its output in the named files, and waits: as `open -W` does. */
const OPEN = `
printf '%s\\0' "$@" > "$PLACE/args"
while [ "$1" != --args ]; do
  case "$1" in
    --stdout) out=$2; shift ;;
    --stderr) err=$2; shift ;;
    -a) app=$2; shift ;;
    --env) export "$2"; shift ;;
  esac
  shift
done
shift
setsid "$app/Contents/MacOS/Electron" "$@" >>"$out" 2>>"$err" </dev/null &
wait`;

const APP = `
trap 'echo ended by TERM; exit 0' TERM
echo "port $HANDRAIL_PORT for $1"; echo warned >&2
[ "$2" = --stay ] || exit 0
while :; do sleep 0.1; done`;

function program(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh${text}\n`, { mode: 0o755 });
  return path;
}

function opening(words: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      printed[name] += String(chunk);
      return true;
    });
  }
  const signals = new EventEmitter();
  const code = openOnMac({
    binary: program(join(folder, 'Electron.app/Contents/MacOS/Electron'), APP),
    args: [join(folder, 'the app'), ...words],
    environment: { PATH: process.env.PATH, HANDRAIL_PORT: '3002', SECRET: 'x', PLACE: folder },
    signals,
    programs: { open: program(join(folder, 'open'), OPEN), ps: 'ps' },
  });
  return { code, printed, signals };
}

test('the app is opened by LaunchServices with our settings, and its output reaches this terminal', async () => {
  const { code, printed } = opening([]);
  expect(await code).toBe(0);
  expect(printed).toEqual({ stdout: `port 3002 for ${folder}/the app\n`, stderr: 'warned\n' });
  const args = readFileSync(join(folder, 'args'), 'utf8').split('\0').slice(0, -1);
  expect(args).toEqual([
    ...['-W', '--stdout', expect.any(String), '--stderr', expect.any(String), '-n', '--env', 'HANDRAIL_PORT=3002'],
    ...['-a', join(folder, 'Electron.app'), '--args', join(folder, 'the app')],
    expect.stringMatching(/^--handrail-start=[0-9a-f-]{36}$/),
  ]);
});

test('a signal of the terminal goes on to the app, and its last words arrive', async () => {
  const { code, printed, signals } = opening(['--stay']);
  await vi.waitFor(() => expect(printed.stdout).toContain('port'), 10_000);
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await code).toBe(0);
  expect(printed.stdout).toContain('ended by TERM');
});

test('without `open` it says so', async () => {
  const opened = openOnMac({
    binary: join(folder, 'Electron.app/Contents/MacOS/Electron'),
    args: [],
    environment: {},
    signals: process,
    programs: { open: join(folder, 'absent'), ps: 'ps' },
  });
  await expect(opened).rejects.toThrow('ENOENT');
});
