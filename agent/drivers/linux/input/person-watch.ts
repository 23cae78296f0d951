import type { InputDevice, Sync, XInput } from 'x11';
import type { OwnXLine } from '../x-session.ts';

/** Notices input of the person's own devices: of all but the two through which programs make input. */
export type PersonWatch = {
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
export async function createPersonWatch(line: OwnXLine): Promise<PersonWatch | null> {
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
      const known_ = times.filter((time) => time !== null).map(Number);
      return known_.length === 0 ? null : Math.min(...known_);
    },
  };
}

type Counter = { counter: number; name: string };

/** The server gives each pair of master devices such a pair for XTEST (xserver, Xext/xtest.c). */
export function isOurs({ name }: InputDevice): boolean {
  return / XTEST (?:pointer|keyboard)$/.test(name);
}

function numbersOf(devices: readonly InputDevice[], isWanted: (device: InputDevice) => boolean): Set<number> {
  return new Set(devices.filter(isWanted).map(({ deviceId }) => deviceId));
}
