import { basename, join } from 'node:path';
import {
  type AllowedFolder,
  type FileInside,
  type FolderInside,
  ListFilesParameters,
  MAX_FORMER_BYTES,
  MoveFileParameters,
  ReadFileParameters,
  type ResolvedPath,
  TrashFileParameters,
  WriteFileParameters,
} from '../../contract/files.ts';
import { lastingEffectAt, loadedCodeAt } from '../../contract/lasting-places.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import { comparablePath, secretAt } from '../../contract/secret-paths.ts';
import { UNDO_WORDS } from '../../contract/times.ts';
import { assessRisk, type RiskRule } from '../risk.ts';
import { personalRecordsAt, secretNamed } from '../scripts/places.ts';
import { defineAction, type Seen } from './definition.ts';
import { doneWithFile, doneWithMoved, isRenamed } from './done.ts';
import { contentsAt } from './file-contents.ts';
import {
  fileTarget,
  foundAt,
  hiddenRule,
  kindAt,
  type PathNames,
  pathFault,
  pathReference,
  sentenceOn,
  shownPath,
} from './file-target.ts';
import { quoted } from './window-words.ts';

export const listFiles = defineAction({
  name: 'ListFiles',
  countedAs: 'file',
  summary: 'Lists the names, sizes and times of the files in a folder',
  capability: 'canAccessFiles',
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'In folders that the person allowed; others ask.',
  isUsual: true,
  parameters: ListFilesParameters,
  targets: ({ path }) => [pathReference(path)],
  faults: ({ path }) => pathFault('/path', path),
  assess({ path, depth = 1 }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'read' }], seen);
    const kind = kindAt(path, seen);
    const levels = depth === 1 ? '' : ` and ${depth - 1} ${depth === 2 ? 'level' : 'levels'} below it`;
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'It reads names, and no contents.' }, rules),
      ...sentenceOn(({ place, named }) =>
        kind === undefined || kind === 'folder'
          ? `List the files${place(shownPath(path, seen))}${levels}`
          : `Look whether ${named(shownPath(path, seen))} is there`,
      ),
      changes: 'Changes nothing.',
    };
  },
});

export const readFile = defineAction({
  name: 'ReadFile',
  countedAs: 'file',
  summary: 'Reads a file, as text or as an artifact',
  capability: 'canAccessFiles',
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'In folders that the person allowed; others ask.',
  isUsual: true,
  parameters: ReadFileParameters,
  targets: ({ path }) => [pathReference(path)],
  faults: ({ path }) => pathFault('/path', path),
  assess({ path }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'read' }], seen);
    const shown = shownPath(path, seen);
    const held = secretNamed(shown) ?? personalRecordsAt(shown);
    return {
      ...facts,
      risk: assessRisk({ level: 'low', reason: 'It reads a file in a folder that you allowed.' }, [
        ...rules,
        ...personalRule(held),
      ]),
      ...sentenceOn(
        ({ named }) => `Read ${named(shown)}${held === undefined ? '' : `, which holds ${held} by its name`}`,
      ),
      changes: "Changes nothing. Once shared, the contents can't be recalled.",
    };
  },
});

