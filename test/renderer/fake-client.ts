import { type Failure, type Reply, UNREACHABLE } from '../../src/client/call.ts';
import type { AllowedFolderList, FolderAllowance } from '../../src/contract/access.ts';
import type { Action } from '../../src/contract/action.ts';
import type { Confirmation, Decision, Grant } from '../../src/contract/console.ts';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import type { ProfileList } from '../../src/contract/profile.ts';
import type { Task } from '../../src/contract/task.ts';
import { newTask } from '../browser/made-up.ts';
import { actionOf, queueOf } from '../http/confirmation-queue.ts';

export const STATUS: ConsoleStatus = {
  paused: false,
  locked: false,
  agent: 'online',
  waiting: 0,
  running: 0,
  requesters: [],
  underWay: [],
  lastEventId: '0',
};

export const NO_PROFILES: ProfileList = { items: [], assignments: [] };

/** The daemon as a feed sees it, without any wire: what it has, whether it is up, and a stream the test speaks into. */
export function createFakeClient() {
  const encoder = new TextEncoder();
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const fake = {
    isUp: true,
    eventsFailure: undefined as Failure | undefined,
    waiting: [] as Confirmation[],
    given: [] as Grant[],
    stuck: [] as Task[],
    statusAnswer: { ok: true, value: STATUS } as Reply<ConsoleStatus>,
    /** How often everything was loaded. */
    loads: 0,
    positions: [] as (string | undefined)[],
    /** Prompts that were fetched one by one. */
    fetched: [] as string[],
    decisions: [] as (Decision & { id: string })[],
    undone: [] as string[],
    folders: [] as FolderAllowance[],
    decideAnswer: undefined as Reply<Action | Task> | undefined,
    say(id: string) {
      streams.at(-1)?.enqueue(encoder.encode(`id: ${id}\nevent: action.requested\ndata: {}\n\n`));
    },
    tell(id: string, metadata: object) {
      const data = JSON.stringify({ id, kind: 'insight.told', metadata });
      streams.at(-1)?.enqueue(encoder.encode(`id: ${id}\nevent: insight.told\ndata: ${data}\n\n`));
    },
    hangUp() {
      streams.pop()?.close();
    },
  };
  const reached = <Value>(answer: Reply<Value>): Reply<Value> =>
    fake.isUp ? answer : { ok: false, failure: UNREACHABLE };
  return {
    fake,
    client: {
      async confirmations() {
        fake.loads += 1;
        return reached({ ok: true, value: { items: [...queueOf(fake.waiting)] } });
      },
      async confirmation(id: string): Promise<Reply<Confirmation>> {
        fake.fetched.push(id);
        const found = fake.waiting.find((each) => each.id === id);
        if (found === undefined) return { ok: false, failure: { code: 'not_found', detail: '' } };
        return reached({ ok: true, value: found });
      },
      status: async () => reached(fake.statusAnswer),
      grants: async () => reached({ ok: true, value: { items: fake.given } }),
      stuckTasks: async () => reached({ ok: true, value: { items: fake.stuck } }),
      profiles: async () => reached({ ok: true, value: NO_PROFILES }),
      async decide(id: string, decision: Decision) {
        fake.decisions.push({ id, ...decision });
        const asked = fake.waiting.find((each) => each.id === id);
        if (asked === undefined) throw new Error(`${id} does not wait`);
        return fake.decideAnswer ?? reached({ ok: true, value: actionOf(asked) ?? newTask() });
      },
      async allowFolder(folder: FolderAllowance): Promise<Reply<AllowedFolderList>> {
        fake.folders.push(folder);
        return reached({ ok: true, value: { items: [] } });
      },
      async undoDenial(id: string): Promise<Reply<Confirmation>> {
        fake.undone.push(id);
        const found = fake.waiting.find((each) => each.id === id);
        if (found === undefined) return { ok: false, failure: { code: 'confirmation_resolved', detail: '' } };
        return reached({ ok: true, value: found });
      },
      async events(position: string | undefined, signal: AbortSignal): Promise<Reply<ReadableStream<Uint8Array>>> {
        fake.positions.push(position);
        if (!fake.isUp) return { ok: false, failure: UNREACHABLE };
        if (fake.eventsFailure !== undefined) return { ok: false, failure: fake.eventsFailure };
        const value = new ReadableStream<Uint8Array>({
          start(controller) {
            streams.push(controller);
            signal.addEventListener('abort', () => controller.error(signal.reason));
          },
        });
        return { ok: true, value };
      },
    },
  };
}
