import { type Static, Type } from 'typebox';
import { ArtifactId, Sha256, Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

/** Parameters and results of the action types that work on files, and a path as the agent finds it. */

const MAX_READ_BYTES = 10 * 1024 * 1024;
const MAX_LIST_DEPTH = 5;
const MAX_LISTED = 5_000;
export const MAX_LISTED_BY_DEFAULT = 500;
/** Handrail keeps a copy of a file that is overwritten, up to this size; a larger file is not overwritten at all. */
export const MAX_FORMER_BYTES = 256 * 1024 * 1024;
/** As much text as an action's parameters may hold; larger contents come from an artifact. */
export const MAX_CONTENT_LENGTH = 60_000;
/** So much of a file is read before the person is asked about it. The rest of a larger file counts as unknown. */
export const MAX_LOOKED_BYTES = 64 * 1024;
/** So many names inside a folder are judged before it is moved. A folder with more counts as not looked through. */
export const MAX_LOOKED_NAMES = 1_000;
/** The same in characters of all names together. */
export const MAX_LOOKED_CHARACTERS = 100_000;

/** As sentences name the places of Handrail's own, which no action may touch. */
export const OWN_DATA = "Handrail's own data";
export const OWN_PROGRAM = "Handrail's own program";

/** In characters. No supported system opens a longer path. */
export const MAX_PATH_LENGTH = 4_096;

const Path = Type.String({
  minLength: 1,
  maxLength: MAX_PATH_LENGTH,
  description: 'absolute, or begins with ~/',
});

export const ListFilesParameters = Type.Object(
  {
    path: Path,
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIST_DEPTH, description: '1, the folder itself, by default' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LISTED, description: `${MAX_LISTED_BY_DEFAULT} by default` }),
    ),
  },
  closed,
);
export type ListFilesParameters = Static<typeof ListFilesParameters>;

export const ReadFileParameters = Type.Object(
  {
    path: Path,
    maxBytes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_READ_BYTES, description: 'a larger file is refused; 1 MiB by default' }),
    ),
    as: Type.Optional(oneOf(['text', 'artifact'], { description: 'text by default' })),
  },
  closed,
);
export type ReadFileParameters = Static<typeof ReadFileParameters>;

export const WriteFileParameters = Type.Object(
  {
    path: Path,
    content: Type.Optional(Type.String({ maxLength: MAX_CONTENT_LENGTH, description: 'the whole new text, as UTF-8' })),
    artifactId: Type.Optional(Type.Unsafe<string>(Type.With(ArtifactId, { description: 'in place of content' }))),
    overwrite: Type.Optional(Type.Boolean({ description: 'false by default: a file that exists is then refused' })),
    expectedSha256: Type.Optional(
      Type.Unsafe<string>(Type.With(Sha256, { description: 'of the file as it is now; another one is refused' })),
    ),
  },
  closed,
);
export type WriteFileParameters = Static<typeof WriteFileParameters>;

export const MoveFileParameters = Type.Object({ from: Path, to: Path }, closed);
export type MoveFileParameters = Static<typeof MoveFileParameters>;

export const TrashFileParameters = Type.Object({ path: Path }, closed);
export type TrashFileParameters = Static<typeof TrashFileParameters>;

export const PathKind = oneOf(['file', 'folder', 'missing', 'special']);
export type PathKind = Static<typeof PathKind>;

/** Identifies a file or folder on this computer. Decimal strings, because inodes can exceed 2^53. */
export const FileIdentity = Type.Object(
  { device: Type.String({ pattern: '^[0-9]+$' }), inode: Type.String({ pattern: '^[0-9]+$' }) },
  closed,
);
export type FileIdentity = Static<typeof FileIdentity>;

/** The beginning of a file, as text. */
export const FileInside = Type.Object(
  {
    text: Type.String(),
    /** False where bytes were no UTF-8 or NUL, which the text has as replacement characters. */
    isText: Type.Boolean(),
    /** Whether the text is the whole file. */
    isWhole: Type.Boolean(),
    sizeBytes: Type.Integer({ minimum: 0 }),
  },
  closed,
);
export type FileInside = Static<typeof FileInside>;

