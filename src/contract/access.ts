import { type Static, Type } from 'typebox';
import { AllowedFolder, FolderAccess, MAX_PATH_LENGTH } from './files.ts';
import { Timestamp } from './ids.ts';
import { closed } from './literals.ts';

const term = {
  allows: Type.String({ description: 'the whole approval as a sentence, as the person read it' }),
  expiresAt: Timestamp,
  secondsLeft: Type.Integer({ description: 'sooner where it lies unused, or Handrail quits' }),
};

/** The things that a requester may do now without asking for each, because the person allowed them for a time. */
export const OwnAccess = Type.Object(
  {
    access: Type.Array(Type.Object(term, closed), {
      description: 'given by RequestAccess: apps to look at or to act in',
    }),
    grants: Type.Array(
      Type.Object(
        {
          actionType: Type.String(),
          ...term,
          taskId: Type.Optional(Type.String({ description: 'good for the steps of this task only' })),
        },
        closed,
      ),
    ),
    folders: Type.Array(AllowedFolder, {
      description: '`write` includes reading; good until the person takes it back',
    }),
  },
  closed,
);
export type OwnAccess = Static<typeof OwnAccess>;

const Folder = {
  userId: Type.String({
    pattern: '^(?:\\*|[A-Za-z0-9._@:+-]{1,128})$',
    description: 'a user id, or `*` for everybody',
  }),
  path: Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH }),
};

/** A folder that the person allows a requester to use, with everything below it. */
export const FolderAllowance = Type.Object(
  {
    ...Folder,
    access: FolderAccess,
    isReal: Type.Optional(
      Type.Literal(true, {
        description: 'the path is the real one that a prompt has shown; one that leads elsewhere is refused',
      }),
    ),
  },
  closed,
);
export type FolderAllowance = Static<typeof FolderAllowance>;

export const FolderRemoval = Type.Object(Folder, closed);

export const AllowedFolderList = Type.Object(
  { items: Type.Array(Type.Object({ ...Folder, access: FolderAccess, addedAt: Timestamp }, closed)) },
  closed,
);
export type AllowedFolderList = Static<typeof AllowedFolderList>;
