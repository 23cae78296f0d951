import { type Static, Type } from 'typebox';
import { FileIdentity } from './files.ts';
import { Sha256, Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

/** How the person takes back what an action did to a file. */

export const UndoKind = oneOf(['overwritten', 'trashed']);
export type UndoKind = Static<typeof UndoKind>;

/** The path and the identity of a file or folder. `folder` is the identity of its parent folder. */
const FilePlace = Type.Object({ path: Type.String(), identity: FileIdentity, folder: FileIdentity }, closed);

/**
 * The facts for the undo of an action. The agent compares them with the disk before it puts the file back.
 * `overwritten`: `left` is the file that the action wrote, and a copy of the former version is in the daemon's folder.
 * `trashed`: `left` is the file or folder in the trash.
 */
export const UndoFacts = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('overwritten'),
      /** The place that gets the file back, without links on it. */
      path: Type.String(),
      folder: FileIdentity,
      left: Type.Object({ identity: FileIdentity, sha256: Sha256 }, closed),
      former: Type.Object({ identity: FileIdentity, sha256: Sha256, mode: Type.Integer() }, closed),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('trashed'),
      path: Type.String(),
      folder: FileIdentity,
      isFolder: Type.Boolean(),
      left: FilePlace,
    },
    closed,
  ),
]);
export type UndoFacts = Static<typeof UndoFacts>;
export type OverwrittenFile = Extract<UndoFacts, { kind: 'overwritten' }>;
export type TrashedPath = Extract<UndoFacts, { kind: 'trashed' }>;

/** Parameters of the agent's work to put a file back. `formerAt` is the kept copy of an overwritten file. */
export const UndoFileParameters = Type.Object({ undo: UndoFacts, formerAt: Type.Optional(Type.String()) }, closed);
export type UndoFileParameters = Static<typeof UndoFileParameters>;

/** Which file is at its place again. */
export const UndoneFile = Type.Object({ path: Type.String(), identity: FileIdentity }, closed);
export type UndoneFile = Static<typeof UndoneFile>;

/** An action on a file that the person can undo, has undone, or can no longer undo. */
export const FileUndo = Type.Object(
  {
    kind: UndoKind,
    path: Type.String({ description: 'the place that gets the file back' }),
    isFolder: Type.Boolean(),
    until: Type.Optional(described(Timestamp, 'absent once it was undone, or once the former version was removed')),
    undoneAt: Type.Optional(Timestamp),
    formerRemovedAt: Type.Optional(
      described(
        Timestamp,
        'the former version was removed then to make room for newer ones, so an undo is not possible',
      ),
    ),
  },
  closed,
);
export type FileUndo = Static<typeof FileUndo>;
