import { Type } from 'typebox';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

function idWithPrefix(prefix: string) {
  return Type.String({ pattern: `^${prefix}_${ULID}$`, description: `\`${prefix}_\` and a ULID` });
}

export const DeviceId = idWithPrefix('dev');
export const ActionId = idWithPrefix('act');
export const TaskId = idWithPrefix('tsk');
export const ConfirmationId = idWithPrefix('cnf');
export const SessionId = idWithPrefix('ses');
export const ArtifactId = idWithPrefix('art');

/** Wall-clock instant: ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601 UTC with milliseconds',
});

/** SHA-256 as 64 lower-case hexadecimal digits. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** The value of `x-user-id`: a label for whom the call is made, not a credential. */
export const UserId = Type.String({ pattern: '^[A-Za-z0-9._@:+-]{1,128}$' });
