import { normalize } from 'node:path';
import { type AllowedFolder, type FolderAccess, OWN_PROGRAM, type ResolvedPath } from '../../contract/files.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { secretAt } from '../../contract/secret-paths.ts';
import { fileFor, type Target, type TargetReference } from '../../contract/targets.ts';
import type { RiskRule } from '../risk.ts';
import type { Assessment, Seen } from './definition.ts';
import { hiddenRule } from './hidden-places.ts';
import { pathWords } from './window-words.ts';

const MEANT_PATH = 'expected an absolute path, or one that begins with ~/';

/** `moves`: the file or folder leaves its place. `runs`: a script runs in it. */
export type WantedPath = { path: string; access: FolderAccess; use?: 'moves' | 'runs' };

export function pathReference(path: string, { into = false } = {}): TargetReference {
  return { kind: 'path', path, ...(into && { into }) };
}

/** Where the paths of an action lead, in the order in which it names them. */
export function filesIn(targets: readonly Target[] = []): ResolvedPath[] {
  return targets.flatMap((target) => (target.kind === 'path' ? target.file : []));
}

/**
 * The common part of actions on files: secrets are blocked, a path outside of the folders that the person allowed makes the
 * risk high, and so does a path that nobody has looked up yet. The first path is the target of the action.
 */
export function fileTarget(wanted: readonly [WantedPath, ...WantedPath[]], { targets, folders = [] }: Seen) {
  const looked = wanted.map((each) => ({ ...each, found: fileFor(targets ?? [], each.path) }));
  const [first] = looked;
  const target = first?.found?.realPath ?? wanted[0].path;
  const isOnly = looked.length === 1 && first?.use !== 'runs';
  const rules = looked.flatMap((each) => ruleFor({ ...each, isOnly }, folders));
  const forbidden = looked.map(objectionTo).find((objection) => objection !== undefined);
  return {
    rules,
    facts: {
      capability: 'canAccessFiles',
      target,
      denialTarget: looked.map(({ path, found }) => found?.realPath ?? path).join('\n'),
      apps: [],
      paths: looked.map(({ path, found }) => found?.realPath ?? path),
      outside: looked.filter((each) => !isAllowed(each, folders)).map(({ path }) => path),
      forbidden,
      // A path may lead to another file tomorrow, also in an allowed folder.
      onceOnly: true,
    },
  } as const satisfies { rules: RiskRule[]; facts: Partial<Assessment> };
}

/** The path for a sentence: where it leads, once that is known. */
export function shownPath(path: string, seen: Seen): string {
  return foundAt(path, seen)?.realPath ?? path;
}

/** The file or folder at the path, if the agent found it. */
export function foundAt(path: string, { targets = [] }: Seen): ResolvedPath | undefined {
  return fileFor(targets, path);
}

export function kindAt(path: string, seen: Seen): ResolvedPath['kind'] | undefined {
  return foundAt(path, seen)?.kind;
}

function ruleFor({ path, access, found, isOnly }: Looked & Named, folders: readonly AllowedFolder[]): RiskRule[] {
  if (found === undefined)
    return [{ level: 'high', reason: `The agent has not looked up where ${pathWords(path)} leads.` }];
  if ((found.names ?? 1) > 1) {
    const reason = `${pathWords(found.realPath)} has ${found.names} names, and another one may be outside of the allowed folders.`;
    return [{ level: 'high', reason }];
  }
  if (isAllowed({ access, found }, folders)) return hiddenRule(found.realPath, access, folders);
  const verb = access === 'read' ? 'read' : 'change';
  const place = isOnly ? 'It' : pathWords(found.realPath);
  const reason = `${place} is outside of the folders that you allowed this requester to ${verb}.`;
  return [{ level: 'high', reason }];
}

/** `isOnly`: the sentence of the action names this path and no other. */
type Named = { isOnly: boolean };

type Looked = WantedPath & { found: ResolvedPath | undefined };

function isAllowed({ access, found }: Pick<Looked, 'access' | 'found'>, folders: readonly AllowedFolder[]): boolean {
  return (
    found !== undefined && folders.some((folder) => mayUse(folder, access) && isWithin(found.realPath, folder.path))
  );
}

function mayUse(folder: AllowedFolder, access: FolderAccess): boolean {
  return access === 'read' || folder.access === 'write';
}

/** Whether a real path is the folder or lies below it. */
export function isWithin(realPath: string, folder: string): boolean {
  return realPath === folder || realPath.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Until a path was followed, its spelling alone can show that it is secret. */
function objectionTo({ path, use, found }: Looked): string | undefined {
  const secret = found === undefined ? secretAt(normalize(path)) : found.secret;
  if (secret !== undefined) return `${found?.realPath ?? path} is a secret place (${secret}). No action may touch it.`;
  const held = found?.holds;
  if (held !== undefined && use === 'moves') return `${found?.realPath} holds ${held}, which must stay where it is.`;
  if (held === OWN_PROGRAM && use === 'runs')
    return `${found?.realPath} holds ${held}, so no script may run there. Name a smaller folder.`;
  if (found?.kind !== 'special') return undefined;
  return `${found.realPath} is a device, a socket, a pipe or a link that leads to nothing. Handrail opens only files and folders.`;
}

/** A relative path has no meaning: the requester's current folder is not known. */
export function pathFault(pointer: string, path: string): SchemaFault[] {
  const isWhole = path.startsWith('/') || path.startsWith('~/') || path === '~';
  return isWhole && !path.includes('\0') ? [] : [{ pointer, message: MEANT_PATH }];
}
