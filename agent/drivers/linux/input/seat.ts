import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Client, InputDevice, PointerState, Reply, Sync, XInput, XTest } from 'x11';
import type { Point } from '../../../../src/contract/picture-frames.ts';
import { DisplayLostError, type OwnXLine, openXLine } from '../x-session.ts';
import type { KeyboardLayout } from './keyboard.ts';

/** One event of the XTEST extension. */
export type FakeEvent =
  | { kind: 'key'; keycode: number; isDown: boolean }
  | { kind: 'button'; button: number; isDown: boolean }
  | { kind: 'motion'; x: number; y: number };

/** A key or button that is down: `key 38`, `button 1`. */
type Held = string;

export function isHolding(events: readonly FakeEvent[], before: ReadonlySet<Held>): Set<Held> {
  const held = new Set(before);
  for (const event of events) {
    if (event.kind === 'motion') continue;
    const name = nameOf(event);
    if (event.isDown) held.add(name);
    else held.delete(name);
  }
  return held;
}

/** Everything that is down before one of the events or after it. */
function mayBeHeld(events: readonly FakeEvent[], before: ReadonlySet<Held>): Set<Held> {
  return isHolding(
    events.filter((event) => event.kind !== 'motion' && event.isDown),
    before,
  );
}

/** Lets go of everything, the last one pressed first. */
export function releaseOf(held: ReadonlySet<Held>): FakeEvent[] {
  return [...held].reverse().map((name) => {
    const number = Number(name.split(' ')[1]);
    return name.startsWith('key')
      ? { kind: 'key', keycode: number, isDown: false }
      : { kind: 'button', button: number, isDown: false };
  });
}

/** The number that XTEST has for an event, and its detail. */
function wireOf(event: FakeEvent): { type: 2 | 3 | 4 | 5 | 6; detail: number; x: number; y: number } {
  switch (event.kind) {
    case 'key':
      return { type: event.isDown ? 2 : 3, detail: event.keycode, x: 0, y: 0 };
    case 'button':
      return { type: event.isDown ? 4 : 5, detail: event.button, x: 0, y: 0 };
    case 'motion':
      return { type: 6, detail: 0, x: event.x, y: event.y };
  }
}

function nameOf(event: Exclude<FakeEvent, { kind: 'motion' }>): Held {
  return event.kind === 'key' ? `key ${event.keycode}` : `button ${event.button}`;
}

/** Notices input of the person's own devices: of all but the two through which programs make input. */
type PersonWatch = {
  /** Calls back at each input of the person, until it is told to stop. */
  begin(listener: () => void): () => void;
  /** Milliseconds since the person's last input; `null` where the server does not count them. */
  idleMs(): Promise<number | null>;
};

const ALL_DEVICES = 0;
const ALL_MASTER_DEVICES = 1;
const SLAVES = [3, 4, 5];
const RAW_INPUT = ['RawKeyPress', 'RawButtonPress', 'RawMotion', 'RawTouchBegin'];
const RAW_NAMES = new Set(RAW_INPUT.map((name) => `XI${name}`));
/** Idle counters of devices are named by the number of the device. */
const COUNTER = /^DEVICEIDLETIME (\d+)$/;

/** `null` where the server lacks the extension of input devices. */
async function createPersonWatch(line: OwnXLine): Promise<PersonWatch | null> {
  const [input, sync] = await Promise.all([
    line.ask<XInput>((client, reply) => client.require('xinput', reply)),
    line.ask<Sync>((client, reply) => client.require('sync', reply)),
  ]);
  if (input === null) return null;
  const devices = () => line.ask<InputDevice[]>((_client, reply) => input.XIQueryDevice(ALL_DEVICES, reply));
  const listeners = new Set<() => void>();
  let ours = numbersOf((await devices()) ?? [], isOurs);
  line.onEvent((event) => {
    if ('sourceId' in event && RAW_NAMES.has(event.name) && !ours.has(event.sourceId))
      for (const listener of listeners) listener();
  });
  const select = (mask: readonly string[]) =>
    line.tell(() => input.XISelectEvents(line.root, { deviceId: ALL_MASTER_DEVICES, mask }));
  return {
    begin(listener) {
      if (listeners.size === 0) select(RAW_INPUT);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) select([]);
      };
    },
    async idleMs() {
      const [known, counters] = await Promise.all([
        devices(),
        sync === null ? null : line.ask<Counter[]>((_client, reply) => sync.ListSystemCounters(reply)),
      ]);
      if (sync === null || known === null || counters === null) return null;
      ours = numbersOf(known, isOurs);
      const theirs = numbersOf(known, (device) => SLAVES.includes(device.use) && !isOurs(device));
      const wanted = counters.filter(({ name }) => theirs.has(Number(COUNTER.exec(name)?.[1])));
      const times = await Promise.all(
        wanted.map(({ counter }) => line.ask<number | bigint>((_client, reply) => sync.QueryCounter(counter, reply))),
      );
      const counted = times.filter((time) => time !== null).map(Number);
      return counted.length === 0 ? null : Math.min(...counted);
    },
  };
}

