import { randomUUID } from 'node:crypto';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type {
  DegradedReason,
  Missing,
  ScreenDescription,
  ScreenElement,
  ScreenText,
  ScreenWindow,
} from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import type { Failed } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { firstElements } from './list-marks.ts';
import { markedWindows, withReasons } from './missing.ts';
import { unseenScreen } from './unseen-screen.ts';

export type Look = { contents: boolean; maxElements: number; display: string | undefined };

/** What one desktop shows and its apps tell. */
export type Seen = Omit<ScreenDescription, 'text' | 'frameId' | 'complete' | 'degradedReasons'> & {
  texts: { text: ScreenText[]; degradedReasons: readonly DegradedReason[] };
  /** Why a window has no elements, where its app told none. */
  why(window: ScreenWindow): Missing | undefined;
  reasons: readonly DegradedReason[];
};

const DEFAULT_ELEMENTS = 1_500;

const MOST_CHARACTERS = 10_000;

/** A description of the screen as a paragraph that a person can read aloud. */
export function screenParagraph(description: ScreenDescription): string {
  const sentences = [
    frontSentence(description),
    behindSentence(description),
    hiddenSentence(description),
    countSentence(description),
    missingSentence(description),
  ];
  return sentences
    .filter((sentence) => sentence !== null)
    .join(' ')
    .slice(0, MOST_CHARACTERS);
}

const MOST_NAMED = 8;

function frontSentence({ displays, windows, frontmostApp, degradedReasons }: ScreenDescription): string {
  const unknown = degradedReasons.find(isUnknownDisplay);
  if (unknown !== undefined) return unknown.message;
  if (displays.length === 0) return 'There is no display to look at.';
  const front = windows.find((window) => window.focused);
  if (front !== undefined) return `${front.app} is in front${withTitle(front)}.`;
  if (frontmostApp !== null) return `${frontmostApp} is in front, without a window.`;
  return windows.some((window) => window.onScreen) ? 'No window is in front.' : 'No window is on the screen.';
}

function withTitle({ title }: ScreenWindow): string {
  return title === '' ? ', with a window that has no title' : ` with the window “${title}”`;
}

function behindSentence({ windows }: ScreenDescription): string | null {
  const front = windows.find((window) => window.focused);
  const others = windows.filter((window) => window.onScreen && !window.focused);
  if (others.length === 0) return null;
  return `${front === undefined ? 'On the screen' : 'Behind it'}: ${listed(others)}.`;
}

function hiddenSentence({ windows }: ScreenDescription): string | null {
  const hidden = windows.filter((window) => !window.onScreen);
  if (hidden.length === 0) return null;
  return `Not on the screen, because minimized or on another workspace: ${listed(hidden)}.`;
}

function listed(windows: readonly ScreenWindow[]): string {
  const named = windows.slice(0, MOST_NAMED).map(({ app, title }) => (title === '' ? app : `${app} with “${title}”`));
  const rest = windows.length - named.length;
  return rest > 0 ? `${named.join(', ')}, and ${rest} more` : inWords(named);
}

function inWords(names: readonly string[]): string {
  const [last = '', ...before] = names.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}

function countSentence({ elements, text }: ScreenDescription): string | null {
  const counts = [counted(elements.length, 'element'), counted(text.length, 'line of text', 'lines of text')];
  const told = counts.filter((count) => count !== null);
  return told.length === 0 ? null : `${inWords(told)} ${elements.length + text.length === 1 ? 'is' : 'are'} described.`;
}

function counted(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}

function missingSentence({ degradedReasons }: ScreenDescription): string | null {
  const others = degradedReasons.filter((reason) => !isUnknownDisplay(reason));
  if (others.length === 0) return null;
  return `This is not complete: ${others.map(({ message }) => message).join(' ')}`;
}

/** This reason already explains why no window is named as the one in front. */
function isUnknownDisplay({ code }: DegradedReason): boolean {
  return code === 'display_unknown';
}

/** Windows, controls and, with `contents`, texts. A part that cannot be read becomes a degraded reason, not a failure. */
export function createDescribeScreen(
  see: (look: Look, signal: AbortSignal) => Promise<Seen | 'stopped'>,
): Driver['describeScreen'] {
  return async ({ contents = false, maxElements = DEFAULT_ELEMENTS, display }: DescribeScreenParameters, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const seen = await see({ contents, maxElements, display }, signal);
    if (seen === 'stopped' || signal.aborted) return stoppedFailure(signal, 'none');
    const data = described(seen);
    return { ok: true, details: screenParagraph(data), effect: 'none', data };
  };
}

