import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runAs, TEST_USERS, uidOf } from './as-user.ts';

type Seen = Record<string, string>;
type Report = {
  uid: number;
  control: string[];
  isUnchanged: boolean;
  sockets: string;
  locks: { stdout: string; names: string[]; renamed: string[]; removed: string[] };
  reads: Seen;
  doors: Seen;
  writes: Seen;
  powers: Seen;
  memory: Seen;
  rights: Seen;
  families: Seen;
};

const ERROR = /^(?:\w*Error|timeout|\w*Exception)$/u;

describe.each(TEST_USERS)('a script that attacks, as the %s user', (user) => {
  let report: Report;
  beforeAll(async () => {
    report = JSON.parse(await runAs(user, join(import.meta.dirname, 'sandbox-attacks.ts')));
  }, 60_000);

  test('works in its own folder', () => {
    expect(report.uid).toBe(uidOf(user));
    expect(report.control).toEqual(["'notes\\n'", 'None', 'True']);
  });

  test('X1: reads no secret, by no name and no way round', () => {
    for (const [attack, got] of Object.entries(report.reads)) expect([attack, got]).toEqual([attack, refused(got)]);
  });

  test('X2: reaches no port, no socket, no display and no bus', () => {
    for (const [attack, got] of Object.entries(report.doors)) expect([attack, got]).toEqual([attack, refused(got)]);
  });

  test('X3: writes nowhere else, and nothing outside has changed', () => {
    for (const [attack, got] of Object.entries(report.writes)) expect([attack, got]).toEqual([attack, refused(got)]);
    expect(report.isUnchanged).toBe(true);
  });

  test('X11: hides no repository behind a locked folder, and reads nothing behind one of the person', () => {
    const { removed: _removed, ...locks } = report.locks;
    expect(locks).toEqual({ stdout: 'locked\n', names: ['.git.made-by-script'], renamed: ['a/b/.git'] });
  });

  test('F15: hides no link that leads out in a folder that nobody may enter', () => {
    expect(report.locks.removed).toEqual(['c/x']);
  });

  test('X4: has no power over processes, mounts and users', () => {
    for (const [attack, got] of Object.entries(report.powers)) expect([attack, got]).toEqual([attack, refused(got)]);
  });

  test('X18: gives no file the rights of the person for another user who runs it', () => {
    expect(Object.keys(report.rights)).toHaveLength(6);
    for (const [attack, got] of Object.entries(report.rights)) expect([attack, got]).toEqual([attack, refused(got)]);
  });

  test('X19: opens no socket that leads past its network', () => {
    expect(Object.keys(report.families)).toHaveLength(4);
    for (const [attack, got] of Object.entries(report.families)) expect([attack, got]).toEqual([attack, refused(got)]);
  });

  test('X6: gets no memory that belongs to no process', () => {
    expect(report.sockets).toBe('too_large');
    for (const [attack, got] of Object.entries(report.memory)) expect([attack, got]).toEqual([attack, refused(got)]);
  });
});

/** The same text if it is an error or nothing at all; otherwise what was expected. */
function refused(got: string | undefined): string {
  const isNothing = got === '[]' || got === '[None, None, None, None]';
  return got !== undefined && (isNothing || ERROR.test(got)) ? got : 'an error';
}
