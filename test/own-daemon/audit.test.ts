import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overwrite, tearLeafOf } from '../store/database/damage.ts';
import { action, device, open, temporaryFolder } from '../store/rig.ts';

/** Runs `npm run audit`, without npm, on a data directory. */
function auditOf(folder: string, args: readonly string[] = []) {
  const program = join(import.meta.dirname, '../../src/own-daemon/audit.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HANDRAIL_DATA_DIR: folder },
    encoding: 'utf8',
  });
  return { status, stdout: stdout.replaceAll(folder, 'FOLDER'), stderr: stderr.replaceAll(folder, 'FOLDER') };
}

/** The same on a folder whose database has these bytes. */
function audited(bytes: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-audit-'));
  if (bytes !== undefined) writeFileSync(join(folder, 'handrail.db'), bytes);
  const result = auditOf(folder);
  rmSync(folder, { recursive: true });
  return result;
}

const UNREADABLE =
  'The database is empty, damaged or of another program. `handrail audit --export FILE` (`npm run audit -- --export FILE`) writes what can be read of it to a file.';

test.each([
  [undefined, 'There is no journal in FOLDER. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.'],
  ['', `The journal in FOLDER cannot be read (no such table: journal). ${UNREADABLE}`],
  ['no database. '.repeat(100), `The journal in FOLDER cannot be read (file is not a database). ${UNREADABLE}`],
])('a journal that cannot be read is said in one line: %j', (bytes, line) => {
  expect(audited(bytes)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
});

test('the check of a saved run says that it was given a folder', () => {
  const folder = temporaryFolder();
  const line = `${folder} is a folder. Give the HTML file of a run that was saved.\n`.replaceAll(folder, 'FOLDER');
  expect(auditOf(folder, ['--file', folder])).toEqual({ status: 1, stdout: '', stderr: line });
});

test.each(['handrail.db', 'protections.json', 'journal.anchor'])('a folder in the place of %s is named', (name) => {
  const path = temporaryFolder();
  mkdirSync(join(path, name), { recursive: true });
  expect(() => open({ path })).toThrow(`${join(path, name)} should be a file; move that folder away and start again`);
});

/** A database with a row of everything that a typed text, bytes and large numbers are stored in. */
function written(): string {
  const store = open({ path: temporaryFolder() });
  store.write('durable', () => {
    store.devices.insert(device());
    for (let number = 0; number < 300; number += 1)
      store.actions.insert(action({ id: `act_${1_000 + number}`, status: 'success', details: 'x'.repeat(100) }));
    store.journal.append(1_700_000_000_000, { kind: 'daemon.resumed' });
  });
  store.close();
  return store.path;
}

function linesOf(path: string): { table: string; row: Record<string, unknown> }[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('everything in a database is exported to a private file, and to no file that exists', () => {
  const path = written();
  const file = join(path, 'export.jsonl');
  expect(auditOf(path, ['--export', file])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+ rows are in FOLDER\/export\.jsonl: all of them\./),
    stderr: '',
  });
  const lines = linesOf(file);
  expect(lines.filter(({ table }) => table === 'actions')).toHaveLength(300);
  expect(lines.find(({ table }) => table === 'journal')?.row).toMatchObject({
    seq: 1,
    at_ms: 1_700_000_000_000,
    kind: 'daemon.resumed',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(auditOf(path, ['--export', file])).toMatchObject({ status: 1, stderr: expect.stringContaining('EEXIST') });
});

test.each([
  ['a torn page', (path: string) => tearLeafOf(path, 'actions'), / some rows of actions cannot be read/, 300],
  ['no header', (path: string) => overwrite(path, { from: 0, bytes: 64 }), / all of them/, 301],
])('what can be read of a database with %s is exported', (_title, damage, words, fewerThan) => {
  const path = written();
  damage(path);
  const file = join(path, 'export.jsonl');
  expect(auditOf(path, ['--export', file])).toMatchObject({ status: 0, stdout: expect.stringMatching(words) });
  const actions = linesOf(file).filter(({ table }) => table === 'actions');
  expect([actions.length > 150, actions.length < fewerThan]).toEqual([true, true]);
  expect(readdirSync(path).filter((name) => name.includes('mended'))).toEqual([]);
});

test('other arguments are refused with the two that are known', () => {
  for (const args of [['--exprt', 'x'], ['--export'], ['--export', 'x', 'y']])
    expect(auditOf('/nowhere', args)).toMatchObject({ status: 1, stderr: expect.stringContaining('--export FILE') });
});
