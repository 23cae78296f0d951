import { describe, expect, test } from 'vitest';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { lastingEffectAt } from '../../src/contract/lasting-places.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { pathTargets } from './path-targets.ts';

const HOME = '/home/ann';
const identity = { device: '1', inode: '2' };

function found(path: string, kind: ResolvedPath['kind']): ResolvedPath {
  return { path, realPath: path, kind, identity, folder: identity };
}

/** The risk in an allowed folder, which is the home folder of the person unless named. */
function riskOf(type: string, path: string, allowed = HOME): string | undefined {
  const seen = {
    targets: pathTargets([found(path, type === 'WriteFile' ? 'missing' : 'file')]),
    folders: [{ path: allowed, access: 'write' } as const],
  };
  const assessed = CATALOGUE.get(type)?.assess({ path, ...(type === 'WriteFile' ? { content: 'x' } : {}) }, seen);
  return assessed?.ok === true ? assessed.assessment.risk.level : undefined;
}

describe('F5: hidden files and folders in an allowed home', () => {
  test.each([
    '.unknown',
    '.unknown/deep/a.txt',
    'work/.unknown.json',
    'work/.git/config',
    'work/.git/modules/a/config',
    'work/.github/.token',
    '.idea/dataSources.xml',
  ])('%s is of medium risk to read', (name) => expect(riskOf('ReadFile', `${HOME}/${name}`)).toBe('medium'));

  test.each([
    'work/.gitignore',
    'work/.git/HEAD',
    'work/.github/workflows/ci.yml',
    'work/.vscode/settings.json',
    'work/.editorconfig',
    'work/.prettierrc',
    'work/.eslintrc.json',
    'work/notes.md',
  ])('%s is of low risk to read', (name) => expect(riskOf('ReadFile', `${HOME}/${name}`)).toBe('low'));

  test('a list of the names in a hidden folder is of medium risk', () =>
    expect([riskOf('ListFiles', `${HOME}/.config`), riskOf('ListFiles', `${HOME}/work/.github`)]).toEqual([
      'medium',
      'low',
    ]));

  test.each([
    '.unknown',
    '.unknown/deep/a.txt',
    'work/.prettierrc',
    'work/.github/workflows/ci.yml',
    'work/.git/HEAD',
    'work/.git/refs/heads/main',
    'work/.vscode/any.json',
    'work/.gitignore/a',
  ])('%s is of high risk to write', (name) => expect(riskOf('WriteFile', `${HOME}/${name}`)).toBe('high'));

  test.each([
    'work/.gitignore',
    'work/.editorconfig',
    'work/.git/info/exclude',
    'work/.github/ISSUE_TEMPLATE/bug.md',
    'work/.vscode/extensions.json',
  ])('%s is of medium risk to write', (name) => expect(riskOf('WriteFile', `${HOME}/${name}`)).toBe('medium'));

  test('a hidden folder that the person allowed itself is like every other one, and those in it are hidden', () => {
    const allowed = `${HOME}/.local/share/notes`;
    expect(riskOf('WriteFile', `${allowed}/a.txt`, allowed)).toBe('medium');
    expect(riskOf('WriteFile', `${allowed}/.keys/a.txt`, allowed)).toBe('high');
  });

  test('a move is a change of both of its places', () => {
    const move = (from: string, to: string) => {
      const seen = {
        targets: pathTargets([
          { ...found(from, 'folder'), inside: { names: [], isWhole: true } },
          found(to, 'missing'),
        ]),
        folders: [{ path: HOME, access: 'write' } as const],
      };
      const assessed = CATALOGUE.get('MoveFile')?.assess({ from, to }, seen);
      return assessed?.ok === true ? assessed.assessment.risk.level : undefined;
    };
    expect(move(`${HOME}/dotfiles/.unknown`, `${HOME}/dotfiles/plain`)).toBe('high');
    expect(move(`${HOME}/plain`, `${HOME}/.unknown`)).toBe('high');
    expect(move(`${HOME}/left-pad`, `${HOME}/work/.git`)).toBe('critical');
    expect(move(`${HOME}/a`, `${HOME}/b`)).toBe('medium');
  });
});

test.each([
  '.bash_completion',
  '.bashrc.d/a',
  '.oh-my-zsh/custom/a.zsh',
  '.config/environment.d/a.conf',
  '.config/autostart-scripts/a.sh',
  'work/.claude/settings.json',
  'work/.mcp.json',
  '.cargo/config.toml',
  'work/.yarnrc.yml',
  'work/.vscode/launch.json',
  'work/.vscode/tasks.json',
  'work/a.code-workspace',
  'work/.git',
  'work/.git/config',
  'work/.git/hooks/any',
  'work/left-pad/hooks/post-merge',
  'work/node_modules/.bin/tsc',
  'work/.cursor/rules/a',
  'work/.zed/tasks.json',
  'work/.git/config.worktree',
  'work/.git/modules/a/config',
  'work/.GIT/worktrees/a/gitdir',
  'work/.g\u200Cit/hooks/pre-commit',
])('F5: a change of %s has an effect later, and is of critical risk', (name) => {
  expect(lastingEffectAt(`${HOME}/${name}`)).toBeDefined();
  expect(riskOf('WriteFile', `${HOME}/${name}`)).toBe('critical');
});

test.each([
  '.config/mozilla/firefox/a/prefs.js',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.claude/.credentials.json',
  '.config/github-copilot/apps.json',
  '.config/Slack/Cookies',
  '.config/discord/Local Storage/a.ldb',
  '.local/share/TelegramDesktop/tdata/key_datas',
  '.ethereum/keystore/UTC--a',
  '.config/solana/id.json',
  '.config/containers/auth.json',
  '.local/share/atuin/history.db',
  '.zsh-history.db',
  '.zsh_history.bak',
  '.local/state/bash/history',
  '.local/share/zsh/history',
  '.config/nushell/history.sqlite3',
  '.local/share/mcfly/history.db',
  '.hishtory/.hishtory.db',
  '.local/share/fish/fish_history',
  '.zhistory',
  '.history',
  '.config/glab-cli/config.yml',
  '.anthropic/key',
  '.Xauthority',
])('F5: %s is a secret', (name) => expect(secretAt(`${HOME}/${name}`)).toBeDefined());

test.each(['work/history.txt', 'work/auth.json', 'work/config/mozilla.txt', 'work/slack.md', 'work/keystore.ts'])(
  '%s is no secret',
  (name) => expect(secretAt(`${HOME}/${name}`)).toBeUndefined(),
);
