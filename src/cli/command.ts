import { EXIT } from './exit-codes.ts';
import type { Surroundings } from './surroundings.ts';

/** One command of `handrail`, as data: the parser, the help and the completion are made from it. */
export type Command = {
  /** One word, or two for a command of a group, such as `task run`. */
  name: string;
  summary: string;
  /** As the help shows them: `<client>` is required, `[dir]` is not, and `[key=value...]` takes any number. */
  argument?: {
    form: string;
    description: string;
    choices?: readonly string[];
    /** Words that a shell completes; the daemon may know more. Loaded only then. */
    usual?: () => Promise<readonly string[]>;
  };
  /** A second argument. */
  rest?: { form: string; description: string };
  options?: readonly Option[];
  /** Whether it calls the daemon as a requester: then it takes `--as`. */
  isRequester?: boolean;
  examples: readonly string[];
  /** Lines of the help behind the examples. */
  notes?: readonly string[];
  /** Answers the exit code: one of `EXIT`, or that of a program which it ran. */
  run(invocation: Invocation): Promise<number>;
};

export type Option = {
  /** Such as `-o, --output <file>`. */
  flags: string;
  description: string;
};

export type Invocation = {
  words: readonly string[];
  /** By the long name in camel case. A switch is `true`. */
  options: Readonly<Record<string, string | boolean | undefined>>;
  isJson: boolean;
  surroundings: Surroundings;
};

/** The text of an option that takes one. */
export function textOf({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** An end that the person can do something about. The message says what. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.other) {
    super(message);
    this.exitCode = exitCode;
  }
}
