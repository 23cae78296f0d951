import type { ResolvedWindow } from '../../contract/screen.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import type { Target } from '../../contract/targets.ts';
import { LOST_IN_A_LINE, PLAIN_PATH, QUOTATION_MARKS, spelledOut } from '../../contract/unseen-characters.ts';
import { siteOf } from '../../contract/web-address.ts';
import type { Assessment } from './definition.ts';

/** A sentence has no room for more of a title; the facts of a prompt show all of it. */
const LONGEST_IN_A_SENTENCE = 100;

/** The window among the targets of an action. */
export function windowIn(targets: readonly Target[] = []): ResolvedWindow | undefined {
  const found = targets.find(({ kind }) => kind === 'window');
  return found?.kind === 'window' ? found.window : undefined;
}

/** The access within which a window of an app is looked at: one to the app or, in a browser, to the site of the page that it shows. Neither an access nor a profile lets a look at the dashboard through unasked. */
export function lookInto(window: ResolvedWindow | undefined): Pick<Assessment, 'access' | 'alwaysAsks'> {
  const { identity: app, page = '' } = window ?? {};
  if (app === undefined) return {};
  if (app.holdsDashboard === true) return { alwaysAsks: true }; // guard A22-1
  const site = siteOf(page);
  return { access: { use: 'look', app, ...(site !== undefined && { sites: [site] }) } }; // guard N44-1
}

/** A window in the sentence that a person is asked: “notes.txt” of “Mousepad”, 800 × 600. */
export function windowSentence({ title, app, bounds }: ResolvedWindow): string {
  return `${titled(shortened(title))} of ${quoted(app)}, ${sizeOf(bounds)}`;
}

/** Everything that is known of a window, and that must still hold when it is captured. */
export function windowFacts({ title, app, pid, bounds }: ResolvedWindow): string {
  const process = pid === null ? 'process unknown' : `process ${pid}`;
  return `${titled(title)} of ${quoted(app)}, ${process}, ${sizeOf(bounds)} at ${bounds.x}, ${bounds.y}`;
}

function titled(title: string): string {
  return title === '' ? 'without a title' : quoted(title);
}

/** An app chooses these words. Nothing in them can end the quotation or begin a new line. */
export function quoted(text: string): string {
  const closed = text.replace(QUOTATION_MARKS, spelledOut).replace(LOST_IN_A_LINE, spelledOut); // guard N29-1
  return `“${closed}”`;
}

/** A path in a sentence. One with spaces or marks could read on as the words of Handrail, so it is quoted. */
export function pathWords(path: string): string {
  return PLAIN_PATH.test(path) ? path : quoted(path); // guard A5-2
}

export function shortened(title: string): string {
  const characters = Array.from(title);
  return characters.length <= LONGEST_IN_A_SENTENCE
    ? title
    : `${characters.slice(0, LONGEST_IN_A_SENTENCE - 1).join('')}…`;
}

function sizeOf({ width, height }: ResolvedWindow['bounds']): string {
  return `${width} × ${height}`;
}

/** A sentence has no room for more of a text; a prompt shows all of it. */
const LONGEST_TYPED_IN_A_SENTENCE = 60;

/** A text as a sentence names it: whole, or by the beginning of its first line. */
export function textWords(text: string): string {
  const characters = charactersIn(text);
  if (characters <= LONGEST_TYPED_IN_A_SENTENCE && !text.includes('\n')) return quoted(text);
  // A character takes two places at most.
  const beginning = Array.from(text.slice(0, 2 * LONGEST_TYPED_IN_A_SENTENCE)).slice(
    0,
    LONGEST_TYPED_IN_A_SENTENCE - 1,
  );
  const [firstLine = ''] = beginning.join('').split('\n');
  return `${quoted(`${firstLine}…`)} (${characters} characters)`;
}

/** Characters as a person counts most of them: by code points. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** The whole text for the prompt, where the sentence does not say all of it or would not show its lines. */
export function textView(text: string): { contents?: ContentsView } {
  if (isInSentence(text)) return {};
  const whole = { isWhole: true, isText: true, noticed: [], noticedCut: false };
  return { contents: { source: 'text', text, sizeBytes: Buffer.byteLength(text), ...whole } };
}

function isInSentence(text: string): boolean {
  return !text.includes('\n') && text.length <= LONGEST_TYPED_IN_A_SENTENCE;
}
