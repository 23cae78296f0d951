import type { Client, InputDevice, Reply, XInput } from 'x11';
import type { OwnXLine } from '../x-session.ts';
import type { Held } from './fake-events.ts';
import { isOurs } from './person-watch.ts';

const ALL_DEVICES = 0;
const QUERY_DEVICE_STATE = 30;
const REQUEST_BYTES = 8;
/** Of the answer's first 32 bytes, those after the first 8. */
const HEADER_BYTES = 24;
const KEYS = 0;
const BUTTONS = 1;
/** Before the bits of a class: its number, its length, how many there are, and one unused byte. */
const BITS_AT = 4;
const BITS_END = 36;

/** The keys and buttons that are down on the devices of XTEST. Those on the person's own devices are not among them. */
export async function heldByPrograms(line: OwnXLine): Promise<Set<Held>> {
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
  const request = Buffer.alloc(REQUEST_BYTES);
  request[0] = opcode;
  request[1] = QUERY_DEVICE_STATE;
  request.writeUInt16LE(REQUEST_BYTES / 4, 2);
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
    if (kind === KEYS || kind === BUTTONS) {
      const name = kind === KEYS ? 'key' : 'button';
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
