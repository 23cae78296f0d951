import {
  type Attributes,
  type Client,
  type CrtcInfo,
  createClient,
  eventMask,
  type Geometry,
  type OutputInfo,
  type Randr,
  type Rectangle,
  type ScreenResources,
  type XEvent,
  type Xinerama,
} from 'x11';
import type { Bounds } from '../../../src/contract/device.ts';
import { type Ask, createWindowReader, topLevelOf, type WindowPixels, type XLine } from './window-reader.ts';

/** The connection to the X server was lost or could not be made. */
export class DisplayLostError extends Error {
  override name = 'DisplayLostError';
}

type Position = { x: number; y: number };

/**
 * The root window, in pixels and bits a pixel, and its monitors. `monitors` has at least one, the primary one first; a name
 * is `null` when it has none.
 */
export type XLayout = {
  width: number;
  height: number;
  depth: number;
  monitors: { name: string | null; bounds: Rectangle }[];
};

/**
 * Reads where the monitors are, by Xinerama, which also knows monitors that are parts of an output or span several. The
 * names of outputs come from RandR, and are asked for again only when the monitors have changed.
 */
function createMonitorReader(ask: Ask, root: number): () => Promise<XLayout> {
  const xinerama = once(() => ask<Xinerama>((client, reply) => client.require('xinerama', reply)));
  const randr = once(() => ask<Randr>((client, reply) => client.require('randr', reply)));
  let named: { key: string; names: Map<string, string> } = { key: '', names: new Map() };

  async function namesFor(key: string): Promise<Map<string, string>> {
    if (named.key !== key) named = { key, names: await outputNames({ ask, root, randr: await randr() }) };
    return named.names;
  }

  return async () => {
    const extension = await xinerama();
    const [geometry, screens] = await Promise.all([
      ask<Geometry>((client, reply) => client.GetGeometry(root, reply)),
      extension === null ? null : ask<Rectangle[]>((_client, reply) => extension.QueryScreens(reply)),
    ]);
    const { width, height, depth } = geometry ?? { width: 0, height: 0, depth: 0 };
    const areas = screens === null || screens.length === 0 ? [{ x: 0, y: 0, width, height }] : screens;
    const different = new Map(areas.map((area) => [keyOf(area), area]));
    const names = await namesFor([...different.keys()].join());
    const monitors = [...different].map(([key, bounds]) => ({ name: names.get(key) ?? null, bounds }));
    return { width, height, depth, monitors };
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `randr` is `null` when the server does not have that extension. */
type Outputs = { ask: Ask; root: number; randr: Randr | null };

/** The names of the outputs that show something, by the area they show. */
async function outputNames({ ask, root, randr }: Outputs): Promise<Map<string, string>> {
  if (randr === null) return new Map();
  const resources = await ask<ScreenResources>((_client, reply) => randr.GetScreenResourcesCurrent(root, reply));
  const named = await Promise.all(
    (resources?.crtcs ?? []).map(async (id) => {
      const crtc = await ask<CrtcInfo>((_client, reply) => randr.GetCrtcInfo(id, 0, reply));
      const output = crtc?.output[0];
      if (crtc === null || output === undefined) return null;
      const info = await ask<OutputInfo>((_client, reply) => randr.GetOutputInfo(output, 0, reply));
      return info === null ? null : ([keyOf(crtc), info.name] as const);
    }),
  );
  return new Map(named.filter((entry) => entry !== null));
}

function keyOf({ x, y, width, height }: Rectangle): string {
  return `${width}x${height}+${x}+${y}`;
}

/**
 * Questions to one X server. They are sent at once and answered in order, so asking many together costs one round trip. A
 * question about a window answers `null` when that window is gone. All reject with DisplayLostError when the server is.
 */
export type XSession = {
  root: number;
  property(window: number, name: string): Promise<PropertyValue | null>;
  geometry(window: number): Promise<Geometry | null>;
  /** Where a window's top left corner is on the root window. */
  position(window: number): Promise<Position | null>;
  attributes(window: number): Promise<Attributes | null>;
  /** The child of the root window that gets the clicks at a point; it has heard of shapes. */
  childAt(point: Position): Promise<number | null>;
  /** The child of the root window that holds a window: its frame, or the window itself. */
  topLevel(window: number): Promise<number | null>;
  /** The size of the root window and where the monitors are on it. */
  layout(): Promise<XLayout>;
  /** A window's own pixels in an area of the root window. */
  windowPixels(window: number, area: Bounds): Promise<WindowPixels>;
  /** Lowest in the stack first. */
  children(window: number): Promise<number[]>;
  /** The name of an atom that was the value of a property. */
  atom(name: string): Promise<number>;
  /** Asks the window manager for something, as EWMH has it. */
  message(window: number, type: string, values: readonly number[]): Promise<void>;
  /** Sends a message to the program that owns a window, and to no other. */
  tell(window: number, type: string, values: readonly number[]): Promise<void>;
  /** Calls back whenever a property of the root window changes: windows come, go, or are activated. */
  onRootChange(listener: () => void): () => void;
  /** How many changes of the root window there have been. */
  rootChanges(): number;
  isLost(): boolean;
  close(): void;
};

type PropertyValue = { words(): number[]; text(): string; texts(): string[] };

const CONNECT_TIMEOUT_MS = 2_000;
/** While this process is busy it hears no answer. So only time counts in which it listened: of a longer pause, one step. */
const LISTENING_STEP_MS = 50;
const MAX_PROPERTY_WORDS = 16_384;
const ANY_TYPE = 0;
/** An event that nobody could have asked for goes to the client that made the window. */
const TO_ITS_OWNER = 0;
const LATIN1_STRING_ATOM = 31;
/** A place has 16 bits in the protocol. */
const FURTHEST = 32_767;

/** Connects to an X server with the cookie from XAUTHORITY, if it wants one. Rejects with DisplayLostError. */
export async function openXSession(display: string): Promise<XSession> {
  const connection = await connect(display);
  const ask = asker(connection);
  const atoms = new Map<string, Promise<number>>();
  const atom = (name: string) => {
    const known = atoms.get(name) ?? interned(ask, name);
    atoms.set(name, known);
    return known;
  };
  await ask<void>((client, reply) =>
    client.ChangeWindowAttributes(connection.root, { eventMask: eventMask.PropertyChange }, reply),
  );
  let rootChanges = 0;
  connection.client.on('event', () => {
    rootChanges += 1;
  });
  return {
    root: connection.root,
    rootChanges: () => rootChanges,
    atom,
    ...windowQuestions(ask, { atom, root: connection.root }),
    layout: createMonitorReader(ask, connection.root),
    windowPixels: createWindowReader(lineOf(connection, ask)),
    message: async (window, type, values) => {
      const typeAtom = await atom(type);
      if (connection.lost === null) connection.client.SendClientMessage(connection.root, window, typeAtom, 32, values);
    },
    tell: async (window, type, values) => {
      const typeAtom = await atom(type);
      if (connection.lost === null)
        connection.client.SendClientMessage(window, window, typeAtom, 32, values, TO_ITS_OWNER);
    },
    onRootChange(listener) {
      connection.client.on('event', listener);
      return () => connection.client.off('event', listener);
    },
    isLost: () => connection.lost !== null,
    close: () => connection.end(new DisplayLostError('The connection to the display was closed.')),
  };
}

/** A connection of its own for requests that `XSession` has not. */
export type OwnXLine = XLine & {
  /** The lowest and the highest number of a key. */
  keycodes: { first: number; last: number };
  /** The socket to the server. Another process may write whole requests to it once this one no longer does. */
  socket: Client['stream'];
  /** Hands the requests that are made meanwhile to the system in one write, so that it takes all of them or none. */
  together(send: () => void): void;
  onEvent(listener: (event: XEvent) => void): void;
  isLost(): boolean;
  close(): void;
};

/** Rejects with DisplayLostError. */
export async function openXLine(display: string): Promise<OwnXLine> {
  const connection = await connect(display);
  return {
    ...lineOf(connection, asker(connection)),
    keycodes: connection.keycodes,
    socket: connection.client.stream,
    together(send) {
      if (connection.lost !== null) return;
      connection.client.stream.cork();
      send();
      connection.client.stream.uncork();
    },
    onEvent: (listener) => connection.client.on('event', listener),
    isLost: () => connection.lost !== null,
    close: () => connection.end(new DisplayLostError('The connection to the display was closed.')),
  };
}

type Connection = {
  client: Client;
  keycodes: { first: number; last: number };
  root: number;
  lost: DisplayLostError | null;
  waiting: Set<(error: Error) => void>;
  end(error: DisplayLostError): void;
};

function lineOf(connection: Connection, ask: Ask): XLine {
  return {
    ask,
    tell(send) {
      if (connection.lost === null) send(connection.client);
    },
    newId: () => connection.client.AllocID(),
    root: connection.root,
  };
}

async function interned(ask: Ask, name: string): Promise<number> {
  return (await ask<number>((client, reply) => client.InternAtom(false, name, reply))) ?? 0;
}

function windowQuestions(ask: Ask, { atom, root }: { atom(name: string): Promise<number>; root: number }) {
  return {
    async property(window: number, name: string) {
      const id = await atom(name);
      const value = await ask<PropertyReply>((client, reply) =>
        client.GetProperty(0, window, id, ANY_TYPE, 0, MAX_PROPERTY_WORDS, reply),
      );
      return value === null || value.type === 0 ? null : decoded(value);
    },
    geometry: (window: number) => ask<Geometry>((client, reply) => client.GetGeometry(window, reply)),
    async position(window: number) {
      const at = await ask<{ destX: number; destY: number }>((client, reply) =>
        client.TranslateCoordinates(window, root, 0, 0, reply),
      );
      return at === null ? null : { x: at.destX, y: at.destY };
    },
    async childAt({ x, y }: Position) {
      if (![x, y].every((place) => Math.abs(place) <= FURTHEST)) return null;
      const under = await ask<{ child: number }>((client, reply) =>
        client.TranslateCoordinates(root, root, Math.floor(x), Math.floor(y), reply),
      );
      return under === null || under.child === 0 ? null : under.child;
    },
    topLevel: (window: number) => topLevelOf(ask, root, window),
    attributes: (window: number) => ask<Attributes>((client, reply) => client.GetWindowAttributes(window, reply)),
    async children(window: number) {
      const tree = await ask<{ children: number[] }>((client, reply) => client.QueryTree(window, reply));
      return tree?.children ?? [];
    },
  };
}

type PropertyReply = { type: number; format: number; data: Buffer };

function decoded({ type, data }: PropertyReply): PropertyValue {
  const text = () => data.toString(type === LATIN1_STRING_ATOM ? 'latin1' : 'utf8');
  return {
    words: () => Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4)),
    text: () => text().replace(/\0[\s\S]*$/, ''),
    texts: () => text().replace(/\0$/, '').split('\0'),
  };
}

