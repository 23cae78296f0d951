import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAs, uidOf } from '../agent/scripts/as-user.ts';
import { machineHas } from '../runner/machine-needs.ts';
import { skipAllWithout } from '../runner/skip-without.ts';

/** Rows X1 to X4 and X9 run as both users in files of their own. */
const ROWS = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'X5', 'X6', 'X7', 'X8'];

type Report = { testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[] };

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const CONFIG = join(import.meta.dirname, 'ordinary-user.config.ts');

describe('the attacks on files and scripts, as another user', () => {
  skipAllWithout('root');
  const folder = mkdtempSync(join(tmpdir(), 'handrail-ordinary-'));
  let results: Report['testResults'][number]['assertionResults'];

  beforeAll(async () => {
    if (!machineHas('root')) return;
    const uid = uidOf('ordinary');
    chmodSync(folder, 0o755);
    for (const name of ['home', 'disk']) {
      mkdirSync(join(folder, name));
      chownSync(join(folder, name), uid, uid);
    }
    const report = join(folder, 'home/report.json');
    const options = ['--configLoader', 'runner', '--reporter', 'json', '--outputFile', report];
    const failure = await runAs('ordinary', VITEST, {
      env: { HOME: join(folder, 'home'), SMALL_DISK: join(folder, 'disk') },
      args: (there) => ['run', '--config', there(CONFIG), ...options],
    }).then(() => undefined, String);
    // A test that fails is named below.
    if (!existsSync(report)) throw new Error(failure);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    results = testResults.flatMap((file) => file.assertionResults);
  }, 600_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(ROWS)('%s: each of its tests ran and holds', (row) => {
    const own = results.filter(({ title }) => title.startsWith(`${row}:`));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ status }) => status !== 'passed')).toEqual([]);
  });
});