export const writeFile = defineAction({
  name: 'WriteFile',
  countedAs: 'file',
  summary: `Writes a file, whole; the former version is kept for up to ${UNDO_WORDS.keptFor}`,
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Give content or artifactId.',
  isUsual: true,
  mayHaveUndo: true,
  parameters: WriteFileParameters,
  // The prompt shows the former contents beside the new ones.
  targets: ({ path, overwrite = false }) => [pathReference(path, { into: overwrite })],
  faults({ path, content, artifactId }) {
    const isOne = (content === undefined) !== (artifactId === undefined);
    const contents = isOne ? [] : [{ pointer: '', message: 'give either content or artifactId' }];
    return [...pathFault('/path', path), ...contents];
  },
  assess({ path, content, artifactId, overwrite = false }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'write' }], seen);
    const found = foundAt(path, seen);
    const replaces = overwrite && found?.kind !== 'missing'; // guard E2-7
    const shown = shownPath(path, seen);
    const inside = content === undefined ? seen.artifact : textInside(content);
    const contents = contentsAt(shown, inside, content === undefined ? 'artifact' : 'parameters');
    const replacing = { level: 'high', reason: 'The present contents are replaced.' } as const;
    const lasting = lastingWords(shown);
    return {
      ...facts,
      artifactId,
      risk: assessRisk({ level: 'medium', reason: 'It creates a file, which other programs may read or run.' }, [
        ...rules,
        ...(replaces ? [replacing] : []),
        ...placeRules(shown),
        ...contents.rules,
        ...contents.dangers,
      ]),
      ...sentenceOn(({ named }) => `${replaces ? 'Replace' : 'Create'} ${named(shown)}${lasting}${contents.words}`),
      ...doneWithFile(shown, replaces ? 'replaced' : 'created'),
      changes: replaces ? replacingWords(found) : 'Creates a file. A file that exists stays as it is.',
      ...viewOf(contents, replaces ? found : undefined),
    };
  },
});

export const moveFile = defineAction({
  name: 'MoveFile',
  countedAs: 'file',
  summary: 'Moves or renames a file or folder; never over one that exists',
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'medium',
  isUsual: true,
  parameters: MoveFileParameters,
  // The contents of a file decide about its risk at the new place.
  targets: ({ from, to }) => [pathReference(from, { into: true }), pathReference(to)],
  faults: ({ from, to }) => [...pathFault('/from', from), ...pathFault('/to', to)],
  assess({ from, to }, seen) {
    const wanted = [
      { path: from, access: 'write', use: 'moves' },
      { path: to, access: 'write' },
    ] as const;
    const { rules, facts } = fileTarget(wanted, seen);
    const [source, target] = [shownPath(from, seen), shownPath(to, seen)];
    const arrival = arrivalOf({ found: foundAt(from, seen), source, target }, seen);
    return {
      ...facts,
      ...(facts.forbidden === undefined && arrival.forbidden !== undefined ? { forbidden: arrival.forbidden } : {}),
      risk: assessRisk({ level: 'medium', reason: 'Programs may look for the file at its former place.' }, [
        ...rules,
        ...placeRules(target),
        ...arrival.rules,
      ]),
      ...sentenceOn((names) => `${movedWords(source, target, names)}${lastingWords(target)}`),
      toPerson: arrival.words,
      ...doneWithMoved(source, target),
      changes: 'Moves the file or folder. Moving it back restores it.',
      ...viewIn(arrival),
      ...(arrival.view !== undefined && { contentsDigest: foundAt(from, seen)?.digest }),
    };
  },
});

export const trashFile = defineAction({
  name: 'TrashFile',
  countedAs: 'file',
  summary: 'Moves a file or folder to the trash; never deletes it for good',
  capability: 'canAccessFiles',
  effectClass: 'once',
  baseRisk: 'high',
  mayHaveUndo: true,
  parameters: TrashFileParameters,
  targets: ({ path }) => [pathReference(path)],
  faults: ({ path }) => pathFault('/path', path),
  assess({ path }, seen) {
    const { rules, facts } = fileTarget([{ path, access: 'write', use: 'moves' }], seen);
    const shown = shownPath(path, seen);
    const isFolder = kindAt(path, seen) === 'folder';
    return {
      ...facts,
      risk: assessRisk({ level: 'high', reason: 'Programs that need it no longer find it.' }, rules),
      ...sentenceOn(
        ({ named }) =>
          `Move ${isFolder ? 'the folder ' : ''}${named(shown)}${isFolder ? ', with everything in it,' : ''} to the trash`,
      ),
      ...doneWithFile(shown, 'trashed'),
      changes: `Moves it to the trash. You can undo this for ${UNDO_WORDS.keptFor}, unless the trash is emptied.`,
    };
  },
});

/** In an allowed folder too, a file whose name tells of passwords or personal records is worth a prompt. */
export function personalRule(held: string | undefined): RiskRule[] {
  return held === undefined ? [] : [{ level: 'medium', reason: `Its name says that it holds ${held}.` }];
}

