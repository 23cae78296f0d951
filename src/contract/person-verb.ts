import { type Static, Type } from 'typebox';
import { closed, oneOf } from './literals.ts';
import { MachineGiven } from './machine.ts';
import { PolicyQuestion } from './policy.ts';

/** The verbs of the person at the command line. None of them approves anything. */
export const PersonVerb = oneOf([
  'login',
  'pause',
  'resume',
  'status',
  'policy',
  'policy-diff',
  'machines',
  'machine-add',
  'machine-test',
  'machine-remove',
]);
export type PersonVerb = Static<typeof PersonVerb>;

export const COMMAND_LINE_PATH = '/api/command-line';

/** `words` goes with the verb, such as a sign-in code with `resume`; `policy` goes with `policy-diff`, `machine` with those of one machine. */
export const PersonVerbRequest = Type.Object(
  {
    words: Type.String({ maxLength: 64 }),
    policy: Type.Optional(PolicyQuestion),
    machine: Type.Optional(MachineGiven),
  },
  closed,
);

export type PersonVerbRequest = Static<typeof PersonVerbRequest>;

/** `done` is the text of the answer, and may be empty; `declined` says why the daemon does not do it. */
export const PersonVerbAnswer = Type.Union([
  Type.Object({ done: Type.String() }, closed),
  Type.Object({ declined: Type.String() }, closed),
]);
export type PersonVerbAnswer = Static<typeof PersonVerbAnswer>;
