import { ACCESSIBILITY_SWITCHED_OFF } from '../../../src/contract/accessibility-words.ts';
import type {
  DegradedReason,
  Missing,
  ScreenDescription,
  ScreenElement,
  ScreenWindow,
} from '../../../src/contract/screen.ts';

/** What a line says at the place of what is missing. */
export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  accessibility_off: 'its controls cannot be asked for',
  app_slow: 'did not answer in time',
  contents_left_out: 'its contents need contents: true, which asks',
  drawn: 'drawn by its page; what it shows is not told',
  elements_cut: 'more in it than is told',
  own_page: "Handrail's own page is not told",
  page_without_tree: 'tells nothing of its page; read by OCR',
  permission_missing_accessibility: 'its controls need the permission Accessibility',
  read_by_ocr: 'tells nothing; read by OCR',
  text_cut: 'cut',
  text_unread: 'tells nothing, and its text could not be read',
  window_without_tree: 'tells nothing; contents: true reads it by OCR, which asks',
};

/** The reason for a mark that no other reason explains. */
const REASONS: Readonly<Record<Missing, Omit<DegradedReason, 'code'>>> = {
  accessibility_off: { message: 'Apps cannot be asked for their controls.' },
  app_slow: {
    message: 'A part of the screen was not told in time; its line says so.',
    fix: 'Ask again. A page with very many elements takes its browser long.',
  },
  contents_left_out: {
    message: 'Values, texts and documents are left out.',
    fix: 'Ask with contents: true, which asks the person.',
  },
  drawn: {
    message: 'A page draws a part of itself, such as a map or a sheet, and tells nothing of it; its line says so.',
    fix: 'Take a screenshot.',
  },
  elements_cut: {
    message: 'A part of the screen has more elements than are told; its line says so.',
    fix: 'Scroll there, or ask with a larger maxElements.',
  },
  own_page: { message: 'A page or a window of Handrail itself is on the screen, and what it shows is not told.' },
  page_without_tree: { message: 'A browser does not tell what its page holds.' },
  permission_missing_accessibility: { message: 'macOS has not allowed Handrail to ask apps for their controls.' },
  read_by_ocr: {
    message: 'Text was read from the pixels of a window, and may be wrong or incomplete.',
    fix: 'Take a screenshot to be sure.',
  },
  text_cut: { message: 'A text that is too long is cut.' },
  text_unread: { message: 'The text of a window could not be read.', fix: 'Take a screenshot.' },
  window_without_tree: {
    message: 'A window does not describe its contents.',
    fix: 'Ask with contents: true to have its text read from the pixels.',
  },
};

export function elementsCut(maxElements: number): DegradedReason {
  return {
    code: 'elements_cut',
    message: `There are more elements than the ${maxElements} told; those of the windows behind are missing first.`,
    fix: 'Ask with a larger maxElements, or bring the window of interest to the front.',
  };
}

export const TEXT_CUT: DegradedReason = {
  code: 'text_cut',
  message: 'A text longer than 10,000 characters is cut after the first 10,000.',
};

/** A description with all of its reasons. It is complete only where there is none, and each mark has one. */
export function withReasons(
  seen: Omit<ScreenDescription, 'complete' | 'degradedReasons'>,
  reasons: readonly DegradedReason[],
): ScreenDescription {
  const given = new Set(
    reasons.map(({ code }) => (code === ACCESSIBILITY_SWITCHED_OFF ? 'window_without_tree' : code)),
  );
  const marks = new Set([...seen.windows, ...seen.elements].flatMap(({ missing }) => missing ?? []));
  const others = [...marks].filter((code) => !given.has(code)).map((code) => ({ code, ...REASONS[code] }));
  const degradedReasons = [...reasons, ...others];
  return { ...seen, complete: degradedReasons.length === 0, degradedReasons };
}

/** Marks each window on the screen that `why` names, and those of which every element was cut. */
export function markedWindows(
  windows: readonly ScreenWindow[],
  elements: readonly ScreenElement[],
  why: (window: ScreenWindow) => Missing | undefined,
): ScreenWindow[] {
  const told = new Set(elements.map(({ windowId }) => windowId));
  return windows.map((window) => {
    if (!window.onScreen) return window;
    const missing = why(window) ?? (told.has(window.id) ? undefined : 'elements_cut');
    return missing === undefined ? window : { ...window, missing };
  });
}

/** The mark stands once; what did not answer says more than what was not asked for. */
export function mark(element: ScreenElement, missing: Missing): void {
  if (element.missing === undefined || element.missing === 'contents_left_out') element.missing = missing;
}
