/** The part of the untyped package `x11` that is used here: requests answer through a callback, in the order sent. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';

  /** Answers whether it took care of an error; an error nobody took care of becomes an `error` event. */
  export type Reply<Value> = (error: Error | null, value: Value) => boolean;

  export type Property = { type: number; format: 0 | 8 | 16 | 32; bytesAfter: number; data: Buffer };
  export type Geometry = {
    depth: number;
    xPos: number;
    yPos: number;
    width: number;
    height: number;
    borderWidth: number;
  };
  export type Translated = { destX: number; destY: number; child: number };
  export type Attributes = { mapState: 0 | 1 | 2; overrideRedirect: 0 | 1; klass: number };
  export type Rectangle = { x: number; y: number; width: number; height: number };
  export type Tree = { root: number; parent: number; children: number[] };

  export type Client = EventEmitter & {
    stream: import('node:net').Socket;
    /** Numbers by name: the atoms every server has, and those this client has learned. */
    atoms: Record<string, number>;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    GetProperty(
      remove: 0 | 1,
      window: number,
      property: number,
      type: number,
      offsetWords: number,
      lengthWords: number,
      reply: Reply<Property>,
    ): void;
    GetGeometry(drawable: number, reply: Reply<Geometry>): void;
    TranslateCoordinates(from: number, to: number, x: number, y: number, reply: Reply<Translated>): void;
    GetWindowAttributes(window: number, reply: Reply<Attributes>): void;
    QueryTree(window: number, reply: Reply<Tree>): void;
    ChangeWindowAttributes(window: number, values: { eventMask: number }, reply: Reply<void>): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: 32,
      data: readonly number[],
      eventMask?: number,
    ): void;
    AllocID(): number;
    CreateWindow(
      window: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      borderWidth?: 0,
      depth?: 0,
      windowClass?: 0,
      visual?: 0,
      values?: { eventMask: number; overrideRedirect?: 1 },
    ): void;
    SetInputFocus(window: number, revertTo: 0): void;
    DestroyWindow(window: number): void;
    MapWindow(window: number): void;
    ChangeProperty(
      mode: 0,
      window: number,
      property: number,
      type: number,
      format: 8 | 16 | 32,
      value: string | Buffer | readonly number[],
    ): void;
    DeleteProperty(window: number, property: number): void;
    QueryPointer(window: number, reply: Reply<PointerState>): void;
    /** A row of symbols for each key. */
    GetKeyboardMapping(firstKeycode: number, count: number, reply: Reply<number[][]>): void;
    GetInputFocus(reply: Reply<{ focus: number }>): void;
    SetSelectionOwner(owner: number, selection: number, timestamp?: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    ConvertSelection(requestor: number, selection: number, target: number, property: number, timestamp?: number): void;
    SendEvent(destination: number, propagate: 0, eventMask: 0, event: SelectionNotify & { type: 31; seq: 0 }): void;
    GrabServer(): void;
    UngrabServer(): void;
    /** Hands every request that was made so far to the system. */
    flush(handed: () => void): void;
    GetImage(
      format: 2,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      reply: Reply<PixelImage>,
    ): void;
    CreateGC(context: number, drawable: number, values: { foreground: number; graphicsExposures: 0 }): void;
    FreeGC(context: number): void;
    FreePixmap(pixmap: number): void;
    /** Left, top, width and height of each rectangle. */
    PolyFillRectangle(drawable: number, context: number, rectangles: readonly number[]): void;
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: 0 | 1): void;
    require(extension: 'composite', reply: Reply<Composite>): void;
    require(extension: 'shape', reply: Reply<Shape>): void;
    require(extension: 'xinerama', reply: Reply<Xinerama>): void;
    require(extension: 'randr', reply: Reply<Randr>): void;
    require(extension: 'xtest', reply: Reply<XTest>): void;
    require(extension: 'xinput', reply: Reply<XInput>): void;
    require(extension: 'sync', reply: Reply<Sync>): void;
    terminate(): void;
    /** For a request that the package lacks: its number, its bytes, and how the rest of the answer after 8 bytes is read. */
    seq_num: number;
    pack_stream: { put(request: Buffer): void; submit(expectsReply: true): void };
    replies: Record<number, [read: (rest: Buffer) => unknown, reply: (error: Error | null, value: Buffer) => boolean]>;
  };

  export type PixelImage = { depth: number; data: Buffer };

  export type Composite = {
    RedirectWindow(window: number, update: 0): void;
    UnredirectWindow(window: number): void;
    NameWindowPixmap(window: number, pixmap: number): void;
  };

  export type ShapeRectangles = { rectangles: [number, number, number, number][] };
  export type Shape = {
    Rectangles(how: 0, kind: 0, window: number, x: number, y: number, parts: [number, number, number, number][]): void;
    QueryExtents(window: number, reply: Reply<{ boundingShaped: boolean }>): void;
    GetRectangles(window: number, kind: 0, reply: Reply<ShapeRectangles>): void;
  };

  export type Xinerama = { QueryScreens(reply: Reply<Rectangle[]>): void };

  export type ScreenResources = { crtcs: readonly number[] };
  export type CrtcInfo = Rectangle & { output: readonly number[] };
  export type OutputInfo = { name: string };
  export type Randr = {
    GetScreenResourcesCurrent(window: number, reply: Reply<ScreenResources>): void;
    GetCrtcInfo(crtc: number, timestamp: number, reply: Reply<CrtcInfo>): void;
    GetOutputInfo(output: number, timestamp: number, reply: Reply<OutputInfo>): void;
  };

  export type PointerState = { rootX: number; rootY: number; keyMask: number };

  export type XTest = {
    majorOpcode: number;
    FakeInput(type: 2 | 3 | 4 | 5 | 6, detail: number, delayMs: number, root: number, x: number, y: number): void;
  };

  export type InputDevice = { deviceId: number; use: number; name: string };
  export type XInput = {
    majorOpcode: number;
    firstEvent: number;
    XIQueryDevice(deviceId: 0, reply: Reply<InputDevice[]>): void;
    XISelectEvents(window: number, masks: { deviceId: number; mask: readonly string[] }): void;
  };

  /** The server's own counters; `IDLETIME` and one for each device count milliseconds without input. */
  export type Sync = {
    ListSystemCounters(reply: Reply<{ counter: number; name: string }[]>): void;
    QueryCounter(counter: number, reply: Reply<number | bigint>): void;
  };

  export type SelectionNotify = {
    time: number;
    requestor: number;
    selection: number;
    target: number;
    property: number;
  };
  export type SelectionRequest = SelectionNotify & { name: 'SelectionRequest'; owner: number };
  /** `state` 0: the property has a new value, 1: it was deleted. */
  export type PropertyNotify = { name: 'PropertyNotify'; wid: number; atom: number; state: 0 | 1 };
  export type RawInput = { name: 'XIRawMotion' | 'XIRawButtonPress' | 'XIRawKeyPress'; sourceId: number };
  /** The other events are used only by their name. */
  export type XEvent = SelectionRequest | (SelectionNotify & { name: 'SelectionNotify' }) | PropertyNotify | RawInput;

  export type Connected = {
    client: Client;
    screen: readonly { root: number }[];
    min_keycode: number;
    max_keycode: number;
  };

  export function createClient(
    options: { display: string; disableBigRequests: true; shm: false },
    reply: (error: Error | undefined, display: Connected) => void,
  ): Client;

  export const eventMask: { PropertyChange: number };
}
