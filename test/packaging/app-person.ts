import type { Confirmation } from '../../src/contract/console.ts';
import { until } from '../desktop/processes.ts';
import { caller } from '../shell/daemon-in-process.ts';

const HOLD_MS = 1_050;

/** The person at a window of the app: `key` is the session of that window. */
export function personAt(base: string, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const call = <Body>(path: string, body?: unknown) => caller(base)<Body>(`/api/console${path}`, headers, body);

  async function hold(id: string): Promise<void> {
    await call(`/confirmations/${id}/hold`, { phase: 'press' });
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
    await call(`/confirmations/${id}/hold`, { phase: 'release' });
  }

  return {
    /** Allows a requester to write in a folder, so that its actions there are of the risk that they have by themselves. */
    allowFolder: (userId: string, path: string) =>
      fetch(`${base}/api/console/folders`, {
        method: 'PUT',
        headers: { ...headers, origin: base, 'content-type': 'application/json' },
        body: JSON.stringify({ userId, path, access: 'write' }),
      }),
    /** Waits for the next prompt, reads it, holds the button where it has to be held, and allows it. Answers its sentence. */
    async allowNext(): Promise<string> {
      const prompts = async () => (await call<{ items: Confirmation[] }>('/confirmations')).items[0];
      const { id, nonce, actionDigest, presenceRequired, prompt } = await until('there is a prompt', prompts);
      const { answerableAt } = await call<Confirmation>(`/confirmations/${id}/shown`, null);
      await until('the prompt can be answered', () => Date.now() >= Date.parse(String(answerableAt)));
      if (presenceRequired === true) await hold(id);
      await call(`/confirmations/${id}/decision`, { decision: 'allow', scope: 'once', nonce, actionDigest });
      return prompt.sentence;
    },
  };
}
