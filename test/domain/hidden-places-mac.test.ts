import { describe, expect, test } from 'vitest';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { lastingEffectAt } from '../../src/contract/lasting-places.ts';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { pathTargets } from './path-targets.ts';

const HOME = '/Users/ann';
const SUPPORT = 'Library/Application Support';
const identity = { device: '1', inode: '2' };

/** The risk on a Mac whose person allowed the home folder, unless another folder is named. */
function riskOf(type: 'ReadFile' | 'WriteFile', name: string, allowed = HOME): string | undefined {
  const path = `${HOME}/${name}`;
  const kind = type === 'WriteFile' ? 'missing' : 'file';
  const file: ResolvedPath = { path, realPath: path, kind, identity, folder: identity };
  const seen = { targets: pathTargets([file]), folders: [{ path: allowed, access: 'write' } as const] };
  const parameters = type === 'WriteFile' ? { path, content: 'x' } : { path };
  const assessed = CATALOGUE.get(type)?.assess(parameters, seen);
  return assessed?.ok === true ? assessed.assessment.risk.level : undefined;
}

describe('F5: the Library of a Mac is a hidden place', () => {
  test.each([
    'Library/Preferences/com.example.app.plist',
    'Library/Calendars/a.ics',
    'Library/Mobile Documents/com~apple~CloudDocs/letter.txt',
    `${SUPPORT}/AddressBook/a.abcddb`,
    `${SUPPORT}/Unknown/settings.json`,
    'library/Containers/com.example/a',
  ])('%s is of medium risk to read and of high risk to write', (name) => {
    expect([riskOf('ReadFile', name), riskOf('WriteFile', name)]).toEqual(['medium', 'high']);
  });

  test('a folder in it that the person allowed itself is like every other one', () => {
    const folder = 'Library/Mobile Documents/com~apple~CloudDocs';
    expect(riskOf('WriteFile', `${folder}/letter.txt`, `${HOME}/${folder}`)).toBe('medium');
    expect(riskOf('ReadFile', `${folder}/letter.txt`, `${HOME}/${folder}`)).toBe('low');
  });

  test('a folder of this name in a project is no hidden place', () =>
    expect([riskOf('ReadFile', 'work/library/a.ts'), riskOf('WriteFile', 'work/library/a.ts')]).toEqual([
      'low',
      'medium',
    ]));
});

test.each([
  `${SUPPORT}/Firefox/Profiles/a/prefs.js`,
  `${SUPPORT}/Google/Chrome/Default/History`,
  `${SUPPORT}/Google/Chrome Beta/Default/History`,
  `${SUPPORT}/Slack/storage/root-state.json`,
  `${SUPPORT}/discord/Local Storage/leveldb/1.ldb`,
  `${SUPPORT}/discordcanary/settings.json`,
  `${SUPPORT}/Telegram Desktop/tdata/key_datas`,
  'Library/Group Containers/6N38VWS5BX.ru.keepcoder.Telegram/a',
  'Library/Keychains/login.keychain-db',
  'Library/Cookies/Cookies.binarycookies',
  'Library/HTTPStorages/com.example/httpstorages.sqlite',
  `${SUPPORT}/iCloud/Accounts/1`,
  `${SUPPORT}/CloudDocs/session/db/client.db`,
  'Library/Accounts/Accounts4.sqlite',
  'Library/Ethereum/keystore/UTC--a',
  `${SUPPORT}/gh/hosts.yml`,
  `${SUPPORT}/nushell/history.sqlite3`,
  '.codex/auth.json',
  '.config/solana/id.json',
])('F5: %s is a secret', (name) => expect(secretAt(`${HOME}/${name}`)).toBeDefined());

test.each([
  'Library/LaunchAgents/a.plist',
  'Library/Scripts/a.scpt',
  'Library/Services/a.workflow',
  'Library/Screen Savers/a.saver',
  `${SUPPORT}/Code/User/tasks.json`,
  `${SUPPORT}/Claude/claude_desktop_config.json`,
  `${SUPPORT}/nushell/config.nu`,
])('F5: a change of %s has an effect later, and is of critical risk', (name) => {
  expect(lastingEffectAt(`${HOME}/${name}`)).toBeDefined();
  expect(riskOf('WriteFile', name)).toBe('critical');
});
