import { diffArrays } from 'diff';
import { useMemo } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import type { ContentsView, ScriptView } from '../../../src/contract/scripts.ts';
import { ExactText } from '../VisibleText.tsx';

type Subject = Pick<Prompt, 'script' | 'contents'>;

/** The script that would run, or the contents of the file that is written or moved: whole, but for lines that stay as they are. */
export function Evidence({ script, contents }: Subject) {
  if (script !== undefined) return <Script script={script} />;
  return contents === undefined ? null : <Contents contents={contents} />;
}

function Script({ script: { language, text, environment = [], noticed } }: { script: ScriptView }) {
  const isNoticed = (set: string) =>
    noticed.some(({ variable }) => variable !== undefined && set.startsWith(`${variable}=`));
  return (
    <>
      {environment.length > 0 && (
        <>
          <p className="hint">It sets:</p>
          <ul className="environment" aria-label="Variables that it sets" dir="ltr">
            {environment.map((variable) => (
              <li key={variable} className={isNoticed(variable) ? 'noticed-line' : undefined}>
                <code>
                  <ExactText>{variable}</ExactText>
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Lines label={`The ${language} script`} text={text} noticed={noticed} />
    </>
  );
}

/** A line of a text that changes. `number`: its place in the new text. */
export type DifferenceRow =
  | { kind: 'added' | 'same'; text: string; number: number }
  | { kind: 'removed'; text: string; number: undefined }
  | { kind: 'skipped'; count: number; number: undefined };

/** Lines around a change that are shown with it. */
const CONTEXT = 2;
/** Beyond this the texts have little in common, and comparing them takes long. */
const MOST_EDITS = 600;
const MOST_MS = 150;

/**
 * The lines by which two texts differ, with a few lines around each. `kept`: places in the new text that are shown in any case.
 * Nothing where the texts differ too much to be compared in a moment.
 */
export function differenceOf(
  former: string,
  text: string,
  kept: ReadonlySet<number>,
): readonly DifferenceRow[] | undefined {
  const limits = { maxEditLength: MOST_EDITS, timeout: MOST_MS };
  const [before, after] = linesOfBoth(former, text);
  const changes = diffArrays(before, after, limits);
  if (changes === undefined) return undefined;
  let number = 0;
  const rows = changes.flatMap(({ value, added, removed }) =>
    value.map((line): DifferenceRow => {
      if (removed) return { kind: 'removed', text: line, number: undefined };
      number += 1;
      return { kind: added ? 'added' : 'same', text: line, number };
    }),
  );
  return folded(rows, kept);
}

/** A break at the end of both texts begins no other line. One at the end of only one of them is a line of its own, since it is a change. */
function linesOfBoth(...texts: [string, string]): [string[], string[]] {
  const isBroken = texts.every((text) => text === '' || text.endsWith('\n')); // guard P4-3
  const lines = (text: string) => (text === '' ? [] : (isBroken ? text.slice(0, -1) : text).split('\n'));
  return [lines(texts[0]), lines(texts[1])];
}

/** The rows without those that are far from any change. */
function folded(rows: readonly DifferenceRow[], kept: ReadonlySet<number>): DifferenceRow[] {
  const isShown = shownRows(rows, kept);
  const result: DifferenceRow[] = [];
  for (const [index, row] of rows.entries()) {
    const last = result.at(-1);
    if (isShown[index] === true) result.push(row);
    else if (last?.kind === 'skipped') last.count += 1;
    else result.push({ kind: 'skipped', count: 1, number: undefined });
  }
  return result;
}

/** Whether each row is shown: it is a change, it is to be kept, or one of these is near. */
function shownRows(rows: readonly DifferenceRow[], kept: ReadonlySet<number>): boolean[] {
  const isShown = rows.map(() => false);
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'same' && !kept.has(row.number)) {
      if (index - last <= CONTEXT) isShown[index] = true;
      continue;
    }
    for (let near = Math.max(0, index - CONTEXT); near <= index; near += 1) isShown[near] = true;
    last = index;
  }
  return isShown;
}

function Contents({ contents }: { contents: ContentsView }) {
  const { text, former, noticed, isText } = contents;
  const marked = useMemo(() => new Set(noticed.flatMap(({ lines }) => lines)), [noticed]);
  const rows = useMemo(
    () => (former === undefined ? undefined : differenceOf(former, text, marked)),
    [former, text, marked],
  );
  const limit = limitWords(contents);
  return (
    <>
      {former !== undefined && rows === undefined && (
        <p className="hint">Too much of it changes to be compared. The new text:</p>
      )}
      {rows !== undefined && <Difference label="Changes in the file" rows={rows} marked={marked} />}
      {rows === undefined && text !== '' && (
        <Lines label={labelOf(contents)} text={withoutLastBreak(text)} noticed={noticed} />
      )}
      {!isText && <p className="hint">Some of it is no text, and is shown as the character {'\ufffd'}.</p>}
      {limit !== undefined && <p className="hint">{limit}</p>}
    </>
  );
}

function labelOf({ source, language }: ContentsView): string {
  if (source === 'folder') return 'The names in the folder';
  if (source === 'text') return 'The whole text';
  return language === undefined ? 'The contents of the file' : `The ${language} script`;
}

function limitWords({ isWhole, source, sizeBytes, text }: ContentsView): string | undefined {
  if (!isWhole && source === 'folder') return 'The folder holds more than is listed here.';
  if (!isWhole) return `This is the beginning. The file has ${sizeBytes.toLocaleString('en')} bytes.`;
  return text === '' ? EMPTY[source] : undefined;
}

const EMPTY: Readonly<Record<ContentsView['source'], string>> = {
  parameters: 'The file is empty.',
  text: 'The text is empty.',
  artifact: 'The file is empty.',
  file: 'The file is empty.',
  folder: 'The folder is empty.',
};

/** A break at the end of the last line begins no other line. */
function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** So that the next line shows that there is more. */
const MARGIN_PX = 16;

type LinesProps = { label: string; text: string; noticed: ScriptView['noticed'] };

/** A text, whole and with the numbers of its lines. Lines with dangers are marked. */
function Lines({ label, text, noticed }: LinesProps) {
  const marked = new Set(noticed.flatMap(({ lines }) => lines));
  const worst = noticed[0]?.lines ?? [];
  const first = Math.min(...worst);
  return (
    <ol className="script" dir="ltr" aria-label={label}>
      {linesOf(text).map(({ place, line }, index) => (
        <li
          key={place}
          ref={index + 1 === first ? showInBox : undefined}
          className={marked.has(index + 1) ? 'noticed-line' : undefined}
        >
          <code>
            <ExactText>{line}</ExactText>
          </code>
        </li>
      ))}
    </ol>
  );
}

/** The first line of the worst danger is in view from the start. Where that hides the beginning, Allow waits until that was on screen too. */
function showInBox(line: HTMLLIElement | null): void {
  const box = line?.closest('.prompt-text:not(.steps)');
  if (line === null || box === null || box === undefined) return;
  const hidden = line.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
  if (hidden > 0) box.scrollTop += hidden + MARGIN_PX;
}

/** The lines, each with its place in the text, which tells equal lines apart. */
function linesOf(text: string): { place: number; line: string }[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const place = next;
    next += line.length + 1;
    return { place, line };
  });
}

type DifferenceProps = { label: string; rows: readonly DifferenceRow[]; marked: ReadonlySet<number> };

const SIGNS = { added: '+', removed: '−', same: ' ' } as const;
const SPOKEN = { added: 'New: ', removed: 'Gone: ', same: '' } as const;

/** The lines of a text that change: each with a sign, so that colour is not the only one. Lines with dangers are marked. */
function Difference({ label, rows, marked }: DifferenceProps) {
  if (rows.every(({ kind }) => kind === 'same' || kind === 'skipped'))
    return <p className="hint">The text stays the same.</p>;
  return (
    <ol className="difference" dir="ltr" aria-label={label}>
      {placed(rows).map(({ place, row }) =>
        row.kind === 'skipped' ? (
          <li key={place} className="skipped">
            {row.count} unchanged {row.count === 1 ? 'line' : 'lines'}
          </li>
        ) : (
          <li
            key={place}
            className={row.kind}
            data-noticed={row.number !== undefined && marked.has(row.number) ? '' : undefined}
          >
            <span className="sign" aria-hidden="true">
              {SIGNS[row.kind]}
            </span>
            <span className="visually-hidden">{SPOKEN[row.kind]}</span>
            <code>
              <ExactText>{row.text}</ExactText>
            </code>
          </li>
        ),
      )}
    </ol>
  );
}

/** The rows, each with its place, which tells equal ones apart. */
function placed(rows: readonly DifferenceRow[]): { place: string; row: DifferenceRow }[] {
  return rows.map((row, index) => ({ place: `row ${index}`, row }));
}

/** In the widest window, the box of a text first shows so many rows of so many characters. */
const ROWS = 7;
const CHARACTERS = 80;
/** A person cannot take in more words at a glance. */
const MOST_WORDS = 42;

/** Whether a text is prose rather than short lines, so that the first layer shows fewer rows of it. */
export function isDense({ script, contents }: Pick<Prompt, 'script' | 'contents'>): boolean {
  const text = (script ?? contents)?.text ?? '';
  const shown: string[] = [];
  let rows = 0;
  for (const line of text.slice(0, ROWS * CHARACTERS).split('\n')) {
    if (rows >= ROWS) break;
    shown.push(line.slice(0, (ROWS - rows) * CHARACTERS));
    rows += Math.max(1, Math.ceil(line.length / CHARACTERS));
  }
  return shown.join(' ').split(/\s+/u).filter(Boolean).length > MOST_WORDS;
}
