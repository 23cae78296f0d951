import { type Static, type TSchema, Type } from 'typebox';
import { EXAMPLE_DEVICE_ID } from '../contract/examples.ts';

const ULID = EXAMPLE_DEVICE_ID.slice('dev_'.length);
export const ACTION_ID = `act_${ULID}`;
export const TASK_ID = `tsk_${ULID}`;

const IDS = {
  actions: ACTION_ID,
  activity: ACTION_ID,
  artifacts: `art_${ULID}`,
  confirmations: `cnf_${ULID}`,
  devices: EXAMPLE_DEVICE_ID,
  grants: `grt_${ULID}`,
  insights: `ins_${ULID}`,
  machines: 'studio',
  procedures: 'Weekly report',
  profiles: 'office',
  runs: ACTION_ID,
  sessions: `ses_${ULID}`,
  tasks: TASK_ID,
  users: 'ann',
} as const;

/** The `{id}` of a path, with an example. */
export function idOf(noun: keyof typeof IDS) {
  return Type.Object({ id: Type.String({ maxLength: 128, examples: [IDS[noun]] }) });
}

/** A schema with an example for the description of the API. */
export function withExample<Schema extends TSchema>(schema: Schema, example: Static<Schema>): Schema {
  return { ...schema, examples: [example] };
}
