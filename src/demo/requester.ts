/** An action or a task as a program sees it, as far as the demo looks at it. */
export type Reply = {
  status: string;
  actionId?: string;
  taskId?: string;
  details?: string;
  code?: string;
  detail?: string;
  error?: { code: string; message: string };
  artifacts?: { url: string }[];
};

export type Step = { id: string; actionType: string; parameters: object; dependsOn?: string[] };

/** A program that uses Handrail over plain HTTP, as any script can. */
export type Requester = {
  name: string;
  /** Submits an action. `waitS`: how many seconds the call may be held until the action has ended. */
  act(actionType: string, parameters: object, options?: { reason?: string; waitS?: number }): Promise<Reply>;
  /** Submits a task and waits until it has ended. */
  plan(name: string, steps: readonly Step[], reason: string): Promise<Reply>;
  bytes(path: string): Promise<Uint8Array>;
};

/** As long as a prompt waits for the person, and a little longer. */
const PERSON_S = 110;
const EVERYTHING = { canOpenApps: true, canCaptureScreen: true };

/** Registers a device for the requester and answers what acts on it. */
export async function registerRequester(
  base: string,
  name: string,
  { deviceName, type }: { deviceName: string; type: string },
): Promise<Requester> {
  const headers = { 'x-user-id': name, 'content-type': 'application/json' };

  async function post<Body>(path: string, body: object, waitS = 0): Promise<Body> {
    const prefer: Record<string, string> = waitS === 0 ? {} : { prefer: `wait=${waitS}` };
    const init = { method: 'POST', headers: { ...headers, ...prefer }, body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, init);
    return (await response.json()) as Body;
  }

  const device = { type, name: deviceName, capabilities: EVERYTHING };
  const { id: targetDeviceId } = await post<{ id: string }>('/api/tee/devices/register', device);
  return {
    name,
    act: (actionType, parameters, { reason, waitS = PERSON_S } = {}) =>
      post<Reply>(
        '/api/tee/actions',
        { targetDeviceId, actionType, parameters, ...(reason !== undefined && { reason }) },
        waitS,
      ),
    plan(taskName, steps, reason) {
      const onDevice = steps.map((step) => ({ ...step, targetDeviceId }));
      return post<Reply>('/api/tee/tasks', { name: taskName, reason, steps: onDevice }, PERSON_S);
    },
    async bytes(path) {
      const response = await fetch(`${base}${path}`, { headers: { 'x-user-id': name } });
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
