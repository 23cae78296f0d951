import type { Conversation, ConversationEvents } from '../../../agent/drivers/converse.ts';
import type { FakeMac } from './fake-mac.ts';
import { loadScript } from './jxa-bridge.ts';
import { createPipes, WAITS } from './jxa-frameworks.ts';

/** A script that goes on, on a Mac in memory: it keeps its variables from one line of input to the next. */
export type FakeConversation = {
  args: readonly string[];
  talk: Conversation;
  /** The program that talks to it dies, so its input ends. */
  endInput(): void;
  /** It is killed, or hangs from now on. */
  crash(how: 'killed' | 'hangs'): void;
};

export function createFakeConversation(
  mac: FakeMac,
  args: readonly string[],
  { said, ended }: ConversationEvents,
): FakeConversation {
  const [, , script, ...argv] = args;
  const pipes = { ...createPipes([]), isOpen: true };
  const run = loadScript(mac, String(script), pipes);
  let isOver = false;
  let hangs = false;
  const proceed = () => {
    const result = run(argv);
    if (!result.ok && result.error !== `Error: ${WAITS}`) throw new Error(result.error);
    const answers = pipes.output.splice(0);
    setImmediate(() => {
      for (const answer of answers) if (!isOver) said(answer);
    });
  };
  return {
    args,
    talk: {
      say: (line) => {
        if (isOver || hangs) return;
        pipes.input.push(line);
        proceed();
      },
      stop: () => {
        isOver = true;
      },
    },
    endInput: () => {
      pipes.isOpen = false;
      proceed();
      isOver = true;
    },
    crash: (how) => {
      hangs = how === 'hangs';
      isOver = how === 'killed';
      if (isOver) setImmediate(ended);
    },
  };
}
