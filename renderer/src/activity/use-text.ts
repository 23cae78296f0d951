import { useEffect, useState } from 'react';
import type { Reply } from '../../../src/client/reply.ts';

/** A text, or why there is none; neither while it is loading. */
export type LoadedText = { text?: string; problem?: string };

/** Loads a text under the key of the session. `load` must stay the same for one text. */
export function useText(load: () => Promise<Reply<string>>): LoadedText {
  const [loaded, setLoaded] = useState<LoadedText>({});
  useEffect(() => {
    let isGone = false;
    void load().then((answer) => {
      if (!isGone) setLoaded(answer.ok ? { text: answer.value } : { problem: answer.failure.detail });
    });
    return () => {
      isGone = true;
    };
  }, [load]);
  return loaded;
}
