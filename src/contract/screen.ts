import { type Static, Type } from 'typebox';
import { Bounds, Display } from './device.ts';
import { FileDialog } from './file-dialog.ts';
import { closed, oneOf } from './literals.ts';
import { Frame } from './picture-frames.ts';
import { RiskLevel } from './risk-level.ts';
import { MOST_DOCUMENTS } from './web-address.ts';

/** Why something that is on the screen is not told at its place; the code of one of the `degradedReasons`. */
export const Missing = oneOf(
  [
    'accessibility_off',
    'app_slow',
    'contents_left_out',
    'drawn',
    'elements_cut',
    'own_page',
    'page_without_tree',
    'permission_missing_accessibility',
    'read_by_ocr',
    'text_cut',
    'text_unread',
    'window_without_tree',
  ],
  { description: 'why a part of it is not told here' },
);
export type Missing = Static<typeof Missing>;

export const ScreenWindow = Type.Object(
  {
    id: Type.String(),
    app: Type.String(),
    pid: Type.Union([Type.Integer(), Type.Null()]),
    title: Type.String(),
    bounds: Bounds,
    focused: Type.Boolean(),
    onScreen: Type.Boolean(),
    zIndex: Type.Integer({ description: '0 is in front' }),
    missing: Type.Optional(Missing),
  },
  closed,
);
export type ScreenWindow = Static<typeof ScreenWindow>;

/** One accessible element. `role` is an ARIA role name on every platform. */
export const ScreenElement = Type.Object(
  {
    id: Type.String(),
    role: Type.String(),
    name: Type.String(),
    value: Type.Optional(Type.String()),
    bounds: Type.Union([Bounds, Type.Null()]),
    enabled: Type.Boolean(),
    focused: Type.Boolean(),
    actions: Type.Array(Type.String()),
    windowId: Type.Union([Type.String(), Type.Null()]),
    parentId: Type.Union([Type.String(), Type.Null()]),
    depth: Type.Integer(),
    beyond: Type.Optional(
      Type.Object(
        { above: Type.Integer(), below: Type.Integer() },
        { ...closed, description: 'entries of a list that are not told; all as below where none is' },
      ),
    ),
    missing: Type.Optional(Missing),
  },
  closed,
);
export type ScreenElement = Static<typeof ScreenElement>;

export const ScreenText = Type.Object(
  {
    text: Type.String(),
    bounds: Bounds,
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    windowId: Type.Optional(Type.String()),
  },
  closed,
);
export type ScreenText = Static<typeof ScreenText>;

/** A reason why the description is incomplete, with advice for the person. */
export const DegradedReason = Type.Object(
  { code: Type.String(), message: Type.String(), fix: Type.Optional(Type.String()) },
  closed,
);
export type DegradedReason = Static<typeof DegradedReason>;

export const ScreenApp = Type.Object(
  { name: Type.String(), pid: Type.Union([Type.Integer(), Type.Null()]), frontmost: Type.Boolean() },
  closed,
);
export type ScreenApp = Static<typeof ScreenApp>;

const SETTLED = Type.Boolean({ description: 'with `settle`: whether nothing changed for 100 ms before it' });

/** The data of DescribeScreen, one shape on every platform. */
export const ScreenDescription = Type.Object(
  {
    displays: Type.Array(Display),
    frontmostApp: Type.Union([Type.String(), Type.Null()]),
    apps: Type.Array(ScreenApp),
    windows: Type.Array(ScreenWindow),
    elements: Type.Array(ScreenElement),
    text: Type.Array(ScreenText),
    focusedElement: Type.Union([Type.String(), Type.Null()]),
    frameId: Type.String(),
    frame: Type.Optional(Frame),
    settled: Type.Optional(SETTLED),
    complete: Type.Boolean(),
    degradedReasons: Type.Array(DegradedReason),
  },
  { ...closed, description: 'the result of DescribeScreen' },
);
export type ScreenDescription = Static<typeof ScreenDescription>;

/** The data of DescribeScreen in the form of text: a line a node, indented. */
export const ScreenOutline = Type.Object(
  {
    text: Type.String(),
    frameId: Type.String({ description: 'for `since`' }),
    frame: Type.Optional(Frame),
    settled: Type.Optional(SETTLED),
    complete: Type.Boolean(),
    degradedReasons: Type.Array(DegradedReason),
  },
  { ...closed, description: 'the result of DescribeScreen with `format: "text"`' },
);
export type ScreenOutline = Static<typeof ScreenOutline>;

/** A numbered element of a picture. Its number is the element's `@ref`: `elementId: "@12"` means the box with 12. */
export const Mark = Type.Object(
  { mark: Type.Integer(), elementId: Type.String(), role: Type.String(), name: Type.String(), bounds: Bounds },
  closed,
);
export type Mark = Static<typeof Mark>;

/** The data of TakeScreenshot; the pixels are an artifact. `width` and `height` are the artifact's own, in pixels. */
export const ScreenshotData = Type.Object(
  {
    width: Type.Integer(),
    height: Type.Integer(),
    format: Type.String(),
    scale: Type.Number({ description: 'image pixels per unit of bounds' }),
    bounds: Bounds,
    displays: Type.Array(Display),
    frame: Type.Optional(Frame),
    marks: Type.Optional(Type.Array(Mark)),
  },
  { ...closed, description: 'the result of TakeScreenshot' },
);
export type ScreenshotData = Static<typeof ScreenshotData>;

