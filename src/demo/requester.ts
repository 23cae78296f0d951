import { fetchAt, type Reply } from '../client/call.ts';
import { createRequesterClient, type RequesterClient } from '../client/requester-client.ts';
import type { Action, ActionSubmission } from '../contract/action.ts';
import type { StepSubmission, Task } from '../contract/task.ts';

type Step = Omit<StepSubmission, 'targetDeviceId'>;

/** A program that uses Handrail, as any script can. */
export type Requester = Pick<RequesterClient, 'artifact' | 'guardian'> & {
  name: string;
  /** Submits an action. `waitS`: how many seconds the call may be held until the action has ended. */
  act(
    actionType: string,
    parameters: ActionSubmission['parameters'],
    options?: { reason?: string; waitS?: number },
  ): Promise<Reply<Action>>;
  /** Submits a task and waits until it has ended. */
  plan(name: string, steps: readonly Step[], reason: string): Promise<Reply<Task>>;
};

/** As long as a prompt waits for the person, and a little longer. */
const PERSON_S = 110;
const EVERYTHING = { canOpenApps: true, canCaptureScreen: true, canControlInput: true };

/** Registers a device for the requester and answers what acts on it. */
export async function registerRequester(
  base: string,
  name: string,
  { deviceName, type }: { deviceName: string; type: string },
): Promise<Requester> {
  const client = createRequesterClient({ fetch: fetchAt(base), userId: name });
  const device = await client.registerDevice({ type, name: deviceName, capabilities: EVERYTHING });
  if (!device.ok) throw new Error(`The device of ${name} was not registered: ${device.failure.detail}`);
  const { id: targetDeviceId } = device.value;
  return {
    name,
    artifact: client.artifact,
    guardian: client.guardian,
    act: (actionType, parameters, { reason, waitS = PERSON_S } = {}) =>
      client.act({ targetDeviceId, actionType, parameters, reason }, { waitS }),
    plan: (taskName, steps, reason) =>
      client.submitTask(
        { name: taskName, reason, steps: steps.map((step) => ({ ...step, targetDeviceId })) },
        { waitS: PERSON_S },
      ),
  };
}
