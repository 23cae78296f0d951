import { afterAll } from 'vitest';
import { type Console, type RunningDaemon, startDaemonProcess } from './daemon.ts';
import { type HandsRig, startHandsRig } from './hands-rig.ts';

/** A daemon for all tests of a file, with a person who is signed in. */
export async function shareDaemon(
  environment: Record<string, string> = {},
): Promise<{ daemon: RunningDaemon; person: Console }> {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', ...environment });
  afterAll(daemon.stop);
  await daemon.agentOnline();
  return { daemon, person: await daemon.signIn() };
}

/** A rig with hands for all tests of a file. */
export async function shareHands(...options: Parameters<typeof startHandsRig>): Promise<HandsRig> {
  const hands = await startHandsRig(...options);
  afterAll(hands.stop);
  return hands;
}
