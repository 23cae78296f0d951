import { writeFile } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import type { ProgramResult, ProgramRun } from '../../../agent/drivers/exec.ts';
import { type RunProgram, scriptPath } from '../../../agent/drivers/macos/run-script.ts';
import type { Converse } from '../../../agent/drivers/macos/script-reader.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import { createFakeConversation, type FakeConversation } from './fake-conversation.ts';
import { type FakeMac, type FakeWindow, fileName, shownName } from './fake-mac.ts';
import { runScript } from './jxa-bridge.ts';
import { createPipes } from './jxa-frameworks.ts';
import { RECORDINGS, type RecordingName, recorded } from './recordings.ts';

export type FakePrograms = {
  run: RunProgram;
  /** The reader of scripts, on the same Mac. */
  converse: Converse;
  /** The processes that post events, in the order of their start. */
  hands: FakeConversation[];
  /** The arguments of each reader that was started. */
  readers: (readonly string[])[];
  /** The lines that readers were given. */
  said: string[];
  /** Every program that was started, with its arguments. */
  started: ProgramRun[];
  /** Everything that programs have printed. */
  answers: string[];
  /** How many run at this moment. */
  running(): number;
  /** Answers instead of the program at this path, until it answers undefined. */
  intercept: Map<string, (run: ProgramRun) => ProgramResult | undefined>;
};

/** The programs of macOS that the driver starts, on a Mac in memory: they do what they do there, and say what was recorded. */
export function createFakePrograms(mac: FakeMac): FakePrograms {
  const started: ProgramRun[] = [];
  const answers: string[] = [];
  const intercept: FakePrograms['intercept'] = new Map();
  let running = 0;
  const run: RunProgram = async (request) => {
    if (request.signal?.aborted) return { kind: 'aborted' };
    started.push(request);
    running += 1;
    // A real program takes a turn of the event loop at least, in which it can be stopped.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      if (request.signal?.aborted) return { kind: 'aborted' };
      const result = intercept.get(request.program)?.(request) ?? (await perform(mac, request));
      if (result.kind === 'exited') answers.push(result.stdout);
      return result;
    } finally {
      running -= 1;
    }
  };
  const readers: (readonly string[])[] = [];
  const lines: string[] = [];
  const hands: FakeConversation[] = [];
  const converse: Converse = (start, events) => {
    running += 1;
    if (start.args[2] === scriptPath('input-events')) {
      const conversation = createFakeConversation(mac, start.args, events);
      hands.push(conversation);
      return conversation.talk;
    }
    readers.push(start.args);
    let isStopped = false;
    return {
      say: (line) => {
        lines.push(line);
        const answer = readerAnswer(mac, { args: start.args, line, intercept: intercept.get(start.program) });
        setImmediate(() => !isStopped && events.said(answer));
      },
      stop: () => {
        if (!isStopped) running -= 1;
        isStopped = true;
      },
    };
  };
  return { run, converse, hands, readers, said: lines, started, answers, running: () => running, intercept };
}

/** Answers a call as reader.js does; where the test answers for the script, the reader only says that it failed. */
function readerAnswer(
  mac: FakeMac,
  call: {
    args: readonly string[];
    line: string;
    intercept: ((run: ProgramRun) => ProgramResult | undefined) | undefined;
  },
): string {
  const { id, script, argv } = JSON.parse(call.line);
  const args = ['-l', 'JavaScript', scriptPath(script), ...argv];
  const instead = call.intercept?.({ program: '/usr/bin/osascript', args, timeoutMs: 1 });
  if (instead !== undefined) return `${JSON.stringify({ id, ok: false, error: 'Error', number: -2700 })}\n`;
  const pipes = createPipes([call.line]);
  const [, , reader, ...readerArguments] = call.args;
  const result = runScript(mac, String(reader), readerArguments, pipes);
  if (!result.ok) throw new Error(result.error);
  return pipes.output.join('');
}

async function perform(mac: FakeMac, { program, args }: ProgramRun): Promise<ProgramResult> {
  switch (program) {
    case '/usr/bin/osascript':
      return osascript(mac, args);
    case '/usr/bin/open':
      return open(mac, args);
    case '/usr/sbin/screencapture':
      return screencapture(mac, args);
    case '/usr/bin/lsappinfo':
      return lsappinfo(mac, args);
    default:
      return { kind: 'not_started', reason: `spawn ${program} ENOENT` };
  }
}

function osascript(mac: FakeMac, [flag, language, script, ...argv]: readonly string[]): ProgramResult {
  if (flag !== '-l' || language !== 'JavaScript' || script === undefined)
    throw new Error('osascript: not as the driver calls it');
  const result = runScript(mac, script, argv);
  if (!result.ok) return fails('osascript-script-error', { error: result.error });
  return exits(`${result.result}\n`);
}

