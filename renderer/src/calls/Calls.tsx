import { useState } from 'react';
import { Switch } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../hooks.ts';
import type { PreferenceStore } from '../preferences.ts';
import { mayNotify, playCall } from './announcer.ts';

/** How the person is called when a request arrives. */
export function Calls({ preferences }: { preferences: PreferenceStore }) {
  const { sound, notifications } = useObservable(preferences);
  const [permission, setPermission] = useState(() => Notification.permission);
  const changeSound = (isOn: boolean) => {
    preferences.change({ sound: isOn, isCallAnswered: true });
    if (isOn) playCall();
  };
  const changeNotifications = async (isOn: boolean) => {
    const notifications = isOn && (await mayNotify());
    setPermission(Notification.permission);
    preferences.change({ notifications, isCallAnswered: true });
  };
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">When a request arrives</h2>
      <p className="hint">In this browser. At most 6 calls a minute and 20 an hour.</p>
      <Switch label="Play a sound" isOn={sound} onChange={changeSound} />
      <Switch
        label="Show a notification while another window is in front"
        isOn={notifications && permission === 'granted'}
        onChange={(isOn) => void changeNotifications(isOn)}
        hint={
          permission === 'denied'
            ? 'Your browser blocks them. Allow notifications for this address in its settings.'
            : 'It says “Handrail needs you” and opens this page. It cannot answer a request.'
        }
      />
    </section>
  );
}

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
