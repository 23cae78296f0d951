import { spelledOut, UNSEEN_IN_LINES } from '../contract/unseen-characters.ts';

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text from outside as HTML: no mark of it is markup, and characters that show nothing or turn a line around are escapes. */
export function html(text: string): string {
  const seen = text.replace(UNSEEN_IN_LINES, spelledOut);
  return seen.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '');
}

/** A value as JSON in HTML that `jsonOf` reads back exactly, in visible characters. */
export function htmlOfJson(value: unknown): string {
  const seen = JSON.stringify(value).replace(UNSEEN_IN_LINES, (character) => character.split('').map(unitOf).join(''));
  return seen.replace(/[&<>]/g, (mark) => MARKS[mark] ?? '');
}

/** A UTF-16 unit as JSON spells it. */
function unitOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function jsonOf(escaped: string): string {
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