type Counter = { counter: number; name: string };

/** The server gives each pair of master devices such a pair for XTEST (xserver, Xext/xtest.c). */
function isOurs({ name }: InputDevice): boolean {
  return / XTEST (?:pointer|keyboard)$/.test(name);
}

function numbersOf(devices: readonly InputDevice[], isWanted: (device: InputDevice) => boolean): Set<number> {
  return new Set(devices.filter(isWanted).map(({ deviceId }) => deviceId));
}

/** Pointer and keyboard of one X server. Rejects with DisplayLostError when the server is gone. */
export type Seat = {
  line: OwnXLine;
  person: PersonWatch | null;
  layout(): Promise<KeyboardLayout>;
  state(): Promise<{ pointer: Point; modifiers: number; held: boolean }>;
  /** The window that has the keyboard. */
  holder(): Promise<number>;
  /**
   * Resolves when the server has taken all of them. All keys and buttons are let go even if this process is killed in the middle. With
   * `only`, nothing is sent and the answer is false while another window has the keyboard.
   */
  send(events: readonly FakeEvent[], only?: number): Promise<boolean>;
  /** Lets go of everything that `send` left down. */
  releaseAll(): Promise<void>;
  isLost(): boolean;
  close(): Promise<void>;
};

const CAPS_LOCK = 2;
/** Shift, Control and the five others, without Caps Lock (2) and NumLock (16). */
const HELD_MODIFIERS = 1 | 4 | 8 | 32 | 64 | 128;
const BUTTONS = 0x1f00;

const QUERY_DEVICE_STATE = 30;
const QUERY_BYTES = 8;
/** Of the answer's first 32 bytes, those after the first 8. */
const HEADER_BYTES = 24;
const KEY_CLASS = 0;
const BUTTON_CLASS = 1;
/** Before the bits of a class: its number, its length, how many there are, and one unused byte. */
const BITS_AT = 4;
const BITS_END = 36;

/** The keys and buttons that are down on the devices of XTEST. Those on the person's own devices are not among them. */
async function heldByPrograms(line: OwnXLine): Promise<Set<Held>> {
  const input = await line.ask<XInput>((client, reply) => client.require('xinput', reply));
  if (input === null) return new Set();
  const devices = await line.ask<InputDevice[]>((_client, reply) => input.XIQueryDevice(ALL_DEVICES, reply));
  const states = await Promise.all(
    (devices ?? [])
      .filter(isOurs)
      .map(({ deviceId }) =>
        line.ask<Buffer>((client, reply) => queryState(client, { opcode: input.majorOpcode, deviceId }, reply)),
      ),
  );
  return new Set(states.flatMap((state) => (state === null ? [] : downIn(state))));
}

/** The package lacks this request of the first version of XInput; the second one tells of buttons only. */
function queryState(
  client: Client,
  { opcode, deviceId }: { opcode: number; deviceId: number },
  reply: Reply<Buffer>,
): void {
  const request = Buffer.alloc(QUERY_BYTES);
  request[0] = opcode;
  request[1] = QUERY_DEVICE_STATE;
  request.writeUInt16LE(QUERY_BYTES / 4, 2);
  request[4] = deviceId;
  client.seq_num += 1;
  client.pack_stream.put(request);
  client.replies[client.seq_num] = [(rest) => Buffer.from(rest), reply];
  client.pack_stream.submit(true);
}

function downIn(state: Buffer): Held[] {
  const found: Held[] = [];
  const classes = state[0] ?? 0;
  for (let count = 0, at = HEADER_BYTES; count < classes && at + BITS_AT <= state.length; count += 1) {
    const [kind, length = 0] = state.subarray(at, at + 2);
    if (kind === KEY_CLASS || kind === BUTTON_CLASS) {
      const name = kind === KEY_CLASS ? 'key' : 'button';
      found.push(...setBits(state.subarray(at + BITS_AT, at + BITS_END)).map((number) => `${name} ${number}`));
    }
    if (length === 0) break;
    at += length;
  }
  return found;
}

function setBits(bytes: Buffer): number[] {
  return [...bytes].flatMap((byte, index) =>
    Array.from({ length: 8 }, (_, bit) => bit).flatMap((bit) => ((byte >> bit) & 1 ? [index * 8 + bit] : [])),
  );
}

/**
 * Lets go of held keys and buttons when this process dies, also by a kill that it cannot notice. The X server keeps a key of a lost program
 * down. So a program of its own holds a connection to the server, and at the end of its input it writes the last
 * requests that it got there: `tail -c` does just that.
 */
type ReleaseGuard = {
  /** Resolves when the guard has the events to post if this process dies. With an empty list it posts nothing. */
  arm(releases: readonly FakeEvent[]): Promise<void>;
  /** Somebody ended it. */
  isLost(): boolean;
  close(): Promise<void>;
};

/** More keys and buttons than a hand has fingers. */
const MOST_HELD = 40;
const REQUEST_BYTES = 36;
const NO_OPERATION = 127;