function asker(connection: Connection): Ask {
  return (send) =>
    new Promise((resolve, reject) => {
      if (connection.lost !== null) return reject(connection.lost);
      connection.waiting.add(reject);
      send(connection.client, (error, value) => {
        connection.waiting.delete(reject);
        // The only error the server gives to these questions is that the window is gone.
        resolve(error === null || error === undefined ? value : null);
        return true;
      });
    });
}

function connect(display: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const give = (reason: string, cause?: unknown) => {
      clearInterval(listening);
      const error = new DisplayLostError(`The display ${display} ${reason}.`, { cause });
      connection.end(error);
      reject(error);
    };
    let leftMs = CONNECT_TIMEOUT_MS;
    const listening = setInterval(() => {
      leftMs -= LISTENING_STEP_MS;
      if (leftMs <= 0) give('did not answer');
    }, LISTENING_STEP_MS);
    const connection: Connection = {
      client: createClient({ display, disableBigRequests: true, shm: false }, (error, connected) => {
        if (error !== undefined) return give('cannot be reached', error);
        clearInterval(listening);
        // The package keeps one list for all connections, but each server numbers its atoms in its own way.
        connection.client.atoms = { ...connection.client.atoms };
        connection.root = connected.screen[0]?.root ?? 0;
        connection.keycodes = { first: connected.min_keycode, last: connected.max_keycode };
        resolve(connection);
      }),
      root: 0,
      keycodes: { first: 8, last: 255 },
      lost: null,
      waiting: new Set(),
      end(error) {
        this.lost ??= error;
        this.client.stream?.destroy();
        for (const fail of this.waiting) fail(this.lost);
        this.waiting.clear();
      },
    };
    connection.client.on('end', () => give('went away'));
    connection.client.on('error', (error: unknown) => {
      // A window that went away between two questions is an error of the protocol, not of the connection.
      if (!isProtocolError(error)) give('cannot be used', error);
    });
  });
}

function isProtocolError(error: unknown): boolean {
  return error instanceof Error && 'error' in error && typeof error.error === 'number';
}
