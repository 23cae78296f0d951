import type { DegradedReason, ScreenDescription, ScreenWindow } from '../../../src/contract/screen.ts';

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
