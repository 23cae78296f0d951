import { useEffect, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import { afterPaint } from '../after-paint.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';
import { createWatch, type Watched } from './watch.ts';

/** An answer of the daemon, kept up to date while the component is shown. `load` stays the one of the first rendering. */
export function useWatch<Value>(
  model: Pick<DashboardModel, 'feed'>,
  load: () => Promise<Reply<Value>>,
): Watched<Value> {
  const [watched] = useState(() => createWatch({ load, feed: model.feed, isHidden: () => document.hidden }));
  useEffect(() => afterPaint(watched.watch), [watched]);
  return useObservable(watched);
}
