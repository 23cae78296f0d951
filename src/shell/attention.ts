/** `call`: bring a prompt to the person. `none waits`: the last prompt has ended. */
export type AttentionChange = 'call' | 'none waits' | 'nothing';

type Prompt = { id: string; isCalled: boolean };

/**
 * Says when to bring the prompt forward: once for each prompt that the daemon called the person for. The daemon limits how often
 * that is, so a flood of requests does not flood the screen.
 */
export function createAttention(): (prompts: readonly Prompt[]) => AttentionChange {
  let called = new Set<string>();
  let didWait = false;
  return (prompts) => {
    const before = called;
    called = new Set(prompts.filter(({ isCalled }) => isCalled).map(({ id }) => id));
    const waits = prompts.length > 0;
    const isOver = didWait && !waits;
    didWait = waits;
    if ([...called].some((id) => !before.has(id))) return 'call';
    return isOver ? 'none waits' : 'nothing';
  };
}
