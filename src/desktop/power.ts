import type { Daemon } from '../daemon.ts';

/** What is used of electron's `powerMonitor`. */
export type PowerEvents = {
  on(event: 'lock-screen' | 'unlock-screen' | 'suspend' | 'resume', listener: () => void): unknown;
};

/** Tells the daemon when nobody can sit here: what waits for a person then expires, and nothing is sent until they are back. */
export function watchPower(power: PowerEvents, daemon: Pick<Daemon, 'screen'>): void {
  power.on('lock-screen', () => daemon.screen('locked'));
  power.on('unlock-screen', () => daemon.screen('unlocked'));
  power.on('suspend', () => daemon.screen('suspended'));
  power.on('resume', () => daemon.screen('resumed'));
}
