import type { AllowedFolder, FolderAccess } from '../../contract/files.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import type { RiskRule } from '../risk.ts';
import { pathWords } from './window-words.ts';

/**
 * Programs keep settings, sessions and keys in files and folders whose names begin with a dot, on a Mac also in `Library`, and no
 * list of them is complete. So each of them is of high risk to change and of medium risk to read, but for the names below. Lists of
 * secrets and of places that start programs only raise this.
 */
export function hiddenRule(realPath: string, access: FolderAccess, folders: readonly AllowedFolder[]): RiskRule[] {
  const hidden = hiddenNames(realPath, folders);
  if (hidden.length === 0 || isHarmless(hidden, access)) return [];
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
  const first = names.findIndex((name, index) => index >= above && (name.startsWith('.') || isLibrary(names, index)));
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
