import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { JournalRow } from '../../src/store/journal/journal.ts';
import type { Target } from '../http/attacks/target.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

export type DaemonTarget = Target & {
  daemon: RunningDaemon;
  ledgerFolder: string;
  /** Everything that really happened on the fake desktop, one line of JSON each. */
  ledger(): string[];
  /** The journal as the file has it, read from outside. */
  journal(): Pick<JournalRow, 'kind' | 'metadata'>[];
};

/** A daemon as a process of its own, whose fake desktop writes down all that happens to it, as a target. */
export async function startDaemonTarget(environment: Record<string, string> = {}): Promise<DaemonTarget> {
  const ledgerFolder = mkdtempSync(join(tmpdir(), 'handrail-ledger-'));
  const ledgerPath = join(ledgerFolder, 'ledger');
  const daemon = await startDaemonProcess({
    HANDRAIL_AGENT_DRIVER: 'fake',
    HANDRAIL_FAKE_SCENARIO: JSON.stringify({ ledgerPath }),
    HANDRAIL_LOG_LEVEL: 'trace',
    HANDRAIL_RATE_LIMITS: 'off',
    ...environment,
  });
  await daemon.agentOnline();
  const ledger = () => linesOf(ledgerPath);
  const journal = () => readJournal(join(daemon.dataDirectory, 'handrail.db'));
  let seen = 0;
  return {
    daemon,
    host: '127.0.0.1',
    port: daemon.port,
    ledgerFolder,
    ledger,
    journal,
    wasExecuted() {
      const before = seen;
      seen = ledger().length;
      return seen > before;
    },
    wasCounted: (code) => journal().some(({ kind, metadata }) => kind === 'request.refused' && metadata?.code === code),
  };
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function readJournal(path: string): Pick<JournalRow, 'kind' | 'metadata'>[] {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const rows = database.prepare('SELECT kind, metadata FROM journal ORDER BY seq').all();
    return (rows as { kind: string; metadata: string }[]).map(({ kind, metadata }) => {
      return { kind, metadata: JSON.parse(metadata) as NonNullable<JournalRow['metadata']> };
    });
  } finally {
    database.close();
  }
}
