import { type Static, Type } from 'typebox';
import { MAX_PATH_LENGTH, ResolvedPath } from './files.ts';
import { closed, oneOf } from './literals.ts';

/**
 * The dialog for files that has a control. `unknown`: the agent cannot tell whether it opens or saves, or whether it is about files at all.
 * `part`: `row` and `chosen` are entries of a list, the second one is selected; `aside` is a control whose click accepts nothing, such as a
 * field.
 */
export const FileDialog = Type.Object(
  {
    kind: oneOf(['open', 'save', 'unknown']),
    part: oneOf(['row', 'chosen', 'aside', 'other']),
    /** The file that the dialog takes if it is accepted with this control; absent where nothing tells it for sure. */
    path: Type.Optional(Type.String({ maxLength: MAX_PATH_LENGTH })),
    /** Where the path leads. */
    file: Type.Optional(ResolvedPath),
  },
  closed,
);
export type FileDialog = Static<typeof FileDialog>;
