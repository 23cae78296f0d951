import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contacts } from '../../../../src/contract/scripts.ts';

/** No account has this number, so no file belongs to it. */
const ORDINARY_USER = 61_235;
const asRoot = process.geteuid?.() === 0;

type Outcomes = { seen: [string, string][]; contacts: Contacts };
type Report = {
  uid: number;
  port: number;
  control: Outcomes;
  byProxy: Outcomes;
  direct: Outcomes;
  hits: Record<string, number>;
  hostHeaders: string[];
  left: string[];
};

const temporary = mkdtempSync(join(tmpdir(), 'handrail-network-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

async function attacksAs(uid: number | undefined): Promise<Report> {
  const file = join(import.meta.dirname, 'network-attacks.ts');
  if (uid !== undefined) await chown(temporary, uid, uid);
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: temporary };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { ...identity, env, cwd: '/' });
  return JSON.parse(stdout);
}

describe.each(asRoot ? [undefined, ORDINARY_USER] : [undefined])('a script with one host, as user %s', (uid) => {
  let report: Report;
  beforeAll(async () => {
    report = await attacksAs(uid);
  }, 90_000);

  test('reaches that host, by plain HTTP and by a tunnel, and the answer says so', () => {
    expect([report.uid, report.control.seen.map(([, got]) => got)]).toEqual([
      uid ?? process.geteuid?.(),
      ["'allowed GET /a'", "'allowed GET /b'", "'HTTP/1.1 200 OK'"],
    ]);
    expect(report.control.contacts).toEqual({
      reached: [`allowed.test:${report.port}`],
      refused: [],
      complete: true,
    });
  });

  test('X9: reaches nothing else by the proxy: no address, no other name or port, no private address behind a name', () => {
    for (const [attack, got] of report.byProxy.seen)
      expect([attack, got]).toEqual([attack, expect.stringMatching(/^'HTTP\/1\.1 (400|403|502) [\w ]+'$/u)]);
    expect(report.byProxy.contacts.reached).toEqual([]);
    const why = new Map(report.byProxy.contacts.refused.map((each) => [each.to, each.why]));
    expect([why.get('other.test:443'), [...why].filter(([, each]) => each === 'private_address').length]).toEqual([
      'not_named',
      1,
    ]);
  });

  test('X9: reaches nothing past the proxy: no port, no socket, no display, no bus, no name server', () => {
    for (const [attack, got] of report.direct.seen)
      expect([attack, got]).toEqual([attack, expect.stringMatching(/^\w*(Error|timeout|gaierror)$/u)]);
  });

  test('X9: no server but the named one had a connection, and each request named its host there', () => {
    expect(Object.entries(report.hits).filter(([, count]) => count > 0)).toEqual([]);
    expect(report.hostHeaders).toHaveLength(3);
    expect([...new Set(report.hostHeaders)]).toEqual([`allowed.test:${report.port}`]);
  });

  test('leaves no socket of the proxy', () => {
    expect(report.left).toEqual([]);
  });
});
