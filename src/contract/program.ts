import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';

const pid = Type.Integer({ description: 'the id of the process' });
const name = Type.String({ description: 'the name of the app or of the executable file' });
const script = Type.String({ description: 'the file that an interpreter runs' });
const path = Type.Optional(Type.String({ description: 'the executable file, where the system tells it' }));
const claims = Type.Optional(
  Type.String({ description: 'the name that an MCP client gives itself; nothing proves it' }),
);

export const ProgramProcess = Type.Object({ pid, name, path }, closed);
/** One process: its id, the name a person knows it by, and its executable, where the system tells it. */
export type ProgramProcess = Static<typeof ProgramProcess>;

export const CallingProgram = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('program'),
        uid: Type.Integer({ description: 'the OS user of the process' }),
        pid,
        name,
        path,
        script: Type.Optional(script),
        changedFrom: Type.Optional(
          Type.Object(
            { pid, name, path, script: Type.Optional(script) },
            {
              ...closed,
              description: 'the program that made the connection, where another one held it when the request was read',
            },
          ),
        ),
        startedBy: Type.Array(ProgramProcess, {
          description: 'the process that started it, the one that started that, and so on, up to the app or terminal',
        }),
        through: Type.Optional(
          Type.Unsafe<ProgramProcess>(
            Type.With(ProgramProcess, { description: "Handrail's own program, which it started to pass its calls on" }),
          ),
        ),
        claims,
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal('unknown'),
        because: Type.String({ description: 'why nothing could be found out' }),
        claims,
      },
      closed,
    ),
  ],
  { description: 'the program at the other end of the connection, as the operating system tells it' },
);
/** The program that holds the caller's end of a connection, or why nothing could be found out about it. */
export type CallingProgram = Static<typeof CallingProgram>;
