import type { ActionStatus } from '../contract/action.ts';
import type { Task } from '../contract/task.ts';
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

type Option = {
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

export const EXIT = { done: 0, other: 1, usage: 2, denied: 3, expired: 4, failed: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_STATUS: Readonly<Record<ActionStatus, ExitCode>> = {
  success: EXIT.done,
  denied: EXIT.denied,
  blocked: EXIT.denied,
  expired: EXIT.expired,
  failed: EXIT.failed,
  // The action was sent and its end is not known. A script must not take that for done.
  unknown: EXIT.failed,
  cancelled: EXIT.other,
  awaiting_confirmation: EXIT.other,
  queued: EXIT.other,
  running: EXIT.other,
};

export function exitCodeOf(status: ActionStatus): ExitCode {
  return BY_STATUS[status];
}

/** A task that was not done exits with its first cause: a denial, then an expiry, then a failure. */
export function exitCodeOfTask({ status, steps }: Pick<Task, 'status' | 'steps'>): ExitCode {
  if (status === 'success') return EXIT.done;
  const has = (...wanted: string[]) => steps.some((step) => wanted.includes(step.status));
  if (has('denied', 'blocked')) return EXIT.denied;
  if (has('expired')) return EXIT.expired;
  return status === 'cancelled' ? EXIT.other : EXIT.failed;
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
