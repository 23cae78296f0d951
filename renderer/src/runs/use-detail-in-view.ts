import { useEffect, useRef, useState } from 'react';
import type { Action } from '../../../src/contract/action.ts';
import type { ActivityDetail } from '../../../src/contract/activity.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** Everything about an action, loaded once its element is near the screen and again when its status changes. */
export function useDetailInView({ client }: Pick<DashboardModel, 'client'>, { actionId, status }: Action) {
  const ref = useRef<HTMLLIElement>(null);
  const [isNear, setNear] = useState(false);
  const [detail, setDetail] = useState<ActivityDetail>();
  useEffect(() => {
    const element = ref.current;
    if (element === null || isNear) return;
    const watch = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '400px',
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [isNear]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another status means other contents
  useEffect(() => {
    let isGone = false;
    if (isNear) void client.activityDetail(actionId).then((answer) => !isGone && answer.ok && setDetail(answer.value));
    return () => {
      isGone = true;
    };
  }, [client, actionId, status, isNear]);
  return { detail, ref };
}
