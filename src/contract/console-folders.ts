import { type Static, Type } from 'typebox';
import { FolderAccess, MAX_PATH_LENGTH } from './files.ts';
import { Timestamp } from './ids.ts';
import { closed } from './literals.ts';

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
