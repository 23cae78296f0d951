import { randomUUID } from 'node:crypto';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type {
  DegradedReason,
  Missing,
  ScreenDescription,
  ScreenText,
  ScreenWindow,
} from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import type { Failed } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { elementsWithinFrame } from './elements-within-frame.ts';
import { markedWindows, withReasons } from './missing.ts';
import { screenParagraph } from './screen-paragraph.ts';
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
export type Untold = {
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