/** Brings a running app to the front or starts it, and does not wait for it. */
function open(mac: FakeMac, [flag, wanted, address]: readonly string[]): ProgramResult {
  if (flag !== undefined && /^(https?|mailto):/.test(flag)) return openAddress(mac, flag);
  if (flag === '-a' && address !== undefined) return openAddress(mac, address, wanted);
  if ((flag !== '-a' && flag !== '-b') || wanted === undefined) throw new Error('open: not as the driver calls it');
  const app = mac.installed.find((one) =>
    flag === '-b'
      ? isSame(one.bundleId, wanted) && one.isRegistered !== false
      : isSame(fileName(one), wanted) || one.path === wanted,
  );
  if (app === undefined) {
    return flag === '-b'
      ? fails('open-unknown-bundle-id', { bundleId: wanted })
      : fails('open-unknown-name', { name: wanted });
  }
  if (app.launch === 'broken') return fails('open-cannot-start', { path: app.path });
  const running = mac.processes.find((process) => process.app === app);
  if (running === undefined) mac.launch(app);
  else mac.activate(running.pid);
  return exits('');
}

/** The browser shows it in the window that it has. */
function openAddress(mac: FakeMac, address: string, path = mac.opensAddresses): ProgramResult {
  const browser = mac.processes.find(({ app }) => app.path === path);
  if (browser === undefined) return fails('open-unknown-name', { name: address });
  mac.activate(browser.pid);
  for (const window of mac.windows) if (window.pid === browser.pid) window.title = address;
  return exits('');
}

function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

const RETINA_BLACK = { r: 0, g: 0, b: 0 };

/** Writes a real PNG of the size a Mac would give it, one colour for the wallpaper and one for each window. */
async function screencapture(mac: FakeMac, args: readonly string[]): Promise<ProgramResult> {
  const path = String(args.at(-1));
  const target = args.find((arg) => /^-[DRl]./.test(arg)) ?? '-D1';
  const value = target.slice(2);
  const window = target.startsWith('-l') ? mac.windows.find((one) => one.id === Number(value)) : undefined;
  const bounds = target.startsWith('-D')
    ? mac.displays[Number(value) - 1]?.bounds
    : (window?.bounds ?? rectangle(value));
  if (!args.includes('-x')) throw new Error('screencapture: it would make a sound');
  const isWithheld = target.startsWith('-l') && mac.grants.screenRecording !== true;
  if (bounds === undefined || isWithheld || (target.startsWith('-l') && window === undefined)) {
    return fails(target.startsWith('-l') ? 'screencapture-window-refused' : 'screencapture-display-refused');
  }
  if (window !== undefined) mac.captures.set(path, window.id);
  await writeFile(path, await paint(mac, bounds, window === undefined ? mac.windows : [window]));
  return exits('');
}

function rectangle(text: string): Bounds | undefined {
  const [x, y, width, height] = text.split(',').map(Number);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { x, y, width, height };
}

async function paint(mac: FakeMac, bounds: Bounds, windows: readonly FakeWindow[]): Promise<Buffer> {
  const display = mac.displays.find((one) => overlap(one.bounds, bounds) !== null) ?? mac.displays[0];
  const scale = display?.scale ?? 1;
  const isDark = mac.session?.locked || display?.asleep;
  const size = { width: Math.round(bounds.width * scale), height: Math.round(bounds.height * scale) };
  const background = isDark || windows.length === 1 ? RETINA_BLACK : '#336699';
  const shown = isDark || mac.grants.screenRecording !== true ? [] : windows.toReversed();
  const layers = shown.flatMap((window) => layer(window, { bounds, scale }));
  return sharp({ create: { ...size, channels: 3, background } })
    .composite(layers)
    .png()
    .toBuffer();
}

function layer(window: FakeWindow, { bounds, scale }: { bounds: Bounds; scale: number }): OverlayOptions[] {
  const part = overlap(window.bounds, bounds);
  if (part === null) return [];
  const size = { width: Math.round(part.width * scale), height: Math.round(part.height * scale) };
  if (size.width === 0 || size.height === 0) return [];
  const input = { create: { ...size, channels: 3 as const, background: window.color ?? '#eeeeee' } };
  return [{ input, left: Math.round((part.x - bounds.x) * scale), top: Math.round((part.y - bounds.y) * scale) }];
}

function overlap(one: Bounds, other: Bounds): Bounds | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

function lsappinfo(mac: FakeMac, [command]: readonly string[]): ProgramResult {
  const front = mac.frontmostPid === null ? undefined : mac.processOf(mac.frontmostPid);
  if (front === undefined) return exits(recorded('lsappinfo-front-none'));
  if (command === 'front') return exits(recorded('lsappinfo-front'));
  return exits(
    `"pid"=${front.pid}\n"CFBundleIdentifier"="${front.app.bundleId}"\n"LSDisplayName"="${shownName(front.app)}"\n`,
  );
}

function exits(stdout: string): ProgramResult {
  return { kind: 'exited', exitCode: 0, stdout, stderr: '' };
}

export function fails(name: RecordingName, values: Record<string, string> = {}): ProgramResult {
  return { kind: 'exited', exitCode: RECORDINGS[name].exitCode, stdout: '', stderr: recorded(name, values) };
}
