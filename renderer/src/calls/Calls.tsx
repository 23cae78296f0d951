import { useState } from 'react';
import type { PreferenceStore } from '../preferences.ts';
import { Switch } from '../settings/Switch.tsx';
import { useObservable } from '../use-observable.ts';
import { mayNotify, playCall } from './browser-calls.ts';

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
