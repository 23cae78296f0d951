import { readFileSync, writeFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { closed } from '../contract/literals.ts';
import type { ProvenGrants } from './permission-walk.ts';

const Stored = Type.Object(
  { screenRecording: Type.Optional(Type.String()), accessibility: Type.Optional(Type.String()) },
  closed,
);
const stored = Compile(Stored);

export type GrantMemory = { read(): ProvenGrants; write(grants: ProvenGrants): void };

/** Keeps in a file which permissions had an effect, and in which version of the app. A file that cannot be read counts as empty. */
export function createGrantMemory(path: string, log: { warn(fields: object, message: string): void }): GrantMemory {
  let latest = load(path, log);
  return {
    read: () => latest,
    write(grants) {
      if (JSON.stringify(grants) === JSON.stringify(latest)) return;
      latest = grants;
      try {
        writeFileSync(path, JSON.stringify(grants), { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'which permissions had an effect could not be noted');
      }
    },
  };
}

function load(path: string, log: { warn(fields: object, message: string): void }): ProvenGrants {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return stored.Check(value) ? value : {};
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) log.warn({ err: error }, 'which permissions had an effect could not be read');
    return {};
  }
}