/** `display` is the server that the guard writes to, `opcode` the number that this server has for XTEST. Rejects where it cannot start. */
async function startReleaseGuard(display: string, opcode: number): Promise<ReleaseGuard> {
  const line = await openXLine(display);
  const child = spawnTail(line);
  await once(child, 'spawn');
  child.unref();
  // A guard that was ended is noticed before the next key is pressed.
  child.stdin?.on('error', () => undefined);
  const isLost = () => child.exitCode !== null || child.signalCode !== null;
  return {
    isLost,
    arm: (releases) => write(child, blockOf(releases, opcode)),
    async close() {
      if (isLost()) return line.close();
      const ended = once(child, 'exit');
      await write(child, blockOf([], opcode));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      line.close();
    },
  };
}

/**
 * In a session of its own, so that it outlives this process when the whole group is killed. The server drops what it has not read of a
 * connection that is closed (xserver, os/connection.c), so the connection stays open for a moment.
 */
function spawnTail(line: OwnXLine): ChildProcess {
  const script = `tail -c ${MOST_HELD * REQUEST_BYTES}; exec sleep 1`;
  return spawn('sh', ['-c', script], { stdio: ['pipe', line.socket, 'ignore'], detached: true });
}

function write(child: ChildProcess, block: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdin?.write(block, (error) => (error ? reject(error) : resolve()));
  });
}

/** Requests of equal length, the rest of them without effect. */
function blockOf(releases: readonly FakeEvent[], opcode: number): Buffer {
  if (releases.length > MOST_HELD) throw new Error(`expected at most ${MOST_HELD} held keys, got ${releases.length}`);
  return Buffer.concat(Array.from({ length: MOST_HELD }, (_, index) => requestOf(releases[index], opcode)));
}

function requestOf(event: FakeEvent | undefined, opcode: number): Buffer {
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeUInt16LE(REQUEST_BYTES / 4, 2);
  if (event === undefined) {
    request[0] = NO_OPERATION;
    return request;
  }
  const { type, detail } = wireOf(event);
  request[0] = opcode;
  request[1] = 2;
  request[4] = type;
  request[5] = detail;
  return request;
}

export async function openSeat(display: string): Promise<Seat> {
  const line = await openXLine(display);
  const test = await line.ask<XTest>((client, reply) => client.require('xtest', reply));
  if (test === null) {
    line.close();
    throw new DisplayLostError(`The display ${display} has no XTEST extension.`);
  }
  let held: ReadonlySet<Held> = new Set();
  let guard: Promise<ReleaseGuard> | undefined;
  const pointer = () => known(line.ask<PointerState>((client, reply) => client.QueryPointer(line.root, reply)));
  async function guardNow(): Promise<ReleaseGuard> {
    const start = () => startReleaseGuard(display, test?.majorOpcode ?? 0);
    guard = guard === undefined ? start() : guard.then((known) => (known.isLost() ? start() : known), start);
    return guard;
  }

  async function holder(): Promise<number> {
    return (await known(line.ask<{ focus: number }>((client, reply) => client.GetInputFocus(reply)))).focus;
  }

  async function send(events: readonly FakeEvent[], only?: number): Promise<boolean> {
    // The server may take a part of the events and drop the rest, when this process dies. So a press is guarded before it is sent.
    const down = mayBeHeld(events, held);
    if (down.size > 0) await (await guardNow()).arm(releaseOf(down));
    const isTheirs = only === undefined || (await holder()) === only; // guard N34-1
    if (isTheirs) {
      held = isHolding(events, held);
      line.together(() => {
        for (const event of events) {
          const { type, detail, x, y } = wireOf(event);
          test?.FakeInput(type, detail, 0, 0, x, y);
        }
      });
      await holder();
    }
    if (held.size < down.size) await (await guardNow()).arm(releaseOf(held));
    return isTheirs;
  }
  // A program that was killed with its guard may have left them down.
  await send(releaseOf(await heldByPrograms(line))); // guard N33-1
  return {
    line,
    person: await createPersonWatch(line),
    holder,
    send,
    async layout() {
      const { first, last } = line.keycodes;
      const [rows, { keyMask }] = await Promise.all([
        known(line.ask<number[][]>((client, reply) => client.GetKeyboardMapping(first, last - first + 1, reply))),
        pointer(),
      ]);
      return { firstKeycode: first, rows, group: (keyMask >> 13) & 3, hasCapsLock: (keyMask & CAPS_LOCK) !== 0 };
    },
    async state() {
      const { rootX, rootY, keyMask } = await pointer();
      const modifiers = keyMask & HELD_MODIFIERS;
      return { pointer: { x: rootX, y: rootY }, modifiers, held: modifiers !== 0 || (keyMask & BUTTONS) !== 0 };
    },
    async releaseAll() {
      if (held.size > 0) await send(releaseOf(held));
    },
    isLost: () => line.isLost(),
    async close() {
      await (await guard?.catch(() => undefined))?.close();
      line.close();
    },
  };
}

async function known<Value>(answer: Promise<Value | null>): Promise<Value> {
  const value = await answer;
  if (value === null) throw new DisplayLostError('The display refused a question about the keyboard.');
  return value;
}
