import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A guard is marked where it stands: `// guard A3-2` at the end of its line, or alone on the line above. Where it has more lines, the
 * first one has `// guard A3-2 begins` and the last one `// guard A3-2 ends`, each at its end or alone on the line beside.
 */
const MARK = /(?:\/\/|\/\*) guard (?<id>[A-Z]+\d*-\d+)(?: (?<kind>begins|ends))?(?: \*\/)?/g;
const root = join(import.meta.dirname, '../..');
const PRODUCT = ['src', 'agent', 'renderer/src'];

let files: ReadonlyMap<string, readonly string[]> | undefined;

/** The files of the product that have the mark: one, and it stands there once. */
export function placesOf(mark: string): string[] {
  return [...marksByFile()].flatMap(([file, marks]) => marks.filter((each) => each === mark).map(() => file));
}

export function everyMark(): string[] {
  return [...marksByFile().values()].flat();
}

/** The text of a file when the lines of the mark have become something else, or nothing. */
export function withoutGuard(text: string, { mark, becomes }: { mark: string; becomes: string }): string {
  const lines = text.split('\n');
  const at = (kind?: string) =>
    lines.findIndex((line) =>
      marksIn(line).some((each) => each.id === mark && (kind === undefined || each.kind === kind)),
    );
  let first = at();
  let last = at('ends');
  while (isMarkAlone(lines[first])) first += 1;
  if (last === -1) last = first;
  while (isMarkAlone(lines[last])) last -= 1;
  return lines.toSpliced(first, last - first + 1, ...(becomes === '' ? [] : [becomes])).join('\n');
}

function marksByFile(): ReadonlyMap<string, readonly string[]> {
  files ??= new Map(
    PRODUCT.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => `${room}/${path}`),
    )
      .filter((file) => /\.(?:[cm]?js|tsx?|css)$/.test(file))
      .map((file) => [file, marksOf(readFileSync(join(root, file), 'utf8'))]),
  );
  return files;
}

/** The marks of a text. One that begins and does not end, or that ends twice, counts for each of its pieces. */
function marksOf(text: string): string[] {
  const found = marksIn(text);
  const ended = found.filter(({ kind }) => kind === 'ends').map(({ id }) => id);
  const begun = found.filter(({ kind }) => kind === 'begins').map(({ id }) => id);
  const unended = begun.filter((id) => !ended.includes(id));
  const unbegun = ended.filter((id, n) => !begun.includes(id) || ended.indexOf(id) !== n);
  return [...found.filter(({ kind }) => kind !== 'ends').map(({ id }) => id), ...unended, ...unbegun];
}

function marksIn(text: string): { id: string; kind: string | undefined }[] {
  return [...text.matchAll(MARK)].map(({ groups }) => ({ id: groups?.id ?? '', kind: groups?.kind }));
}

function isMarkAlone(line: string | undefined): boolean {
  return line !== undefined && marksIn(line).length > 0 && line.replaceAll(MARK, '').trim() === '';
}