/** A description travels in one frame of at most 2 MiB; this leaves room for everything but the elements. */
const ELEMENTS_BYTES = 1_400_000;

/** Keeps as many elements as fit the frame; elements further behind are cut first, as with `maxElements`. */
export function elementsWithinFrame(elements: ScreenElement[]): {
  elements: ScreenElement[];
  degradedReasons: DegradedReason[];
} {
  let sizeBytes = 0;
  const end = elements.findIndex((element) => {
    sizeBytes += Buffer.byteLength(JSON.stringify(element)) + 1;
    return sizeBytes > ELEMENTS_BYTES;
  });
  return end === -1
    ? { elements, degradedReasons: [] }
    : { elements: firstElements(elements, end), degradedReasons: [FRAME_CUT] };
}

const FRAME_CUT: DegradedReason = {
  code: 'elements_cut',
  message: 'The screen has more elements than one answer can hold; the elements furthest behind are missing.',
  fix: 'Close windows that are not needed, or ask with a smaller maxElements.',
};

function described({ texts, why, reasons, ...seen }: Seen): ScreenDescription {
  const { elements, degradedReasons: cut } = elementsWithinFrame(seen.elements);
  return withReasons(
    {
      ...seen,
      windows: markedWindows(seen.windows, elements, why),
      elements,
      text: texts.text,
      focusedElement: elements.some(({ id }) => id === seen.focusedElement) ? seen.focusedElement : null,
      frameId: `frame_${randomUUID()}`,
    },
    [...reasons, ...cut, ...texts.degradedReasons],
  );
}

/** A screen that cannot be looked at. */
export function nothingSeen(reasons: readonly DegradedReason[], displays: Seen['displays'] = []): Seen {
  const texts = { text: [], degradedReasons: [] };
  return { ...unseenScreen('', []), displays, texts, why: () => undefined, reasons };
}

export function unknownDisplay(display: string): DegradedReason {
  return {
    code: 'display_unknown',
    message: `There is no display “${display}”.`,
    fix: 'Leave `display` out, or give one of the ids that a description without `display` lists.',
  };
}

/** What apps did not tell. The windows of a late app are not read by OCR as well: that takes longer than to ask again. */
type Untold = {
  treelessWindows: readonly { id: string; pid: number | null }[];
  late: readonly (number | null)[];
  /** Why not all apps were asked. */
  cut?: Missing | undefined;
  /** Apps that did not describe their pages. */
  pageless?: readonly (number | null)[];
  degradedReasons: readonly DegradedReason[];
};

const OFF = ['accessibility_off', 'permission_missing_accessibility'] as const;

/** Why a window has no elements, where its app told none. `unread`: the windows that were not read by OCR either. */
export function whyTreeless(
  { treelessWindows, late, cut, pageless = [], degradedReasons }: Untold,
  { contents, own, unread }: { contents: boolean; own: readonly string[]; unread: readonly string[] },
): Seen['why'] {
  const treeless = new Set(treelessWindows.map(({ id }) => id));
  const off = OFF.find((each) => degradedReasons.some(({ code }) => code === each));
  return ({ id, pid }) => {
    if (!treeless.has(id)) return undefined;
    if (late.includes(pid)) return 'app_slow';
    if (!contents) return off ?? cut ?? 'window_without_tree';
    if (own.includes(id)) return 'own_page';
    if (unread.includes(id)) return 'text_unread';
    return pageless.includes(pid) ? 'page_without_tree' : 'read_by_ocr';
  };
}

/** The reason that names the apps which tell nothing. */
export function untoldContents(apps: readonly string[]): DegradedReason {
  const names = [...new Set(apps)];
  return {
    code: 'window_without_tree',
    message: `${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} not describe the contents of the window.`,
    fix: 'Ask with contents: true to have the text read from the pixels.',
  };
}

/** Why nothing is seen, where an action that needs the screen would fail. */
export function reasonOf({ code, message, fix }: Failed): DegradedReason {
  return { code, message, ...(fix !== undefined && { fix }) };
}
