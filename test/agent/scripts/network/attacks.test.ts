import { mkdtempSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contacts } from '../../../../src/contract/scripts.ts';
import { runAs, TEST_USERS, type TestUser, uidOf } from '../as-user.ts';

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

async function attacksAs(user: TestUser): Promise<Report> {
  const uid = uidOf(user);
  await chown(temporary, uid, uid);
  const file = join(import.meta.dirname, 'network-attacks.ts');
  return JSON.parse(await runAs(user, file, { env: { TMPDIR: temporary } }));
}

describe.each(TEST_USERS)('a script with one host, as the %s user', (user) => {
  let report: Report;
  beforeAll(async () => {
    report = await attacksAs(user);
  }, 90_000);

  test('reaches that host, by plain HTTP and by a tunnel, and the answer says so', () => {
    expect([report.uid, report.control.seen.map(([, got]) => got)]).toEqual([
      uidOf(user),
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
