import { useEffect, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';

/** The address of a picture while it is on the page, or why there is none; neither while it is loading. */
export type LoadedPicture = { url?: string; problem?: string };

/** Loads a picture under the key of the session and forgets it with the component. `load` must stay the same for one picture. */
export function usePicture(load: () => Promise<Reply<Blob>>): LoadedPicture {
  const [loaded, setLoaded] = useState<LoadedPicture>({});
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void load().then((answer) => {
      if (isGone) return;
      if (!answer.ok) return setLoaded({ problem: answer.failure.detail });
      made = URL.createObjectURL(answer.value);
      setLoaded({ url: made });
    });
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [load]);
  return loaded;
}