/** A risk of an app that only its device can see, and the reason as a sentence. */
export const AppRisk = Type.Object({ level: RiskLevel, reason: Type.String() }, closed);
export type AppRisk = Static<typeof AppRisk>;

/** The app that a name leads to, and the risks of that app that its name does not show. */
export const ResolvedApp = Type.Object(
  {
    appName: Type.String(),
    bundleId: Type.Optional(Type.String()),
    /** Every other name it goes by: ids, programs, the app that it opens in. */
    alsoKnownAs: Type.Array(Type.String()),
    risks: Type.Array(AppRisk),
    /** The daemon's own mark: a program of this app holds a signed-in dashboard. */
    holdsDashboard: Type.Optional(Type.Literal(true)),
    /** Its desktop lists it as a browser. */
    isBrowser: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type ResolvedApp = Static<typeof ResolvedApp>;

/** The longest window title and app name in characters; the agent cuts longer ones. */
export const MAX_WINDOW_TITLE = 1_000;
/** A control that has more words than this is told without its end on some desktops. */
export const MAX_LABEL = 500;
export const MAX_WINDOW_APP = 200;

/** A window as the person is told about it when they are asked. The agent captures it only while all of this still holds. */
export const ResolvedWindow = Type.Object(
  {
    id: Type.String({ maxLength: 64 }),
    app: Type.String({ maxLength: MAX_WINDOW_APP }),
    pid: Type.Union([Type.Integer(), Type.Null()]),
    title: Type.String({ maxLength: MAX_WINDOW_TITLE }),
    bounds: Bounds,
    /** The app by all of its names, where the agent knows it. */
    identity: Type.Optional(ResolvedApp),
    /** Of a window of a browser: the address of the page that it shows, '' where it is not told. */
    page: Type.Optional(Type.String({ maxLength: 2_000 })),
    /** It stays in front of all other windows. */
    staysAbove: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type ResolvedWindow = Static<typeof ResolvedWindow>;

export const MOST_OTHERS = 20;
export const MOST_TEXTS = 20;

/** A control, or the window where an app tells nothing of its controls. Names and titles are the app's own words. */
export const Control = Type.Object(
  {
    app: ResolvedApp,
    pid: Type.Union([Type.Integer(), Type.Null()]),
    windowId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
    windowTitle: Type.String({ maxLength: MAX_WINDOW_TITLE }),
    /** An ARIA role; `window` where nothing is told of the place. */
    role: Type.String({ maxLength: 64 }),
    name: Type.String({ maxLength: MAX_WINDOW_TITLE }),
    bounds: Type.Union([Bounds, Type.Null()]),
    /** Where its window is, for the person's picture. No rule compares it. */
    windowBounds: Type.Optional(Bounds),
    isPassword: Type.Boolean(),
    isEditable: Type.Boolean(),
    /** The button that Return presses here, if the app tells it. */
    defaultButton: Type.Optional(Type.String({ maxLength: MAX_WINDOW_TITLE })),
    /** A field of the browser's own beside a page, such as the address bar. */
    besidePage: Type.Optional(Type.Literal(true)),
    /** The names of other objects at the place of the click, in front of it or in it. */
    others: Type.Optional(Type.Array(Type.String({ maxLength: MAX_WINDOW_TITLE }), { maxItems: MOST_OTHERS })),
    /** All other words of the control and of what a press on it presses: hints, labels that point at it, names of a button around it. */
    texts: Type.Optional(Type.Array(Type.String({ maxLength: MAX_WINDOW_TITLE }), { maxItems: MOST_TEXTS })),
    /** A menu or the like is open, which gets the keys; the control may be under it. */
    isMenuOpen: Type.Optional(Type.Literal(true)),
    /** The app told only a part of its controls or of their words, so that another one may be there. */
    isPart: Type.Optional(Type.Literal(true)),
    /** The dialog for files that it is in. */
    dialog: Type.Optional(FileDialog),
    /** The address of the outermost page that has the control. */
    url: Type.Optional(Type.String({ maxLength: 2_000 })),
    /** The addresses of the page to which a link leads and of all documents around the control, the innermost first: '' for one that is not known. */
    documents: Type.Optional(Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: MOST_DOCUMENTS })),
    /** Whether the page or the window is Handrail's own. */
    isOwn: Type.Boolean(),
  },
  closed,
);
export type Control = Static<typeof Control>;

/** The data of OpenApp. */
export const OpenedApp = Type.Object(
  {
    appName: Type.String(),
    bundleId: Type.Optional(Type.String()),
    pid: Type.Union([Type.Integer(), Type.Null()]),
    alreadyRunning: Type.Boolean(),
    frontmost: Type.Boolean(),
    windowTitle: Type.Optional(Type.String()),
  },
  { ...closed, description: 'the result of OpenApp' },
);
export type OpenedApp = Static<typeof OpenedApp>;

/** The data of QuitApp. `pid` is that of its front window; `stillRunning` is null where its process is not known. */
export const QuitResult = Type.Object(
  {
    appName: Type.String(),
    bundleId: Type.Optional(Type.String()),
    pid: Type.Union([Type.Integer(), Type.Null()]),
    windowsClosed: Type.Integer({ minimum: 0 }),
    stillRunning: Type.Union([Type.Boolean(), Type.Null()]),
  },
  { ...closed, description: 'the result of QuitApp' },
);
export type QuitResult = Static<typeof QuitResult>;

/** The data of Wait. */
export const Waited = Type.Object(
  { waitedMs: Type.Integer({ minimum: 0 }) },
  { ...closed, description: 'the result of Wait' },
);
export type Waited = Static<typeof Waited>;
