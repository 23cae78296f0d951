import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAKE_DOCUMENT, FAKE_PASSWORD } from '../../agent/drivers/fake/desktop.ts';
import type { DaemonTarget } from './daemon-target.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** What the other tests got hold of or planted, and nobody else may ever read. */
export function createSecrets() {
  const keys = new Map<string, string>();
  const contents = new Map<string, string>([
    ['a planted app name', 'Canary-app-71c2'],
    ['a planted reason', 'canary-reason-88e1'],
    ['what a document says', FAKE_DOCUMENT],
    ['a password on the screen', FAKE_PASSWORD],
  ]);
  return {
    appName: 'Canary-app-71c2',
    reason: 'canary-reason-88e1',
    /** Codes, keys and tokens: they are in no file at all. */
    keys,
    /** What was typed, read or seen: it is in no log and no journal. */
    contents,
    noteImage(bytes: Uint8Array): void {
      const middle = Buffer.from(bytes).subarray(bytes.length / 2, bytes.length / 2 + 24);
      contents.set('image bytes, as base64', middle.subarray(0, 24).toString('base64'));
      contents.set('image bytes, as hex', middle.toString('hex'));
      contents.set('image bytes, as numbers', [...middle.subarray(0, 8)].join(','));
    },
  };
}

/** Row L1; to be called when everything else was done. */
export function secretsStayUntold(target: () => DaemonTarget, secrets: Secrets): void {
  test('L1: no code, key, reason, name, text or image byte is in any log line or journal row', () => {
    const { daemon, journal } = target();
    const told = { log: daemon.log(), journal: JSON.stringify(journal()) };
    expect(told.log.split('\n').length).toBeGreaterThan(1);
    expect(journal().length).toBeGreaterThan(100);
    const all = [...secrets.keys, ...secrets.contents];
    expect(all.map(([what]) => what)).toEqual(
      expect.arrayContaining(['the sign-in code', 'a session key', 'a user key', 'image bytes, as base64']),
    );
    expect(leaksIn(told.log, all)).toEqual([]);
    expect(leaksIn(told.journal, all)).toEqual([]);
    // Whatever else has the form of a token: 32 bytes in base64url.
    expect(Object.values(told).flatMap((text) => text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? [])).toEqual([]);
  });

  test('L1: no code and no key is in any file of the data directory', () => {
    const { dataDirectory } = target().daemon;
    const names = readdirSync(dataDirectory, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(names.map(({ name }) => name)).toContain('handrail.db');
    const leaks = names.flatMap(({ name }) =>
      leaksIn(readFileSync(join(dataDirectory, name), 'latin1'), [...secrets.keys]).map((what) => `${what}: ${name}`),
    );
    expect(leaks).toEqual([]);
  });
}

function leaksIn(text: string, secrets: readonly (readonly [what: string, secret: string])[]): string[] {
  return secrets.filter(([, secret]) => text.includes(secret)).map(([what]) => what);
}
