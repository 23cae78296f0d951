import type { ControlName } from '../../src/contract/control-name.ts';
import type { Bounds } from '../../src/contract/device.ts';
import type { FileDialog } from '../../src/contract/file-dialog.ts';
import type { Modifier } from '../../src/contract/key-chords.ts';
import type { Point } from '../../src/contract/picture-frames.ts';
import type { ResolvedApp, ScreenWindow } from '../../src/contract/screen.ts';
import type { Attempt, Done, Failed } from './outcome.ts';

/** Whether the desktop got the input, and whether doing the same again can do no harm. */
export type Delivery = { delivered: 'yes' | 'no' | 'unknown'; safeToRepeat: boolean };

/** `interrupted_by_person`: the person's own hand ended it. `not_typable`: a character cannot be typed exactly. */
export type InputFailed = Failed;

/** `effect` is `confirmed` only where something differs afterwards: focus, a value, a state, or the windows. */
export type InputOutcome<Data = object> = (Done<Data> | InputFailed) & Delivery;

/** The target of an action: an element of a description, a point of the desktop, or the keyboard focus. */
export type SightReference =
  | { kind: 'element'; elementId: string }
  | { kind: 'point'; point: Point }
  | { kind: 'focus' };

/** A control that was found by its name, as the last look saw it. */
export type FoundControl = { elementId: string; seen: Sighting };

/** The window and the element that were found. Names and titles are the app's own words. */
export type Sighting = {
  /** By all of its names, as where a name leads to it. */
  app: ResolvedApp;
  pid: number | null;
  windowId: string | null;
  windowTitle: string;
  windowBounds: Bounds | null;
  /** Whether a click on the middle of the element would go to another window. */
  isCovered: boolean;
  /** `null` where the app describes no element at this place. */
  element: SightedElement | null;
  /** Addresses of the documents that it is in, the innermost first; '' for one that does not tell it. Before them the page to which a link leads. */
  documents: readonly string[];
  /** Where keys may go on from it: addresses of the other pages that its window shows. */
  pagesBeside: readonly string[];
  /** The name of the button that Return presses there, where the app tells it. */
  defaultButton?: string;
  /** The names of other objects at the place of the click, in front of the element or in it. */
  others?: readonly string[];
  /** The dialog for files that it is in. */
  dialog?: Omit<FileDialog, 'file'>;
  /** All other words of the element and of what a press on it presses. */
  texts?: readonly string[];
  /** For the keyboard: whether a menu or the like is open, which gets the keys. */
  isMenuOpen?: boolean;
  /** The app told only a part of its controls or of their words. */
  isPart?: boolean;
};

export type SightedElement = {
  elementId: string;
  role: string;
  name: string;
  bounds: Bounds | null;
  isPassword: boolean;
  isEditable: boolean;
};

export type MouseButton = 'left' | 'middle' | 'right';

export type ClickWish = { at: Point; button?: MouseButton; count?: 1 | 2 | 3; modifiers?: readonly Modifier[] };
export type DragWish = { path: readonly Point[]; button?: MouseButton; modifiers?: readonly Modifier[] };
/** In notches of a wheel; positive is down and right. */
export type ScrollWish = { at: Point; dx: number; dy: number; modifiers?: readonly Modifier[] };
export type PressKeysWish = { keys: string; repeat?: number; holdMs?: number };
/** `newline` and `tab`: the text may hold them, and they are typed. */
export type TypeTextWish = { text: string; clear?: boolean; newline?: boolean; tab?: boolean };
export type Typed = { typedCharacters: number };

/** One of `windowTitle`, `element` and `text`; a part of the title, name or text is enough. `gone`: until it is no longer there. */
export type WaitForWish = {
  windowTitle?: string;
  element?: { role?: string; name: string };
  text?: string;
  gone?: boolean;
  /** How long it must have stayed so. */
  stableMs?: number;
};

