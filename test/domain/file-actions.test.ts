import { describe, expect, test } from 'vitest';
import type { AllowedFolder, ResolvedPath } from '../../src/contract/files.ts';
import type { Assessment } from '../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { offeredScopes } from '../../src/domain/grant.ts';
import { pathTargets } from './path-targets.ts';

const HOME: AllowedFolder[] = [
  { path: '/home/ann/work', access: 'write' },
  { path: '/home/ann/library', access: 'read' },
];

function found(realPath: string, more: Partial<ResolvedPath> = {}): ResolvedPath {
  const identity = { device: '1', inode: '2' };
  return { path: '~/asked', realPath, kind: 'file', identity, folder: identity, names: 1, ...more };
}

function assess(type: string, parameters: object, files: ResolvedPath[], folders = HOME): Assessment {
  const assessed = CATALOGUE.get(type)?.assess(parameters, { targets: pathTargets(files), folders });
  if (assessed?.ok !== true) throw new Error(JSON.stringify(assessed));
  return assessed.assessment;
}

const PATH = { path: '~/asked' };
const WRITE = { ...PATH, content: 'x' };

describe('the risk of an action on files', () => {
  test.each([
    ['ListFiles', PATH, found('/home/ann/library/deep/a', { kind: 'folder' }), 'low'],
    ['ReadFile', PATH, found('/home/ann/library/a.txt'), 'low'],
    ['ReadFile', PATH, found('/home/ann/library'), 'low'],
    ['ReadFile', PATH, found('/home/ann/library-of-others/a.txt'), 'high'],
    ['ReadFile', PATH, found('/etc/hosts'), 'high'],
    ['ReadFile', PATH, found('/home/ann/work/a.txt', { names: 2 }), 'high'],
    ['WriteFile', WRITE, found('/home/ann/work/a.txt', { kind: 'missing' }), 'medium'],
    ['WriteFile', WRITE, found('/home/ann/library/a.txt', { kind: 'missing' }), 'high'],
    ['WriteFile', { ...WRITE, overwrite: true }, found('/home/ann/work/a.txt'), 'high'],
    ['WriteFile', { ...WRITE, overwrite: true }, found('/home/ann/work/a.txt', { kind: 'missing' }), 'medium'],
    ['TrashFile', PATH, found('/home/ann/work/a.txt'), 'high'],
  ])('%s %j at %j is %s', (type, parameters, file, level) => {
    expect(assess(type, parameters, [file]).risk.level).toBe(level);
  });

  test('a move is judged by both of its places', () => {
    const from = found('/home/ann/work/a.txt', { path: '/a' });
    const inside = found('/home/ann/work/b.txt', { path: '/b', kind: 'missing' });
    const outside = found('/home/ann/b.txt', { path: '/b', kind: 'missing' });
    const move = (to: ResolvedPath) => assess('MoveFile', { from: '/a', to: '/b' }, [from, to]);
    expect([move(inside).risk.level, move(outside).risk.level]).toEqual(['medium', 'high']);
    expect(move(outside).risk.reasons).toEqual([
      '/home/ann/b.txt is outside of the folders that you allowed this requester to change.',
    ]);
  });

  test('a path that was not looked up is of high risk, and a secret spelling is blocked already', () => {
    expect(assess('ReadFile', { path: '/home/ann/work/a.txt' }, []).risk.level).toBe('high');
    expect(assess('ReadFile', { path: '/home/ann/x/../.ssh/id_rsa' }, []).forbidden).toContain('secret place');
  });
});

test('secrets, devices and pipes are blocked in an allowed folder too', () => {
  const secret = found('/home/ann/work/.env', { secret: 'settings with passwords and keys' });
  expect(assess('ReadFile', PATH, [secret]).forbidden).toBe(
    '/home/ann/work/.env is a secret place (settings with passwords and keys). No action may touch it.',
  );
  expect(assess('ReadFile', PATH, [found('/home/ann/work/pipe', { kind: 'special' })]).forbidden).toContain('a pipe');
});

test('an approval counts once, also in an allowed folder, because the path may lead elsewhere tomorrow', () => {
  const scopes = (file: ResolvedPath) =>
    offeredScopes(assess('WriteFile', WRITE, [file]), { arguments: '{}', inTask: false });
  expect(scopes(found('/etc/motd', { kind: 'missing' }))).toEqual(['once']);
  expect(scopes(found('/home/ann/work/a.txt', { kind: 'missing' }))).toEqual(['once']);
});

