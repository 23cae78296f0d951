import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Runs `npm run audit`, without npm, on a folder whose database has these bytes. */
function audited(bytes: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-audit-'));
  if (bytes !== undefined) writeFileSync(join(folder, 'handrail.db'), bytes);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../../src/audit.ts')], {
    env: { PATH: process.env.PATH, HANDRAIL_DATA_DIR: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return { status, stdout, stderr: stderr.replaceAll(folder, 'FOLDER') };
}

const UNREADABLE = 'The database is empty, damaged or of another program.';

test.each([
  [undefined, 'There is no journal in FOLDER. Set HANDRAIL_DATA_DIR to where the daemon keeps its data.'],
  ['', `The journal in FOLDER cannot be read (no such table: journal). ${UNREADABLE}`],
  ['no database. '.repeat(100), `The journal in FOLDER cannot be read (file is not a database). ${UNREADABLE}`],
])('a journal that cannot be read is said in one line: %j', (bytes, line) => {
  expect(audited(bytes)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
});
