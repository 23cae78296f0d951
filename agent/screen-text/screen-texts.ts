import { randomInt } from 'node:crypto';
import type { DescribeScreenParameters } from '../../src/contract/parameters.ts';
import type { DegradedReason, ScreenDescription, ScreenOutline } from '../../src/contract/screen.ts';
import type { Failed } from '../drivers/outcome.ts';
import { gone } from '../targets/element-ids.ts';
import { foundBy, type Refs, wordsOf } from './refs.ts';
import {
  allNodes,
  indented,
  isTooLong,
  type Line,
  linesOf,
  type Manner,
  type OutlineNode,
  outlineOf,
  overviewLines,
  wholeLines,
  windowLines,
} from './screen-text.ts';

/** Frames that are kept to be compared with later ones. */
const MOST_FRAMES = 8;
const MOST_CHARACTERS = 100_000;

type Frame = { scope: string; lines: readonly Line[] };
type Outlined = { ok: true; data: ScreenOutline } | Failed;

/** Turns descriptions into texts. Remembers the latest ones, to tell the changes since one and to resolve its references. */
export function createScreenTexts(newName: () => string = frameName) {
  const frames = new Map<string, Frame>();

  function keep(name: string, frame: Frame): void {
    frames.set(name, frame);
    for (const oldest of frames.keys()) if (frames.size > MOST_FRAMES) frames.delete(oldest);
  }

  function linesFor(
    screen: ScreenDescription,
    parameters: DescribeScreenParameters,
    refs: Refs,
  ): readonly Line[] | Failed {
    const { depth, region, bounds: withBounds = false } = parameters;
    const manner = { refOf: refs.of, withBounds };
    if (region !== undefined) return regionLines(screen, region, { refs, manner });
    return depth === 'overview' ? overviewLines(screen, manner) : wholeLines(screen, manner);
  }

  return (screen: ScreenDescription, parameters: DescribeScreenParameters, refs: Refs): Outlined => {
    refs.renew(screen.elements);
    const lines = linesFor(screen, parameters, refs);
    if ('ok' in lines) return lines;
    const { display, contents = false, depth, region, since, bounds = false } = parameters;
    const scope = JSON.stringify([display, contents, depth, region, bounds]);
    const before = since === undefined ? undefined : frames.get(since);
    const changes = before?.scope === scope ? changedLines(before.lines, lines) : undefined;
    if (since !== undefined && changes?.length === 0) {
      return { ok: true, data: outlined({ name: since, said: [`nothing changed since ${since}`], screen, depth }) };
    }
    const name = newName();
    keep(name, { scope, lines });
    const unknown =
      since === undefined || changes !== undefined ? [] : [`${since} is no frame to compare with; this is all`];
    const heading = changes === undefined ? unknown : [`changed since ${since}`];
    return { ok: true, data: outlined({ name, said: [...heading, indented(changes ?? lines)], screen, depth }) };
  };
}

type Said = {
  name: string;
  said: readonly string[];
  screen: ScreenDescription;
  depth: DescribeScreenParameters['depth'];
};

function outlined({ name, said, screen, depth }: Said): ScreenOutline {
  const whole = [`frame ${name}`, ...said].join('\n');
  const isCut = whole.length > MOST_CHARACTERS;
  const degradedReasons = [
    ...screen.degradedReasons,
    ...(isCut ? [TEXT_CUT] : []),
    ...(hasLongNames(screen) ? [NAME_CUT] : []),
    ...(depth === 'overview' && screen.elements.length > 0 ? [OVERVIEW] : []),
  ];
  const reasons = degradedReasons.map(({ message }) => `not complete: ${message}`);
  const end = whole.lastIndexOf('\n', MOST_CHARACTERS);
  const shown = isCut ? `${whole.slice(0, end)}\n[${whole.slice(end + 1).split('\n').length} more lines]` : whole;
  const complete = degradedReasons.length === 0;
  return { text: [shown, ...reasons].join('\n'), frameId: name, complete, degradedReasons };
}

function hasLongNames({ windows, elements, text }: ScreenDescription): boolean {
  const words = [
    ...windows.map(({ title }) => title),
    ...elements.flatMap(({ name, value = '' }) => [name, value]),
    ...text.map((line) => line.text),
  ];
  return words.some(isTooLong);
}

const NAME_CUT: DegradedReason = {
  code: 'text_cut',
  message: 'A text longer than 1,000 characters is cut; its line says how much more there is.',
  fix: 'Ask with format: "json".',
};

const OVERVIEW: DegradedReason = {
  code: 'overview',
  message: 'An overview tells windows and the focus only.',
};

const TEXT_CUT: DegradedReason = {
  code: 'elements_cut',
  message: 'The text is longer than one answer may be.',
  fix: 'Ask for one window, or for fewer elements.',
};

/** A window or an element, with its contents. */
function regionLines(
  screen: ScreenDescription,
  region: string,
  { refs, manner }: { refs: Refs; manner: Manner },
): readonly Line[] | Failed {
  if (!region.startsWith('@')) {
    const window = screen.windows.find(({ id }) => id === region);
    return window === undefined ? gone(`There is no window ${region}.`) : windowLines(screen, window, manner);
  }
  const found = foundBy(region, refs);
  if (found === undefined) return gone(`${region} is no reference.`);
  const words = wordsOf(region, found);
  if (found.kind !== 'element') return gone(words);
  if (!screen.elements.some(({ id }) => id === found.elementId))
    return screen.complete ? gone(`${words} is gone.`) : gone(`${words} is not in this look.`, LEFT_OUT);
  const node = nodeOf(screen, found.elementId);
  return node === undefined ? gone(`${words} is not shown by itself.`) : linesOf([node], { depth: 0, manner });
}

const LEFT_OUT = 'Ask with contents: true, or scroll to it; the reference stays.';

function nodeOf(screen: ScreenDescription, elementId: string): OutlineNode | undefined {
  const windowId = screen.elements.find(({ id }) => id === elementId)?.windowId ?? null;
  return allNodes(outlineOf(screen, windowId)).find(({ element }) => element.id === elementId);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Eight characters that nobody guesses: a frame says something only to the requester that has it. */
function frameName(): string {
  return Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The lines that went and came, each below the window that it is in; empty where nothing changed. */
function changedLines(before: readonly Line[], now: readonly Line[]): Line[] {
  return [...marked('-', before, countsOf(now)), ...marked('+', now, countsOf(before))];
}

type Placed = { line: Line; place: string; key: string };

function marked(mark: '-' | '+', lines: readonly Line[], others: Map<string, number>): Line[] {
  const found: Line[] = [];
  let shownPlace = '';
  for (const { line, place, key } of placed(lines)) {
    const left = others.get(key) ?? 0;
    others.set(key, left - 1);
    if (left > 0) continue;
    if (line.depth > 0 && place !== shownPlace) found.push({ depth: 0, text: `in ${place}` });
    shownPlace = place;
    found.push({ depth: 0, text: `${mark} ${line.text}` });
  }
  return found;
}

/** Each line with the line of its window. The same line in two windows is two lines. */
function placed(lines: readonly Line[]): Placed[] {
  let place = '';
  return lines.map((line) => {
    if (line.depth === 0) place = line.text;
    return { line, place, key: `${line.depth === 0 ? '' : place}\n${line.text}` };
  });
}

function countsOf(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of placed(lines)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
