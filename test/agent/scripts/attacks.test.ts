import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

/** No account has this number, so no file belongs to it. */
const ORDINARY_USER = 61_234;
const asRoot = process.geteuid?.() === 0;

type Seen = Record<string, string>;
type Report = {
  uid: number;
  control: string[];
  isUnchanged: boolean;
  reads: Seen;
  doors: Seen;
  writes: Seen;
  powers: Seen;
};

async function attacksAs(uid: number | undefined): Promise<Report> {
  const file = join(import.meta.dirname, 'sandbox-attacks.ts');
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { ...identity, env, cwd: '/' });
  return JSON.parse(stdout);
}

const ERROR = /^(?:\w*Error|timeout|\w*Exception)$/u;

describe.each(asRoot ? [undefined, ORDINARY_USER] : [undefined])('a script that attacks, as user %s', (uid) => {
  let report: Report;
  beforeAll(async () => {
    report = await attacksAs(uid);
  }, 60_000);

  test('works in its own folder', () => {
    expect(report.uid).toBe(uid ?? process.geteuid?.());
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

  test('X4: has no power over processes, mounts and users', () => {
    for (const [attack, got] of Object.entries(report.powers)) expect([attack, got]).toEqual([attack, refused(got)]);
  });
});

/** The same text if it is an error or nothing at all; otherwise what was expected. */
function refused(got: string | undefined): string {
  const isNothing = got === '[]' || got === '[None, None, None, None]';
  return got !== undefined && (isNothing || ERROR.test(got)) ? got : 'an error';
}
