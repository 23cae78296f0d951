import { isRefusal, type Refusal } from '../services/refusal.ts';

/** A call that may ask the person. `Id` is the id of its action or task. */
type Call<Answer> = {
  /** Equal for the same call of the same user. */
  key: string;
  /** Aborts when the client went away before it had the answer. */
  gone: AbortSignal;
  submit(): Promise<Answer | Refusal>;
  /** The id of the prompt's action or task, if the answer says that the person is asked. */
  promptOf(answer: Answer): string | undefined;
  /** The present answer. It exists while the prompt is open, and until the allowed action or task has ended. */
  standing(id: string): Answer | undefined;
  /** Resolves when the action or task has ended. */
  ended(id: string): Promise<unknown>;
  /** Takes the prompt back. */
  withdraw(id: string): void;
};

/** `holders`: the calls that wait for the prompt or have learned its id. */
type Standing = { submitted: Promise<string | undefined>; holders: Set<AbortSignal> };

/**
 * Joins the same calls of a user: while the prompt of one stands, the next finds it and makes none of its own. A prompt whose id nobody
 * has learned is withdrawn when the last call that waits for it goes away.
 */
export function createStandingCalls() {
  const standing = new Map<string, Standing>();

  async function join<Answer>(call: Call<Answer>): Promise<Answer | Refusal> {
    for (let known = standing.get(call.key); known !== undefined; known = standing.get(call.key)) {
      const id = await known.submitted;
      const answer = id === undefined ? undefined : call.standing(id);
      if (id !== undefined && answer !== undefined) {
        hold(known, { call, id });
        return answer;
      }
      if (standing.get(call.key) === known) standing.delete(call.key);
    }
    return begin(call);
  }

  async function begin<Answer>(call: Call<Answer>): Promise<Answer | Refusal> {
    const { promise: submitted, resolve } = Promise.withResolvers<string | undefined>();
    const own: Standing = { submitted, holders: new Set() };
    const forget = () => void (standing.get(call.key) === own && standing.delete(call.key));
    standing.set(call.key, own);
    let id: string | undefined;
    try {
      const answer = await call.submit();
      id = isRefusal(answer) ? undefined : call.promptOf(answer);
      if (id !== undefined) hold(own, { call, id });
      return answer;
    } finally {
      if (id === undefined) forget();
      else void call.ended(id).then(forget, forget);
      resolve(id);
    }
  }

  return { join };
}

/** Lets a call hold the prompt until it goes away. One that got its answer never does, and so the prompt stays. */
function hold<Answer>({ holders }: Standing, { call, id }: { call: Call<Answer>; id: string }): void {
  const { gone } = call;
  const leave = () => {
    holders.delete(gone);
    if (holders.size === 0) call.withdraw(id);
  };
  holders.add(gone);
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });
}