export type WindowPlace = Pick<ScreenWindow, 'id' | 'pid' | 'bounds' | 'onScreen' | 'zIndex'>;

/**
 * Pointer, keyboard and windows of one desktop. All implementations pass test/agent/input-contract.ts. One input runs at a time. When an
 * attempt is stopped, when the person's own hand moves, and when this process dies, no key or button stays down.
 */
export type InputDriver = {
  /** Finds the target of a reference; nothing is done. */
  sight(reference: SightReference, attempt: Attempt): Promise<{ ok: true; data: Sighting } | InputFailed>;
  /** The one control that answers to a name, with the page scrolled to it; nothing else is done. */
  findControl(name: ControlName, attempt: Attempt): Promise<{ ok: true; data: FoundControl } | InputFailed>;
  /** The documents around what has the keyboard, as `sight` tells them. Quick, so that it can be asked between keys; nothing is done. */
  focusDocuments(attempt: Attempt): Promise<{ ok: true; data: readonly string[] } | InputFailed>;
  movePointer(wish: { to: Point }, attempt: Attempt): Promise<InputOutcome>;
  click(wish: ClickWish, attempt: Attempt): Promise<InputOutcome>;
  drag(wish: DragWish, attempt: Attempt): Promise<InputOutcome>;
  scroll(wish: ScrollWish, attempt: Attempt): Promise<InputOutcome>;
  pressKeys(wish: PressKeysWish, attempt: Attempt): Promise<InputOutcome>;
  /** Exact or refused: before the first key it is known how each character is typed. */
  typeText(wish: TypeTextWish, attempt: Attempt): Promise<InputOutcome<Typed>>;
  setValue(wish: { elementId: string; value: string }, attempt: Attempt): Promise<InputOutcome>;
  /** Performs an action that the description tells of the element; the first one without a name. */
  actOnElement(wish: { elementId: string; action?: string }, attempt: Attempt): Promise<InputOutcome>;
  /** Performs the item of a menu of the window, by the names from the bar down. */
  invokeMenu(wish: { windowId: string; path: readonly string[] }, attempt: Attempt): Promise<InputOutcome>;
  listWindows(attempt: Attempt): Promise<InputOutcome<{ windows: ScreenWindow[] }>>;
  /** The same windows in the same order, without the names of their apps, which take time to find. None where the desktop cannot be asked. */
  windowPlaces(attempt: Attempt): Promise<WindowPlace[]>;
  /** The address of the page that a window of a browser shows; '' where it is not told. Nothing is done. */
  page(wish: { windowId: string }, attempt: Attempt): Promise<string>;
  focusWindow(wish: { windowId: string }, attempt: Attempt): Promise<InputOutcome>;
  moveWindow(wish: { windowId: string; bounds: Bounds }, attempt: Attempt): Promise<InputOutcome>;
  minimizeWindow(wish: { windowId: string }, attempt: Attempt): Promise<InputOutcome>;
  closeWindow(wish: { windowId: string }, attempt: Attempt): Promise<InputOutcome>;
  waitFor(wish: WaitForWish, attempt: Attempt): Promise<InputOutcome>;
  /** Waits until nothing has changed for 100 ms, as far as the desktop tells; false where that is not so within the time. */
  settle(wish: { withinMs: number }, attempt: Attempt): Promise<boolean>;
  /** The app that opens the addresses of a scheme; null where none is set, or it cannot be told. Nothing is done. */
  opener(wish: { scheme: 'http' | 'https' }, attempt: Attempt): Promise<ResolvedApp | null>;
  /** Opens the address with exactly that app, while it is as `attempt.targets` says. */
  openUrl(wish: { url: string }, attempt: Attempt): Promise<InputOutcome>;
  readClipboard(attempt: Attempt): Promise<InputOutcome<{ text: string }>>;
  writeClipboard(wish: { text: string }, attempt: Attempt): Promise<InputOutcome>;
  close(): Promise<void>;
};
