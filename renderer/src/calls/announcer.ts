import type { Feed } from '../feed/feed.ts';
import type { Observable } from '../observable.ts';
import { addressOf } from '../pages.ts';
import type { Preferences } from '../preferences.ts';

type Options = {
  feed: Pick<Feed, 'get' | 'subscribe'>;
  preferences: Observable<Preferences>;
  attention: Observable<boolean>;
  play: () => void;
  /** Shows a notification of the browser that opens the dashboard and answers nothing. */
  notify: () => void;
};

/**
 * Calls the person for a prompt once, by sound or notification where they chose it. The daemon decides when the person may be
 * called, at most 6 times a minute, and marks the prompt with `calledAt`. Answers with the function that stops it.
 */
export function createAnnouncer({ feed, preferences, attention, play, notify }: Options): () => void {
  let announced = new Set<string>();
  return feed.subscribe(() => {
    const called = feed.get().confirmations.filter(({ calledAt }) => calledAt !== undefined);
    const fresh = called.find(({ id }) => !announced.has(id));
    announced = new Set(called.map(({ id }) => id));
    if (fresh === undefined) return;
    const { sound, notifications } = preferences.get();
    if (sound) play();
    if (notifications && !attention.get()) notify();
  });
}

const TONES_HZ = [660, 880];
const TONE_SECONDS = 0.14;
const VOLUME = 0.12;

/** Plays two short tones. Browsers allow it only after the person has used the page, and play nothing before. */
export function playCall(): void {
  const audio = new AudioContext();
  const end = audio.currentTime + TONES_HZ.length * TONE_SECONDS;
  for (const [index, hertz] of TONES_HZ.entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + index * TONE_SECONDS;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + TONE_SECONDS);
  }
  setTimeout(() => void audio.close(), 1_000 * (end - audio.currentTime) + 200);
}

/** Asks the person, where the browser does not know yet. Browsers let a page ask only after a click. */
export async function mayNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

/**
 * Shows a notification. It says nothing about the request: it may stand on a locked screen, and a program chose the words. A click
 * on it brings the dashboard to the front at the requests; it cannot answer anything.
 */
export function showNotification(): void {
  if (Notification.permission !== 'granted') return;
  const notification = new Notification('Handrail needs you', { tag: 'handrail-request' });
  notification.onclick = () => {
    window.focus();
    window.location.assign(addressOf({ page: 'requests' }));
    notification.close();
  };
}
