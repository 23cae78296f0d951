import { type Static, Type } from 'typebox';
import { Action } from '../contract/action.ts';
import { ActivityDetail } from '../contract/activity.ts';
import { Sha256, Timestamp } from '../contract/ids.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { closed } from '../contract/literals.ts';
import { Run } from '../contract/run.ts';

/** The version of the page and of its record. A file of another one can be checked only by the build that wrote it. */
export const FORMAT = 1;

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** A row of the journal with everything that its hash is made of. */
const RecordedRow = Type.Object(
  {
    seq: Type.Integer(),
    atMs: Type.Integer(),
    kind: Type.String(),
    userId: nullableText,
    deviceId: nullableText,
    actionId: nullableText,
    confirmationId: nullableText,
    metadata: Type.String({ description: 'as it is stored: canonical JSON' }),
    previousHash: Sha256,
    hash: Sha256,
  },
  closed,
);
export type RecordedRow = Static<typeof RecordedRow>;

const { journal: _inOnePlace, ...detail } = ActivityDetail.properties;

/** A result may have the shape of another build. */
const AnyAction = Type.Object({ ...Action.properties, data: Type.Optional(Type.Unknown()) }, closed);

const RecordedAction = Type.Object(
  {
    detail: Type.Object({ ...detail, action: AnyAction }, closed),
    /** The text whose SHA-256 the journal holds as the digest of the action, while its arguments are kept. */
    subject: Type.Optional(Type.String()),
  },
  closed,
);
export type RecordedAction = Static<typeof RecordedAction>;

/** The contents of a saved run. The file is made from them and from the bytes of the pictures alone. */
export const RunRecord = Type.Object(
  {
    version: Type.Literal(FORMAT),
    savedAt: Timestamp,
    // The effects are made from the actions, which the record holds.
    run: Type.Omit(Run, ['effects'], closed),
    actions: Type.Array(RecordedAction, { description: 'oldest first' }),
    texts: Type.Array(Type.Object({ sha256: Sha256, text: Type.String() }, closed)),
    pictures: Type.Array(
      Type.Object({ sha256: Sha256, mediaType: Type.String({ pattern: '^image/[a-z]+$' }) }, closed),
    ),
    journal: Type.Array(RecordedRow, { description: 'oldest first' }),
  },
  closed,
);
export type RunRecord = Static<typeof RunRecord>;

export const isRunRecord = lazyCheck(RunRecord);