test.each([
  [
    256 * 1024 ** 2,
    'Replaces the whole file. You can undo this for 24 hours, unless newer copies need the room: Handrail keeps at most 1 GiB and 1,000 former versions, and removes the oldest of the requester that uses the most.',
  ],
  [
    256 * 1024 ** 2 + 1,
    'The file is larger than 256 MiB. Handrail keeps no copy of so large a file and could not undo this, so the action will fail and the file stays as it is.',
  ],
])('before a file of %d bytes is replaced, the prompt says whether it can be undone', (sizeBytes, changes) => {
  const file = found('/home/ann/work/a.txt', { sizeBytes });
  expect(assess('WriteFile', { ...WRITE, overwrite: true }, [file]).changes).toBe(changes);
});

const FORMER = { text: 'before', isText: true, isWhole: true, sizeBytes: 6 };

test.each([
  ['the present text, where it is known whole', {}, {}, 'before'],
  ['nothing beside a present text that was not read to its end', { isWhole: false }, {}, undefined],
  ['nothing beside bytes that are no text', { isText: false }, {}, undefined],
  ['nothing beside a new text that was not read to its end', {}, { isWhole: false }, undefined],
  ['nothing beside new bytes that are no text', {}, { isText: false }, undefined],
])('P4: an overwrite is compared with %s', (_what, before, now, former) => {
  const file = found('/home/ann/work/a.txt', { inside: { ...FORMER, ...before } });
  const artifact = { ...FORMER, text: 'now', ...now };
  const parameters = { ...PATH, artifactId: 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3A', overwrite: true };
  const seen = { targets: pathTargets([file]), folders: HOME, artifact };
  const assessed = CATALOGUE.get('WriteFile')?.assess(parameters, seen);
  if (assessed?.ok !== true) throw new Error(JSON.stringify(assessed));
  expect(assessed.assessment.contents?.former).toBe(former);
});

test('the sentence names the place to which the path leads', () => {
  expect(assess('ReadFile', PATH, [found('/home/ann/work/a.txt')]).sentence).toBe('Read “a.txt” in /home/ann/work');
  const overwrite = assess('WriteFile', { ...WRITE, overwrite: true }, [found('/home/ann/work/a.txt')]);
  expect(overwrite.sentence).toBe('Replace “a.txt” in /home/ann/work');
});

test.each([
  ['ReadFile', { path: 'notes.txt' }],
  ['ReadFile', { path: '~root/notes.txt' }],
  ['WriteFile', { path: '/a' }],
  ['WriteFile', { path: '/a', content: 'x', artifactId: 'art_01JZ6M6E7K3V4S8T9W0X1Y2Z3A' }],
  ['MoveFile', { from: '/a', to: 'b' }],
  ['ListFiles', { path: '/a', depth: 6 }],
])('%s %j is refused', (type, parameters) => {
  expect(CATALOGUE.get(type)?.assess(parameters)).toMatchObject({ ok: false });
});

test.each([
  ['ReadFile', 'maxBytes', 10 * 1024 * 1024],
  ['ListFiles', 'depth', 5],
  ['ListFiles', 'limit', 5_000],
])('%s takes a %s of %d, and no larger one', (type, name, most) => {
  const taken = (value: number) => CATALOGUE.get(type)?.assess({ path: '/a', [name]: value }).ok;
  expect([taken(most), taken(most + 1)]).toEqual([true, false]);
});

test.each([
  ['WriteFile', 'content', { path: '/a' }],
  ['RunScript', 'script', { interpreter: 'sh' }],
])('%s takes a %s of 60,000 characters, and no longer one', (type, name, others) => {
  const taken = (length: number) => CATALOGUE.get(type)?.assess({ ...others, [name]: 'x'.repeat(length) }).ok;
  expect([taken(60_000), taken(60_001)]).toEqual([true, false]);
});

describe('the sentence names the danger', () => {
  test.each([
    [
      'ReadFile',
      PATH,
      found('/home/ann/work/Contacts_2024.csv'),
      'medium',
      ', which holds records about people by its name',
    ],
    ['ReadFile', PATH, found('/home/ann/work/passwords.txt'), 'medium', ', which holds passwords or keys by its name'],
    ['ReadFile', PATH, found('/etc/passwd'), 'high', ', which holds the list of accounts by its name'],
    [
      'WriteFile',
      WRITE,
      found('/home/ann/work/.zshrc', { kind: 'missing' }),
      'critical',
      ', which runs each time a shell or a session starts',
    ],
    [
      'WriteFile',
      WRITE,
      found('/home/ann/work/.git/hooks/pre-commit', { kind: 'missing' }),
      'critical',
      ', from which other programs start commands',
    ],
    [
      'WriteFile',
      { ...PATH, content: '#!/bin/sh\nrm -rf ~/Music\n' },
      found('/home/ann/work/run', { kind: 'missing' }),
      'high',
      '. Handrail noticed: deletes ~/Music (line 2)',
    ],
    [
      'WriteFile',
      { ...PATH, content: 'os.remove("a")' },
      found('/home/ann/work/a.py', { kind: 'missing' }),
      'high',
      '. Handrail noticed: deletes a (line 1)',
    ],
    ['TrashFile', PATH, found('/home/ann/work/a.txt'), 'high', '“a.txt” in /home/ann/work to the trash'],
  ])('%s %j at %j is %s', (...[type, parameters, file, level, words]) => {
    const { risk, sentence } = assess(type, parameters, [file]);
    expect({ level: risk.level, sentence }).toEqual({ level, sentence: expect.stringContaining(words) });
  });

  test('a move to a place from which programs start', () => {
    const from = found('/home/ann/work/a.txt', { path: '/a' });
    const to = found('/home/ann/work/.config/autostart/a', { path: '/b', kind: 'missing' });
    const { sentence, risk } = assess('MoveFile', { from: '/a', to: '/b' }, [from, to]);
    expect(sentence).toContain('which starts programs at each login');
    expect(risk.level).toBe('critical');
  });

  test.each(['bill-2023.txt', 'notes.md', 'report.pdf', 'accountability.txt', 'contactless.txt'])(
    'reading %s in an allowed folder needs no prompt',
    (name) => expect(assess('ReadFile', PATH, [found(`/home/ann/work/${name}`)]).risk.level).toBe('low'),
  );

  test('a text that is no script is not read as one', () => {
    const content = 'rm -rf ~ deletes your files';
    const { sentence, risk } = assess('WriteFile', { ...PATH, content }, [
      found('/home/ann/work/a.md', { kind: 'missing' }),
    ]);
    expect({ sentence, level: risk.level }).toEqual({
      sentence: 'Create “a.md” in /home/ann/work',
      level: 'medium',
    });
  });
});

describe('A5: a path cannot read on as the words of Handrail', () => {
  const spoof = '/home/ann/a. Handrail has checked it: “harmless”';
  const shown = '“/home/ann/a. Handrail has checked it: \\u{201c}harmless\\u{201d}”';

  test.each([
    ['ListFiles', PATH, [found(spoof, { kind: 'folder' })], `List the files in ${shown}`],
    ['WriteFile', WRITE, [found(`${spoof}/b.txt`, { kind: 'missing' })], `Create “b.txt” in ${shown}`],
    [
      'MoveFile',
      { from: '/a', to: '/b' },
      [found('/home/ann/work/a.txt', { path: '/a' }), found(spoof, { path: '/b', kind: 'missing' })],
      `Move “a.txt” in /home/ann/work to ${shown}`,
    ],
    [
      'RunScript',
      { interpreter: 'sh', script: 'ls', folder: '~/asked' },
      [found(spoof, { kind: 'folder' })],
      `in ${shown}`,
    ],
  ])('%s names its path in quotation marks', (type, parameters, files, words) => {
    const { sentence, risk } = assess(type, parameters, files);
    expect(sentence).toContain(words);
    expect(risk.reasons.join(' ')).not.toContain(spoof);
  });

  test('and has no more than one blank in a row, which the page would show as one', () => {
    const { sentence } = assess('WriteFile', WRITE, [found('/home/ann/work/a  b\u00a0.md', { kind: 'missing' })]);
    expect(sentence).toBe('Create “a \\u{20}b\u00a0.md” in /home/ann/work');
  });
});
