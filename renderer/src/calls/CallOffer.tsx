import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';
import { mayNotify, playCall } from './browser-calls.ts';

/** Offers the sound and the notification of this browser, until the person has answered once. The Mac app has its own. */
export function CallOffer({ model: { app, notices, preferences } }: { model: DashboardModel }) {
  const { isCallAnswered } = useObservable(preferences);
  if (isCallAnswered || app !== undefined) return null;
  const turnOn = async () => {
    playCall();
    const notifications = await mayNotify();
    preferences.change({ isCallAnswered: true, sound: true, notifications });
    if (notifications) notices.done('Sound and notifications are on. Settings turns them off.');
    else notices.problem('The sound is on. Your browser blocks notifications from this page.');
  };
  return (
    <p className="call-offer">
      <span>Play a sound and show a notification when a request arrives?</span>
      <span className="call-offer-answers">
        <button type="button" onClick={() => void turnOn()}>
          Turn on
        </button>
        <button type="button" className="quiet" onClick={() => preferences.change({ isCallAnswered: true })}>
          Not now
        </button>
      </span>
    </p>
  );
}
