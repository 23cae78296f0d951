import { describe, expect, test } from 'vitest';
import { sensitivity } from '../../src/contract/sensitive-apps.ts';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { assessRisk } from '../../src/domain/risk.ts';

function assess(name: string, parameters: unknown): Assessment {
  const assessed = CATALOGUE.get(name)?.assess(parameters);
  if (assessed?.ok !== true) throw new Error(`${name} was not assessed: ${JSON.stringify(assessed)}`);
  return assessed.assessment;
}

function faultsOf(name: string, parameters: unknown) {
  const assessed = CATALOGUE.get(name)?.assess(parameters);
  return assessed?.ok === false ? assessed.faults.map(({ pointer }) => pointer) : [];
}

test('the catalogue holds the founding types, QuitApp and Wait, with their classes and base risks', () => {
  const rows = [...CATALOGUE.values()].map(({ name, capability, effectClass, baseRisk }) => [
    name,
    capability,
    effectClass,
    baseRisk,
  ]);
  expect(rows).toEqual([
    ['DescribeScreen', null, 'pure', 'low'],
    ['OpenApp', 'canOpenApps', 'idempotent', 'low'],
    ['QuitApp', 'canOpenApps', 'once', 'medium'],
    ['TakeScreenshot', 'canCaptureScreen', 'pure', 'medium'],
    ['Wait', null, 'pure', 'low'],
  ]);
});

describe('risk', () => {
  test.each([
    ['DescribeScreen', {}, 'low', null],
    ['DescribeScreen', { contents: true }, 'medium', 'canCaptureScreen'],
    ['TakeScreenshot', {}, 'medium', 'canCaptureScreen'],
    ['OpenApp', { appName: 'TextEdit' }, 'low', 'canOpenApps'],
    ['OpenApp', { appName: 'Terminal' }, 'high', 'canOpenApps'],
    ['QuitApp', { appName: 'TextEdit' }, 'medium', 'canOpenApps'],
    ['QuitApp', { appName: 'Terminal' }, 'high', 'canOpenApps'],
    ['Wait', { durationMs: 5 }, 'low', null],
  ])('of %s %j is %s and needs %s', (name, parameters, level, capability) => {
    const { risk, ...assessment } = assess(name, parameters);
    expect({ level: risk.level, capability: assessment.capability }).toEqual({ level, capability });
    expect(risk.reasons.every((reason) => reason.endsWith('.'))).toBe(true);
  });
});

test.each([
  ['DescribeScreen', { contents: true }, 'What a screen says is as private as its pixels.'],
  ['OpenApp', { appName: 'xterm' }, 'xterm is a terminal: whoever controls it controls more than one app.'],
  ['DescribeScreen', {}, 'Naming apps, windows and controls changes nothing and shows no contents.'],
])('the risk of %s %j names only the rule that decided', (name, parameters, reason) => {
  expect(assess(name, parameters).risk.reasons).toEqual([reason]);
});

test('rules of the same level are all named', () => {
  const rules = [
    { level: 'high', reason: 'A.' },
    { level: 'low', reason: 'B.' },
    { level: 'high', reason: 'C.' },
  ] as const;
  expect(assessRisk({ level: 'medium', reason: 'Base.' }, rules)).toEqual({ level: 'high', reasons: ['A.', 'C.'] });
});

describe('sensitive apps', () => {
  test.each([
    'Terminal',
    'com.apple.Terminal',
    'iTerm',
    'xterm',
    'debian-uxterm',
    'GNOME Terminal',
    'KeePassXC',
    '1Password 7',
    'System Settings',
    'org.gnome.Settings',
    'Disk Utility',
    'TeamViewer',
    'Script Editor',
    'com.apple.keychainaccess',
  ])('%s is one', (name) => expect(sensitivity(name)).toBeTypeOf('string'));

  test.each(['TextEdit', 'mousepad', 'gnome-calculator', 'Safari', 'Notes', 'Terminally Ill Patients', 'Kittens'])(
    '%s is none',
    (name) => expect(sensitivity(name)).toBeUndefined(),
  );
});

describe('parameters that are refused', () => {
  test.each([
    ['OpenApp', {}, ['/appName']],
    ['OpenApp', { appName: '' }, ['/appName']],
    ['OpenApp', { appName: 'Safari; rm -rf ~' }, ['/appName']],
    ['OpenApp', { appName: '$(id)' }, ['/appName']],
    ['OpenApp', { appName: '-a' }, ['/appName']],
    ['OpenApp', { appName: '" & do shell script "id" & "' }, ['/appName']],
    ['OpenApp', { appName: 'Safari\nTerminal' }, ['/appName']],
    ['OpenApp', { appName: '/Applications/Safari.app' }, ['/appName']],
    ['OpenApp', { appName: '..' }, ['/appName']],
    ['OpenApp', { appName: 'https://example.org' }, ['/appName']],
    ['OpenApp', { appName: 'S\u0430fari' }, ['/appName']],
    ['OpenApp', { appName: 'Safari\u202egpj' }, ['/appName']],
    ['OpenApp', { appName: 'Saf\u200bari' }, ['/appName']],
    ['OpenApp', { appName: 'Termi\u034fnal' }, ['/appName']],
    ['Wait', { durationMs: -1 }, ['/durationMs']],
    ['Wait', { durationMs: 60_001 }, ['/durationMs']],
    ['TakeScreenshot', { format: 'gif' }, ['/format']],
    ['TakeScreenshot', { display: '1', windowId: '2' }, ['']],
    ['DescribeScreen', { approved: true }, ['/approved']],
  ])('%s %j', (name, parameters, pointers) => expect(faultsOf(name, parameters)).toEqual(pointers));

  test.each(['Safari', 'Visual Studio Code', "Bob's Editor", 'org.gnome.Calculator', 'Überblick', '微信', 'Яндекс'])(
    'the name %s is not',
    (appName) => expect(faultsOf('OpenApp', { appName })).toEqual([]),
  );
});