/** The paths of everything in a folder, relative to it; those of folders end in `/`. */
const FolderInside = Type.Object(
  {
    names: Type.Array(Type.String()),
    /** Whether nothing was left out. */
    isWhole: Type.Boolean(),
  },
  closed,
);
export type FolderInside = Static<typeof FolderInside>;

/** Where a path leads after every link on it was followed. `special` is a device, a socket or a pipe. */
export const ResolvedPath = Type.Object(
  {
    path: Type.String(),
    realPath: Type.String(),
    kind: PathKind,
    /** Which file or folder it is; absent for a missing one. */
    identity: Type.Optional(FileIdentity),
    /** The folder that holds it, or would hold it. */
    folder: FileIdentity,
    /** Each folder from the top of the disk to `folder`. Only for the daemon, which finds its own places among them under other names. */
    above: Type.Optional(Type.Array(FileIdentity)),
    sizeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
    /** When the system last changed a file's contents or facts, in nanoseconds (ctime): no program can set it. */
    changedNs: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
    /** Names that the file has; with more than one, another name may lie anywhere. */
    names: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Why the contents are secret ("a private key"), if they are. */
    secret: Type.Optional(Type.String()),
    /** The part of Handrail that lies in this folder, such as "Handrail's own program". Only the daemon knows it. */
    holds: Type.Optional(Type.String()),
    /** The contents, where the agent was asked to look into it. Not kept with an action. */
    inside: Type.Optional(Type.Union([FileInside, FolderInside])),
    /** Tells whether the contents are still the ones that the agent looked at. */
    digest: Type.Optional(Sha256),
  },
  closed,
);
export type ResolvedPath = Static<typeof ResolvedPath>;

/** The access of a requester to a folder and everything below it. `write` includes reading. */
export const FolderAccess = oneOf(['read', 'write']);
export type FolderAccess = Static<typeof FolderAccess>;

/** A folder that the person allowed. `path` has no links on it. */
export const AllowedFolder = Type.Object({ path: Type.String(), access: FolderAccess }, closed);
export type AllowedFolder = Static<typeof AllowedFolder>;

const FileEntry = Type.Object(
  {
    path: Type.String({ description: 'relative to the listed folder' }),
    kind: oneOf(['file', 'folder', 'link', 'special']),
    sizeBytes: Type.Optional(Type.Integer()),
    modifiedAt: Type.Optional(Type.String()),
    unreachable: Type.Optional(
      Type.Boolean({
        description: 'its name is no UTF-8: `path` has \\x and two digits for such a byte, and no call reaches it',
      }),
    ),
  },
  closed,
);

export const ListedFiles = Type.Object(
  {
    path: Type.String(),
    entries: Type.Array(FileEntry),
    complete: Type.Boolean({ description: 'false when the limit or the time cut the list' }),
  },
  { ...closed, description: 'the result of ListFiles' },
);
export type ListedFiles = Static<typeof ListedFiles>;

export const ReadFileResult = Type.Object(
  {
    path: Type.String(),
    sizeBytes: Type.Integer(),
    sha256: Sha256,
    text: Type.Optional(Type.String({ description: 'absent for `as: artifact`' })),
  },
  { ...closed, description: 'the result of ReadFile' },
);
export type ReadFileResult = Static<typeof ReadFileResult>;

export const WrittenFile = Type.Object(
  {
    path: Type.String(),
    sizeBytes: Type.Integer(),
    sha256: Sha256,
    created: Type.Boolean({ description: 'false when a file was overwritten' }),
  },
  { ...closed, description: 'the result of WriteFile' },
);
export type WrittenFile = Static<typeof WrittenFile>;

export const MovedFile = Type.Object(
  { from: Type.String(), to: Type.String() },
  { ...closed, description: 'the result of MoveFile' },
);
export type MovedFile = Static<typeof MovedFile>;

export const TrashedFile = Type.Object(
  {
    path: Type.String(),
    trashedTo: Type.String({ description: 'where the file is in the trash' }),
  },
  { ...closed, description: 'the result of TrashFile' },
);
export type TrashedFile = Static<typeof TrashedFile>;

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
