import { type Static, Type } from 'typebox';
import { Timestamp } from './ids.ts';
import { closed } from './literals.ts';

/**
 * One event of the stream: its kind and its subject, never contents. Ids grow, and a client sends the last one as
 * `Last-Event-ID`. A `reset` event means that the client missed too many events and must load everything anew.
 */
export const StreamEvent = Type.Object(
  {
    id: Type.String({ pattern: '^\\d+$' }),
    at: Timestamp,
    kind: Type.String({
      description:
        'such as action.requested, file.undone, task.ended, daemon.paused; device.online and device.offline are of every device at once',
    }),
    userId: Type.Optional(Type.String()),
    deviceId: Type.Optional(Type.String()),
    actionId: Type.Optional(Type.String()),
    confirmationId: Type.Optional(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
);
export type StreamEvent = Static<typeof StreamEvent>;
