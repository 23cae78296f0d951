import { randomUUID } from 'node:crypto';
import type { Action } from '../../src/contract/action.ts';
import type { ScreenDescription } from '../../src/contract/screen.ts';
import { startRig } from '../desktop/rig.ts';
import { startDaemonProcess } from './daemon.ts';

export type HandsRig = Awaited<ReturnType<typeof startHandsRig>>;

/** A real daemon with its agent on a real desktop, a person at its console, and a requester with a device. */
export async function startHandsRig(
  environment: Record<string, string> = {},
  size?: { width: number; height: number },
) {
  const rig = await startRig(size);
  const daemon = await startDaemonProcess({ ...rig.env, HANDRAIL_RATE_LIMITS: 'off', ...environment });
  await daemon.agentOnline();
  const person = await daemon.signIn();
  const { id: targetDeviceId } = await daemon.register();

  async function submit(
    actionType: string,
    parameters: unknown,
    options: { timeoutMs?: number } = {},
  ): Promise<Action> {
    const body = { targetDeviceId, actionType, parameters: parameters as Record<string, unknown>, ...options };
    return (await daemon.submit(body, { headers: { prefer: 'wait=0', 'idempotency-key': randomUUID() } })).body;
  }

  const { ended } = daemon;
  async function allowed(action: Action): Promise<Action> {
    if (action.status === 'awaiting_confirmation') await person.answer('allow');
    return ended(action);
  }

  return {
    rig,
    daemon,
    person,
    deviceId: targetDeviceId,
    submit,
    ended,
    /** Submits an action that asks, does the work while the prompt waits, allows it, and waits for its end. */
    async allowedAfter(
      { actionType, parameters }: { actionType: string; parameters: unknown },
      work: () => Promise<unknown>,
    ): Promise<Action> {
      const action = await submit(actionType, parameters);
      if (action.status !== 'awaiting_confirmation') throw new Error(`nobody was asked: ${JSON.stringify(action)}`);
      await work();
      await person.answer('allow');
      return ended(action);
    },
    /** What the screen shows, and its frame. */
    async look(parameters: Record<string, unknown> = {}): Promise<ScreenDescription> {
      const action = await allowed(await submit('DescribeScreen', parameters));
      if (action.data === undefined) throw new Error(JSON.stringify(action));
      return action.data as ScreenDescription;
    },
    async accessTo(app: string, allow: 'look' | 'input', sites?: readonly string[]): Promise<void> {
      const action = await allowed(await submit('RequestAccess', { apps: [app], allow, sites, minutes: 30 }));
      if (action.status !== 'success') throw new Error(JSON.stringify(action));
    },
    async stop(): Promise<void> {
      await daemon.stop();
      await rig.close();
    },
  };
}