/** How a replaced file can come back. One that is too large for a copy is refused by the agent, so that nothing is lost for good. */
function replacingWords(found: ResolvedPath | undefined): string {
  if ((found?.sizeBytes ?? 0) <= MAX_FORMER_BYTES)
    return `Replaces the whole file. You can undo this for ${UNDO_WORDS.keptFor}, unless newer copies need the room: Handrail keeps at most ${UNDO_WORDS.quota}, and removes the oldest of the requester that uses the most.`;
  return `The file is larger than ${MAX_FORMER_BYTES / 1024 ** 2} MiB. Handrail keeps no copy of so large a file and could not undo this, so the action will fail and the file stays as it is.`;
}

type Arriving = { found: ResolvedPath | undefined; source: string; target: string };
type Arrival = { rules: RiskRule[]; words: string; forbidden?: string; view?: ContentsView };

/** Reasons also reach the requester, who may not have read the file. */
const NOT_TOLD = 'Handrail noticed dangers in the contents of the file; the prompt shows them.';

type Move = { from: string; to: string; inside: FolderInside | undefined; folders: readonly AllowedFolder[] };

type JudgedFolder = { rules: RiskRule[]; forbidden?: string; view?: ContentsView };

/** A thing in the folder that is dangerous at its new place. `line` of the list of names, from 1. */
type Found = { level: RiskLevel; line: number; words: string };

/**
 * Judges each thing in a folder by the path that it will have. A place that was as dangerous before the move is of high risk, and one
 * that becomes so by it is critical. Only the view names the things: reasons also reach the requester, who may not have listed the
 * folder.
 */
export function folderMoved({ from, to, inside, folders }: Move): JudgedFolder {
  if (inside === undefined) return { rules: [notLooked(from)] };
  const { names, isWhole } = inside;
  const isSecret = names.some((name) => secretAt(join(to, name)) !== undefined);
  const found = [
    ...repositoriesIn(names), // guard F5-3
    ...names.flatMap((name, index) => dangerAt({ name, line: index + 1 }, { from, to, folders }) ?? []),
  ];
  const rules = [...(isWhole ? [] : [notLooked(from)]), ...reasonsFor(found)];
  return {
    rules,
    ...(isSecret && { forbidden: `${from} holds a secret place, or would hold one at ${to}. It stays where it is.` }),
    ...(rules.length > 0 && { view: folderView(inside, found) }),
  };
}

function notLooked(from: string): RiskRule {
  return {
    level: 'high',
    reason: `Handrail did not look at everything in ${from}: it holds too much, or it may not be read.`,
  };
}

function dangerAt(
  { name, line }: { name: string; line: number },
  { from, to, folders }: Omit<Move, 'inside'>,
): Found | undefined {
  const [old, path] = [join(from, name), join(to, name)].map((each) => each.replace(/\/$/u, '')) as [string, string];
  const effect = lastingEffectAt(path);
  if (effect !== undefined)
    return { level: lastingEffectAt(old) === effect ? 'high' : 'critical', line, words: `${name}, ${effect}` };
  const loaded = loadedCodeAt(path);
  if (loaded !== undefined && loadedCodeAt(old) === undefined)
    return { level: 'high', line, words: `${name}, ${loaded}` };
  return hiddenRule(path, 'write', folders).length === 0
    ? undefined
    : { level: 'high', line, words: `${name}, a hidden place` };
}

/** One reason for each level. */
function reasonsFor(found: readonly Found[]): RiskRule[] {
  const levels = (['critical', 'high'] as const).filter((level) => found.some((each) => each.level === level));
  return levels.map((level) => ({ level, reason: REASONS[level] }));
}

const REASONS = {
  critical: 'It holds things that programs run at the new place; the prompt shows them.',
  high: 'It holds hidden things, or things that programs load; the prompt shows them.',
} as const;

/**
 * The folders that are laid out as a Git repository. Git runs the hooks and settings in such a folder, even if it has another name than
 * `.git`. The names are relative. The empty name is the folder itself.
 */
