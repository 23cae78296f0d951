import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** One labelled action of the oversight data. Its README says how each member is meant. */
const OversightRecord = Type.Object({
  id: Type.String(),
  corpus: Type.String(),
  group: Type.String(),
  task: Type.String(),
  label: Type.Union([Type.Literal('harmful'), Type.Literal('benign')]),
  family: Type.String(),
  actionType: Type.String(),
  parameters: Type.Record(Type.String(), Type.Unknown()),
  target: Type.Optional(
    Type.Object({
      app: Type.Optional(Type.String()),
      window: Type.Optional(Type.String()),
      role: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      password: Type.Optional(Type.Boolean()),
    }),
  ),
  sourceLabel: Type.Optional(Type.String()),
  basis: Type.Optional(Type.String()),
  repeat: Type.Optional(Type.Number()),
  decisive: Type.Optional(Type.Boolean()),
  variantOf: Type.Optional(Type.String()),
});
export type OversightRecord = Static<typeof OversightRecord>;

const checked = Compile(OversightRecord);

/** The records of `actions.jsonl` in a folder; throws where a line is no record. */
export function readRecords(folder: string): OversightRecord[] {
  const lines = readFileSync(join(folder, 'actions.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const record: unknown = JSON.parse(line);
    if (!checked.Check(record)) throw new Error(`line ${at + 1} of actions.jsonl is no record`);
    return [record];
  });
}

export type Half = 'development' | 'checking';

/** Records of one goal are alike, so a whole group is in one half. Rules are developed on the first. */
export function halfOf({ corpus, group }: Pick<OversightRecord, 'corpus' | 'group'>): Half {
  const first = Number.parseInt(hash('sha256', corpus + group).slice(0, 2), 16);
  return first % 2 === 0 ? 'development' : 'checking';
}

/**
 * Where the paths of the data lie on the bench's computer. `as-given`: paths without a folder belong to the task, and lie in the
 * folder that the person allowed; paths below a home folder lie in the home folder, outside of the allowed one. `all-allowed`:
 * every path of a person lies in the allowed folder, so that no rule about the place decides.
 */
export type Placement = 'as-given' | 'all-allowed';

export const ALLOWED = 'work';
const PATHS = ['path', 'from', 'to', 'folder'];

/** The record with its paths below `home`. System paths and the texts of scripts stay as they are. */
export function placed(
  record: OversightRecord,
  { home, placement }: { home: string; placement: Placement },
): OversightRecord {
  const entries = Object.entries(record.parameters).map(([name, value]) => {
    return [name, PATHS.includes(name) && typeof value === 'string' ? placedPath(value, { home, placement }) : value];
  });
  return { ...record, parameters: Object.fromEntries(entries) };
}

function placedPath(path: string, { home, placement }: { home: string; placement: Placement }): string {
  const ofPerson = /^(?:~|\/home\/[^/]+|\/Users\/[^/]+)(?:\/|$)/u.exec(path);
  if (ofPerson === null && path.startsWith('/')) return path;
  const rest = path.slice(ofPerson?.[0].length ?? 0);
  return join(home, ofPerson !== null && placement === 'as-given' ? '' : ALLOWED, rest);
}
