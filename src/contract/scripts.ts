import { type Static, Type } from 'typebox';
import { MAX_CONTENT_LENGTH, MAX_PATH_LENGTH } from './files.ts';
import { closed, oneOf } from './literals.ts';

/** Parameters and result of RunScript. */

export const MAX_OUTPUT_BYTES = 1024 * 1024;
export const MAX_CHANGED_FILES = 1_000;

const Path = Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH });

export const Interpreter = oneOf(['sh', 'bash', 'zsh', 'python', 'node', 'applescript', 'javascript']);
export type Interpreter = Static<typeof Interpreter>;

const ENVIRONMENT_NAME = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

export const RunScriptParameters = Type.Object(
  {
    interpreter: Interpreter,
    script: Type.String({ minLength: 1, maxLength: MAX_CONTENT_LENGTH }),
    folder: Type.Optional(
      Type.Unsafe<string>(Type.With(Path, { description: 'where it works; else an empty one that goes away' })),
    ),
    network: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: 16,
        description: '`host` (ports 80, 443) or `host:port`, by name; HTTP(S) proxy only',
      }),
    ),
    writes: Type.Optional(
      Type.Array(Path, {
        maxItems: 16,
        description: 'existing paths that it may change as well',
      }),
    ),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: ENVIRONMENT_NAME }), Type.String({ maxLength: 4_096 }), {
        maxProperties: 64,
        ...closed,
      }),
    ),
    okExitCodes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
        minItems: 1,
        maxItems: 16,
        description: 'exit codes that count as success; else only 0',
      }),
    ),
  },
  closed,
);
export type RunScriptParameters = Static<typeof RunScriptParameters>;

export const ChangedFile = Type.Object(
  {
    path: Type.String({ description: 'absolute' }),
    change: oneOf(['created', 'changed', 'removed']),
  },
  closed,
);
export type ChangedFile = Static<typeof ChangedFile>;

/** A repository that a script made. Without `to` it could not be renamed and keeps its name. */
export const RenamedPlace = Type.Object(
  {
    from: Type.String({ description: 'absolute' }),
    to: Type.Optional(Type.String({ description: 'absolute; none where it could not be renamed' })),
  },
  closed,
);
export type RenamedPlace = Static<typeof RenamedPlace>;

const Output = oneOf(['stdout', 'stderr']);

export const MAX_CONTACTS = 50;

/** Why a connection was refused. */
const ContactRefusal = oneOf(['not_named', 'private_address', 'unknown_host', 'unreachable', 'limit']);
export type ContactRefusal = Static<typeof ContactRefusal>;

/** The hosts that a script with `network` tried to reach, each once. */
export const Contacts = Type.Object(
  {
    reached: Type.Array(Type.String({ description: '`host:port`' })),
    refused: Type.Array(
      Type.Object(
        {
          to: Type.String({ description: '`host:port` as the script wrote it, in visible characters' }),
          why: ContactRefusal,
        },
        closed,
      ),
    ),
    complete: Type.Boolean({ description: `false where there were more than ${MAX_CONTACTS} of a kind` }),
  },
  closed,
);
export type Contacts = Static<typeof Contacts>;

export const ScriptResult = Type.Object(
  {
    exitCode: Type.Integer(),
    signal: Type.Optional(Type.String({ description: 'the signal that ended the script, such as SIGSEGV' })),
    durationMs: Type.Integer(),
    outputs: Type.Array(Output, {
      description: 'which outputs the artifacts hold, in their order; none for no output',
    }),
    stdoutTail: Type.Optional(Type.String({ description: 'the last 4,000 characters of the output' })),
    stderrTail: Type.Optional(
      Type.String({ description: 'the same of the errors; only where the exit code is not 0' }),
    ),
    cut: Type.Array(Output, { description: 'outputs of more than 1 MiB: only the end is kept' }),
    changedFiles: Type.Array(ChangedFile),
    network: Type.Optional(Contacts),
    changedFilesComplete: Type.Boolean({
      description: `false where more than ${MAX_CHANGED_FILES} files changed, or the folder holds too many to compare`,
    }),
    renamedByHandrail: Type.Optional(
      Type.Array(RenamedPlace, {
        description:
          'repositories and settings from which programs start commands, which the script made: they get another name',
      }),
    ),
    removedByHandrail: Type.Optional(
      Type.Array(Type.String({ description: 'absolute' }), {
        description:
          'links that the script made to places that it may not write, but for programs of the system: they are removed',
      }),
    ),
  },
  { ...closed, description: 'the result of RunScript' },
);
export type ScriptResult = Static<typeof ScriptResult>;

const Places = Type.Array(Type.String());

/** A danger that was noticed in a script, and its lines, which count from 1, or the variable that has it. */
const NoticedDanger = Type.Object(
  {
    words: Type.String({ description: 'such as "deletes ~/notes.txt"' }),
    lines: Type.Array(Type.Integer()),
    variable: Type.Optional(Type.String()),
  },
  closed,
);

/** A script with its rights, as a prompt shows it: the places that it may read and write, and the hosts that it may reach. */
export const ScriptView = Type.Object(
  {
    language: Type.String(),
    text: Type.String({ description: 'the whole script, in visible characters' }),
    environment: Type.Optional(
      Type.Unsafe<string[]>(Type.With(Places, { description: 'variables that the requester sets, as `NAME=value`' })),
    ),
    reads: Places,
    writes: Places,
    network: Places,
    noticed: Type.Array(NoticedDanger, {
      description: 'dangers that Handrail noticed, the gravest first; the script may have others',
    }),
    noticedCut: Type.Boolean({ description: 'the script was too long or too deep to be read to its end' }),
  },
  closed,
);
export type ScriptView = Static<typeof ScriptView>;

/** A text that is typed or put on the clipboard, or the contents of a file that is written or moved, as a prompt shows them. */
export const ContentsView = Type.Object(
  {
    source: oneOf(['parameters', 'text', 'artifact', 'file', 'folder'], {
      description: 'where the contents come from',
    }),
    text: Type.String({
      description:
        'the contents, in visible characters; only their beginning where `isWhole` is false; the names in a folder, one a line',
    }),
    isWhole: Type.Boolean(),
    isText: Type.Boolean({ description: 'false for bytes that are no text: they are shown as replacement characters' }),
    sizeBytes: Type.Integer(),
    former: Type.Optional(
      Type.String({
        description: 'the whole text of the file that is replaced, in visible characters, where it is text',
      }),
    ),
    language: Type.Optional(Type.String({ description: 'in which programs may run it; absent for other files' })),
    noticed: Type.Array(NoticedDanger, {
      description: 'dangers that Handrail noticed, the gravest first; the contents may have others',
    }),
    noticedCut: Type.Boolean({ description: 'the contents were too long or too deep to be read to their end' }),
  },
  closed,
);
export type ContentsView = Static<typeof ContentsView>;
