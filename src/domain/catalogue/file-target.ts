import { normalize } from 'node:path';
import { type AllowedFolder, type FolderAccess, OWN_PROGRAM, type ResolvedPath } from '../../contract/files.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import { comparablePath, secretAt } from '../../contract/secret-paths.ts';
import { fileFor, type Target, type TargetReference } from '../../contract/targets.ts';
import type { RiskRule } from '../risk.ts';
import type { Assessment, Seen } from './definition.ts';
import { pathWords, quoted } from './window-words.ts';

const MEANT_PATH = 'expected an absolute path, or one that begins with ~/';

/** `moves`: the file or folder leaves its place. `runs`: a script runs in it. */
type WantedPath = { path: string; access: FolderAccess; use?: 'moves' | 'runs' };

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
      denialTarget: looked.map(({ path, found }) => found?.realPath ?? path).join('\n'), // guard E2-6
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

/**
 * Programs keep settings, sessions and keys in files and folders whose names begin with a dot, on a Mac also in `Library`, and no
 * list of them is complete. So each of them is of high risk to change and of medium risk to read, but for the names below. Lists of
 * secrets and of places that start programs only raise this.
 */
export function hiddenRule(realPath: string, access: FolderAccess, folders: readonly AllowedFolder[]): RiskRule[] {
  const hidden = hiddenNames(realPath, folders);
  if (hidden.length === 0 || isHarmless(hidden, access)) return []; // guard F5-2
  const verb = access === 'read' ? 'read' : 'change';
  const level = access === 'read' ? 'medium' : 'high';
  return [
    {
      level,
      reason: `To ${verb} ${pathWords(realPath)} is to ${verb} a hidden place, where programs keep settings and keys.`,
    },
  ];
}

/** Whether a folder is a hidden one, or lies in one. */
export function isHiddenPlace(realPath: string): boolean {
  return hiddenNames(realPath, []).length > 0;
}

/** The names from the first hidden one on. A hidden folder that the person allowed itself does not count. */
function hiddenNames(realPath: string, folders: readonly AllowedFolder[]): string[] {
  const above = folders
    .map(({ path }) => (path.endsWith('/') ? path : `${path}/`))
    .filter((path) => realPath.startsWith(path) || `${realPath}/` === path)
    .reduce((longest, path) => Math.max(longest, path.split('/').length - 1), 0);
  const names = realPath.split('/').map(comparablePath);
  const first = names.findIndex((name, index) => index >= above && (name.startsWith('.') || isLibrary(names, index))); // guard F5-4
  return first < 0 ? [] : names.slice(first);
}

/** On a Mac programs keep in `Library` what they keep in dot folders elsewhere. */
function isLibrary(names: readonly string[], index: number): boolean {
  return names[index] === 'library' && (index === 1 || names[index - 2] === 'users');
}

function isHarmless([name = '', ...below]: readonly string[], access: FolderAccess): boolean {
  const others = below.some((each) => each.startsWith('.') && !HARMLESS_FILES.has(each));
  if (others) return false;
  const path = below.join('/');
  if (below.length === 0 && HARMLESS_FILES.has(name)) return true;
  if (access === 'write') return HARMLESS_BELOW[name]?.test(path) ?? false;
  if (name === '.git') return !HOLDS_KEYS.test(path);
  return READABLE_FOLDERS.has(name) || (below.length === 0 && PROJECT_FILES.test(name));
}

/** Files that neither hold keys nor name programs to run. */
const HARMLESS_FILES: ReadonlySet<string> = new Set([
  '.gitignore',
  '.gitattributes',
  '.gitkeep',
  '.keep',
  '.mailmap',
  '.editorconfig',
  '.prettierignore',
  '.eslintignore',
  '.stylelintignore',
  '.dockerignore',
  '.npmignore',
  '.browserslistrc',
  '.nvmrc',
  '.node-version',
  '.python-version',
  '.ruby-version',
  '.clang-format',
  '.rustfmt.toml',
  '.nojekyll',
  '.ds_store',
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
]);

/** Folders of a project whose files are harmless to read. Changes there can run programs. */
const READABLE_FOLDERS: ReadonlySet<string> = new Set([
  '.github',
  '.gitlab',
  '.vscode',
  '.husky',
  '.circleci',
  '.storybook',
  '.changeset',
  '.devcontainer',
]);

/** A repository is harmless to read but for these files: the address of a remote repository can hold a password. */
const HOLDS_KEYS = /^(?:config|fetch_head|logs|modules|worktrees)(?:[./]|$)/u;

/** Settings of the tools of a project. Many of them name programs or plug-ins, so they are no harmless change. */
const PROJECT_FILES =
  /^\.(?:gitmodules|gitlab-ci\.ya?ml|travis\.ya?ml|pre-commit-config\.yaml|tool-versions|swcrc|nycrc|flake8|pylintrc|clang-tidy|(?:prettier|eslint|stylelint|babel|mocha|lintstaged|markdownlint|yamllint)(?:rc)?(?:\.(?:json|jsonc|ya?ml|toml|[cm]?js|ts))?)$/u;

/** Changes below a hidden folder that run nothing. The automation of GitHub does, and so do tasks and settings of an editor. */
const HARMLESS_BELOW: Readonly<Record<string, RegExp>> = {
  '.git': /^(?:info\/exclude|description)$/u,
  '.github':
    /^(?:(?:issue_template|pull_request_template|discussion_template)\/[^/]+|[^/]+\.md|codeowners|funding\.yml)$/u,
  '.vscode': /^(?:extensions\.json|[^/]+\.code-snippets)$/u,
};

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
  if (held !== undefined && use === 'moves') return `${found?.realPath} holds ${held}, which must stay where it is.`; // guard F8-2
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

/** How a sentence names a path: by itself, the file at it, and as the place of something. */
export type PathNames = {
  path(path: string): string;
  /** “letter.md” in /home/ann/Reports */
  named(path: string): string;
  /** ` in /home/ann/Reports`, at the end of a sentence */
  place(path: string): string;
};

/** The sentence of an action on paths, whole and for a prompt that names their folder once for all its steps. */
export function sentenceOn(say: (names: PathNames) => string): Pick<Assessment, 'sentence' | 'sentenceIn'> {
  return { sentence: say(WHOLE), sentenceIn: (folder) => say(namesIn(folder)) };
}

const WHOLE: PathNames = { path: pathWords, named: namedAt, place: (path) => ` in ${pathWords(path)}` };

export function namedAt(path: string): string {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  return at < 0 || name === '' ? pathWords(path) : `${quoted(name)} in ${pathWords(path.slice(0, at) || '/')}`;
}

/** What does not lie in the folder keeps its whole path, which alone begins with a slash or `~`. So does a folder whose own name is `~`. */
function namesIn(folder: string): PathNames {
  const inside = (path: string) => {
    const rest = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
    return rest === '' || /^[~/]/u.test(rest) ? path : rest;
  };
  return {
    path: (path) => pathWords(inside(path)),
    named: (path) => (inside(path).includes('/') ? namedAt(inside(path)) : quoted(inside(path))),
    place: (path) => (path === folder ? '' : ` in ${pathWords(inside(path))}`),
  };
}
