import { join } from 'node:path';
import type { AllowedFolder, FolderInside } from '../../contract/files.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import { comparablePath, secretAt } from '../../contract/secret-paths.ts';
import type { RiskRule } from '../risk.ts';
import { lastingEffectAt } from '../scripts/places.ts';
import { loadedCodeAt } from '../scripts/settings-places.ts';
import { hiddenRule } from './hidden-places.ts';

type Move = { from: string; to: string; inside: FolderInside | undefined; folders: readonly AllowedFolder[] };

type JudgedFolder = { rules: RiskRule[]; forbidden?: string; view?: ContentsView };

/**
 * Judges each thing in a folder by the path that it will have. A place that was as dangerous before the move is of high risk, and one
 * that becomes so by it is critical.
 */
export function folderMoved({ from, to, inside, folders }: Move): JudgedFolder {
  if (inside === undefined) return { rules: [notLooked(from)] };
  const { names, isWhole } = inside;
  const secret = names.map((name) => join(to, name)).find((path) => secretAt(path) !== undefined);
  const found = names.flatMap((name) => dangerIn(name, { from, to, folders }) ?? []);
  const rules = [
    ...(isWhole ? [] : [notLooked(from)]),
    ...repositoriesIn(names).map((name) => repositoryRule(join(to, name))),
    ...(['critical', 'high'] as const).flatMap((level) => listed(found.filter((each) => each.level === level))),
  ];
  return {
    rules,
    ...(secret !== undefined && {
      forbidden: `${secret} would be a secret place (${secretAt(secret)}). It stays where it is.`,
    }),
    ...(rules.length > 0 && { view: viewOf(inside) }),
  };
}

function notLooked(from: string): RiskRule {
  return {
    level: 'high',
    reason: `Handrail did not look at everything in ${from}: it holds too much, or it may not be read.`,
  };
}

function dangerIn(name: string, { from, to, folders }: Omit<Move, 'inside'>): RiskRule | undefined {
  const [old, path] = [join(from, name), join(to, name)].map((each) => each.replace(/\/$/u, '')) as [string, string];
  const effect = lastingEffectAt(path);
  if (effect !== undefined) {
    const level: RiskLevel = lastingEffectAt(old) === effect ? 'high' : 'critical';
    return { level, reason: `It puts ${path} in place, ${effect}.` };
  }
  const loaded = loadedCodeAt(path);
  if (loaded !== undefined && loadedCodeAt(old) === undefined)
    return { level: 'high', reason: `It puts ${path} in place, ${loaded}.` };
  return hiddenRule(path, 'write', folders)[0];
}

const MOST_LISTED = 3;

function listed(found: readonly RiskRule[]): RiskRule[] {
  const [first] = found;
  const rest = found.length - MOST_LISTED;
  if (first === undefined || rest <= 0) return [...found];
  return [
    ...found.slice(0, MOST_LISTED),
    { level: first.level, reason: `So do ${rest} more files and folders in it.` },
  ];
}

/**
 * The folders that are laid out as a Git repository: Git runs the hooks and settings in them, whatever their names are. The names
 * are relative, and the folder itself is the empty one.
 */
function repositoriesIn(names: readonly string[]): string[] {
  const spelled = new Set(names.map((name) => comparablePath(name)));
  const has = (folder: string, name: string) => spelled.has(`${folder}${name}`) || spelled.has(`${folder}${name}/`);
  const isRepository = (folder: string) =>
    has(folder, 'head') && (has(folder, 'commondir') || (has(folder, 'objects') && has(folder, 'refs')));
  return ['', ...spelled]
    .filter((name) => (name === '' || name.endsWith('/')) && isRepository(name))
    .slice(0, MOST_LISTED);
}

function repositoryRule(path: string): RiskRule {
  const reason = `${path.replace(/\/$/u, '')} is laid out as a Git repository, from which Git starts commands.`;
  return { level: 'critical', reason };
}

/** The names in the folder, one a line. */
function viewOf({ names, isWhole }: FolderInside): ContentsView {
  const text = names.join('\n');
  return {
    source: 'folder',
    text,
    isWhole,
    isText: true,
    sizeBytes: Buffer.byteLength(text),
    noticed: [],
    noticedCut: false,
  };
}
