import { spawn } from 'node:child_process';

export type ConversationStart = {
  program: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** It outlives a kill of this process's whole group, and sees the end of its input then. */
  hasOwnGroup?: boolean;
};

export type ConversationEvents = {
  said(text: string): void;
  /** Once, however it ended, also when it never began. */
  ended(): void;
};

/** A running program that is written to and listened to. */
export type Conversation = {
  say(text: string): void;
  /** Closes its standard input and kills it. */
  stop(): void;
};

/** Starts a program to talk to, which inherits nothing but its environment as given. Never throws. */
export function converse(start: ConversationStart, { said, ended }: ConversationEvents): Conversation {
  let isOver = false;
  const end = () => {
    if (!isOver) ended();
    isOver = true;
  };
  try {
    return talkTo(start, { said, ended: end });
  } catch {
    // Some refusals of the system are thrown, others are events.
    queueMicrotask(end);
    return { say: () => undefined, stop: () => undefined };
  }
}

function talkTo(
  { program, args, environment, hasOwnGroup = false }: ConversationStart,
  { said, ended }: ConversationEvents,
): Conversation {
  const child = spawn(program, args, { env: environment, stdio: ['pipe', 'pipe', 'ignore'], detached: hasOwnGroup });
  child.once('error', ended);
  child.once('close', ended);
  // A program that has ended does not read its input. `ended` reports the end.
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', said);
  return {
    say: (text) => child.stdin.write(text),
    stop: () => {
      child.stdin.destroy();
      child.kill('SIGKILL');
    },
  };
}
