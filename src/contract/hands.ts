import { type Static, Type } from 'typebox';
import { MAX_ELEMENT_ID } from './control-name.ts';
import { Bounds } from './device.ts';
import { MAX_CHORD } from './key-chords.ts';
import { closed, oneOf } from './literals.ts';
import { ScreenWindow } from './screen.ts';
import { ACCESS_MINUTES } from './times.ts';
import { MAX_ADDRESS, MOST_SITES } from './web-address.ts';

/** Parameters and results of the actions by pointer, keyboard and windows. */

export const MAX_TYPED = 10_000;

const FrameId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'of the picture with x, y',
});
const ElementId = Type.String({ minLength: 1, maxLength: MAX_ELEMENT_ID, description: '@ref or id' });
const Coordinate = Type.Number({ minimum: -65_536, maximum: 65_536 });
const WindowId = Type.String({ minLength: 1, maxLength: 64 });
const Modifiers = Type.Array(oneOf(['cmd', 'ctrl', 'alt', 'shift']), { maxItems: 4, uniqueItems: true });
const Button = oneOf(['left', 'middle', 'right']);

/** A place: an element, or a point in the pixels of a frame's picture; without a frame, a point of the desktop. */
export const Place = Type.Object(
  {
    elementId: Type.Optional(ElementId),
    frameId: Type.Optional(FrameId),
    x: Type.Optional(Coordinate),
    y: Type.Optional(Coordinate),
  },
  closed,
);
export type Place = Static<typeof Place>;

const place = Place.properties;

export const ClickParameters = Type.Object(
  {
    ...place,
    button: Type.Optional(Button),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    modifiers: Type.Optional(Modifiers),
  },
  closed,
);
export type ClickParameters = Static<typeof ClickParameters>;

export const MovePointerParameters = Type.Object(place, closed);
export type MovePointerParameters = Static<typeof MovePointerParameters>;

export const DragParameters = Type.Object(
  {
    from: Place,
    to: Place,
    button: Type.Optional(Button),
    modifiers: Type.Optional(Modifiers),
  },
  closed,
);
export type DragParameters = Static<typeof DragParameters>;

/** What a wheel over it changes, instead of scrolling what it is in. */
export const TURNED_BY_WHEEL: ReadonlySet<string> = new Set(['slider', 'spinbutton', 'combobox']);

export const ScrollParameters = Type.Object(
  {
    ...place,
    dx: Type.Optional(Type.Integer({ minimum: -100, maximum: 100, description: 'notches to the right' })),
    dy: Type.Optional(Type.Integer({ minimum: -100, maximum: 100, description: 'notches down' })),
  },
  closed,
);
export type ScrollParameters = Static<typeof ScrollParameters>;

export const TypeTextParameters = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: MAX_TYPED }),
    ...place,
    clear: Type.Optional(Type.Boolean({ description: 'replaces what the field holds' })),
  },
  closed,
);
export type TypeTextParameters = Static<typeof TypeTextParameters>;

export const PressKeysParameters = Type.Object(
  {
    keys: Type.String({ minLength: 1, maxLength: MAX_CHORD, description: 'such as "cmd+shift+s" or "enter"' }),
    repeat: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    holdMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000 })),
  },
  closed,
);
export type PressKeysParameters = Static<typeof PressKeysParameters>;

export const SetValueParameters = Type.Object(
  { elementId: ElementId, value: Type.String({ maxLength: MAX_TYPED }) },
  closed,
);
export type SetValueParameters = Static<typeof SetValueParameters>;

export const InvokeMenuParameters = Type.Object(
  {
    windowId: WindowId,
    path: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 8,
      description: 'names from the menu bar down: ["File", "Save As…"]',
    }),
  },
  closed,
);
export type InvokeMenuParameters = Static<typeof InvokeMenuParameters>;

export const ListWindowsParameters = Type.Object({}, closed);

/** The parameters of FocusWindow, MinimizeWindow and CloseWindow. */
export const WindowParameters = Type.Object({ windowId: WindowId }, closed);
export type WindowParameters = Static<typeof WindowParameters>;

export const MoveWindowParameters = Type.Object({ windowId: WindowId, bounds: Bounds }, closed);
export type MoveWindowParameters = Static<typeof MoveWindowParameters>;

export const WaitForParameters = Type.Object(
  {
    windowTitle: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'a part of the title' })),
    element: Type.Optional(
      Type.Object(
        { role: Type.Optional(Type.String({ maxLength: 64 })), name: Type.String({ maxLength: 200 }) },
        closed,
      ),
    ),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'a part of a text on the screen' })),
    gone: Type.Optional(Type.Boolean({ description: 'until it is no longer there' })),
    stableMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  },
  closed,
);
export type WaitForParameters = Static<typeof WaitForParameters>;

export const OpenUrlParameters = Type.Object({ url: Type.String({ minLength: 1, maxLength: MAX_ADDRESS }) }, closed);
export type OpenUrlParameters = Static<typeof OpenUrlParameters>;

export const ReadClipboardParameters = Type.Object({}, closed);
export const WriteClipboardParameters = Type.Object({ text: Type.String({ maxLength: 1_000_000 }) }, closed);
export type WriteClipboardParameters = Static<typeof WriteClipboardParameters>;

export const RequestAccessParameters = Type.Object(
  {
    apps: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10, uniqueItems: true }),
    allow: oneOf(['look', 'input'], {
      description: 'look: pictures and texts of its windows; input: also clicks and keys in them',
    }),
    sites: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
        minItems: 1,
        maxItems: MOST_SITES,
        uniqueItems: true,
        description: 'in a browser: hosts, such as mail.example.org',
      }),
    ),
    minutes: Type.Integer({ minimum: ACCESS_MINUTES.least, maximum: ACCESS_MINUTES.most }),
  },
  closed,
);
export type RequestAccessParameters = Static<typeof RequestAccessParameters>;

/** The end of an input action, beside its outcome. `delivered`: whether the desktop got it. */
export const Delivery = Type.Object(
  {
    delivered: oneOf(['yes', 'no', 'unknown']),
    safeToRepeat: Type.Boolean({ description: 'whether doing it again can do no harm' }),
  },
  closed,
);
export type Delivery = Static<typeof Delivery>;

/** How long an input, and a look that is asked to, waits for the screen to come to rest. */
export const SETTLE_WITHIN_MS = { input: 500, look: 2_000 } as const;

export const InputResult = Type.Object(
  {
    ...Delivery.properties,
    typedCharacters: Type.Optional(Type.Integer()),
    settled: Type.Optional(Type.Boolean({ description: 'whether nothing on the screen changed for 100 ms after it' })),
  },
  { ...closed, description: 'the result of an action by pointer, keyboard or windows' },
);
export type InputResult = Static<typeof InputResult>;

export const WindowList = Type.Object(
  { windows: Type.Array(ScreenWindow) },
  { ...closed, description: 'the result of ListWindows' },
);
export type WindowList = Static<typeof WindowList>;

export const ClipboardText = Type.Object(
  { text: Type.String(), complete: Type.Boolean() },
  { ...closed, description: 'the result of ReadClipboard' },
);
export type ClipboardText = Static<typeof ClipboardText>;

export const GrantedAccess = Type.Object(
  {
    apps: Type.Array(Type.String()),
    allow: oneOf(['look', 'input']),
    sites: Type.Optional(Type.Array(Type.String())),
    minutes: Type.Integer(),
  },
  { ...closed, description: 'the result of RequestAccess' },
);
export type GrantedAccess = Static<typeof GrantedAccess>;
