import { join } from 'node:path';
import type { AllowedFolder, FolderInside } from '../../contract/files.ts';
import { lastingEffectAt, loadedCodeAt } from '../../contract/lasting-places.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import { comparablePath, secretAt } from '../../contract/secret-paths.ts';
import type { RiskRule } from '../risk.ts';
import { hiddenRule } from './hidden-places.ts';

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
    ...repositoriesIn(names),
    ...names.flatMap((name, index) => dangerAt({ name, line: index + 1 }, { from, to, folders }) ?? []),
  ];
  const rules = [...(isWhole ? [] : [notLooked(from)]), ...reasonsFor(found)];
  return {
    rules,
    ...(isSecret && { forbidden: `${from} holds a secret place, or would hold one at ${to}. It stays where it is.` }),
    ...(rules.length > 0 && { view: viewOf(inside, found) }),
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
function viewOf({ names, isWhole }: FolderInside, found: readonly Found[]): ContentsView {
  const text = names.join('\n');
  const gravestFirst = found.toSorted((one, other) => Number(isHigh(one)) - Number(isHigh(other)));
  const noticed = gravestFirst.slice(0, MOST_NOTICED).map(({ words, line }) => ({ words, lines: [line] }));
  const noticedCut = found.length > noticed.length;
  return { source: 'folder', text, isWhole, isText: true, sizeBytes: Buffer.byteLength(text), noticed, noticedCut };
}

function isHigh({ level }: Found): boolean {
  return level === 'high';
}