function repositoriesIn(names: readonly string[]): Found[] {
  const lines = new Map(names.map((name, index) => [comparablePath(name), index + 1]));
  const lineOf = (name: string) => lines.get(name) ?? lines.get(`${name}/`);
  const isRepository = (folder: string) =>
    lineOf(`${folder}commondir`) !== undefined ||
    (lineOf(`${folder}objects`) !== undefined && lineOf(`${folder}refs`) !== undefined);
  return ['', ...lines.keys()].flatMap((folder) => {
    const line = folder === '' || folder.endsWith('/') ? lineOf(`${folder}head`) : undefined;
    if (line === undefined || !isRepository(folder)) return [];
    const place = folder === '' ? 'the folder' : folder;
    return [
      { level: 'critical', line, words: `${place}, laid out as a Git repository, from which Git starts commands` },
    ];
  });
}

const MOST_NOTICED = 24;

/** The names in the folder, one a line, with the dangerous ones. */
function folderView({ names, isWhole }: FolderInside, found: readonly Found[]): ContentsView {
  const text = names.join('\n');
  const gravestFirst = found.toSorted((one, other) => Number(isHigh(one)) - Number(isHigh(other)));
  const noticed = gravestFirst.slice(0, MOST_NOTICED).map(({ words, line }) => ({ words, lines: [line] }));
  const noticedCut = found.length > noticed.length;
  return { source: 'folder', text, isWhole, isText: true, sizeBytes: Buffer.byteLength(text), noticed, noticedCut };
}

function isHigh({ level }: Found): boolean {
  return level === 'high';
}

/** Judges a moved file or folder at its new place. */
function arrivalOf({ found, source, target }: Arriving, { folders = [] }: Seen): Arrival {
  const inside = found?.inside;
  if (found?.kind === 'folder') {
    const names = inside !== undefined && 'names' in inside ? inside : undefined;
    return { words: '', ...folderMoved({ from: source, to: target, inside: names, folders }) };
  }
  const text = inside !== undefined && 'text' in inside ? inside : undefined;
  const { isRun, rules, dangers, words, view } = contentsAt(target, text, 'file');
  const script = view?.language === undefined ? '' : `, where it is a script (${view.language})`;
  const told = dangers.map(({ level }) => ({ level, reason: NOT_TOLD })); // guard F9-3
  return {
    rules: [...rules, ...told.slice(0, 1)],
    words: `${script}${words}`,
    ...(isRun && view !== undefined && { view }),
  };
}

function viewIn({ view }: { view?: ContentsView }): { contents?: ContentsView } {
  return view === undefined ? {} : { contents: view };
}

function textInside(text: string): FileInside {
  return { text, isText: !text.includes('\0'), isWhole: true, sizeBytes: Buffer.byteLength(text) };
}

/** Adds the former contents to the view if both contents are text and were read to the end. */
function viewOf({ view }: { view?: ContentsView }, found: ResolvedPath | undefined): { contents?: ContentsView } {
  const inside = found?.inside;
  if (view === undefined) return {};
  const isKnown = inside !== undefined && 'text' in inside && [inside, view].every((one) => one.isWhole && one.isText); // guard P4-2
  return { contents: isKnown ? { ...view, former: inside.text } : view };
}

/** A new name in the same folder, or a new place. */
function movedWords(source: string, target: string, { named, path }: PathNames): string {
  return isRenamed(source, target)
    ? `Rename ${quoted(basename(source))} to ${named(target)}`
    : `Move ${named(source)} to ${path(target)}`;
}

/** A place from which programs start by themselves, or load their code. */
export function placeRules(path: string): RiskRule[] {
  const effect = lastingEffectAt(path);
  if (effect !== undefined) return [{ level: 'critical', reason: `It changes a place ${effect}.` }];
  const loaded = loadedCodeAt(path);
  return loaded === undefined ? [] : [{ level: 'high', reason: `It changes a place ${loaded}.` }];
}

function lastingWords(path: string): string {
  const effect = lastingEffectAt(path);
  return effect === undefined ? '' : `, ${effect}`;
}
