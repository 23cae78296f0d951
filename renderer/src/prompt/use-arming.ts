import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Confirmation } from '../../../src/contract/console.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';
import { createArming, type PromptArming } from './arming.ts';

/** The arming of a prompt, while the person can see it. `deniable`: the id of the prompt that they can deny now. */
export function useArming(
  confirmation: Confirmation,
  model: DashboardModel,
  deniable: RefObject<string | undefined>,
): PromptArming {
  const { id } = confirmation;
  const { connection } = useObservable(model.feed);
  const [arming] = useState(() => armingOf(confirmation, model, deniable.current === id));
  const isReachable = connection !== 'lost';
  useLayoutEffect(
    () =>
      arming.subscribe(() => {
        const armed = arming.get();
        deniable.current = armed.state !== 'away' && armed.canDeny ? id : undefined;
      }),
    [arming, deniable, id],
  );
  // Before the browser paints or hands out a key, so that Esc is never dead in between.
  useLayoutEffect(() => {
    const attend = () => arming.attend(isReachable && model.attention.get());
    attend();
    const stop = model.attention.subscribe(attend);
    return () => {
      stop();
      arming.attend(false);
    };
  }, [arming, model, isReachable]);
  return arming;
}

function armingOf({ id, prompt }: Confirmation, { client, feed, notices }: DashboardModel, wasDeniable: boolean) {
  return createArming({
    level: prompt.risk.level,
    wasDeniable,
    report: (onScreenMs) => client.shown(id, { openedToEnd: true, onScreenMs }),
    onRefused(failure) {
      notices.outcome({ ok: false, failure });
      void feed.refresh();
    },
  });
}
