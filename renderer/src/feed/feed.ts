import type { Reply } from '../../../src/client/call.ts';
import type { ConsoleClient } from '../../../src/client/console-client.ts';
import { readEvents, type ServerEvent } from '../../../src/client/event-stream.ts';
import { backoffMs, pause } from '../../../src/client/pause.ts';
import type { Confirmation, Grant, QueuedConfirmation } from '../../../src/contract/console.ts';
import type { ConsoleStatus } from '../../../src/contract/console-status.ts';
import type { ProfileList } from '../../../src/contract/profile.ts';
import type { Task } from '../../../src/contract/task.ts';
import { createObservable, type Observable } from '../observable.ts';
import { createThrottled } from '../wire/throttle.ts';

/**
 * The page's copy of the daemon's state. `status`, `grants`, `profiles` and `stuckTasks` are absent if the daemon has no
 * such route.
 */
export type FeedState = {
  /** `live`: events report every change. `polling`: the page asks every second. `lost`: the shown state may be out of date. */
  connection: 'connecting' | 'live' | 'polling' | 'lost';
  /** Everything that waits; the first one is whole. */
  confirmations: readonly (Confirmation | QueuedConfirmation)[];
  status: ConsoleStatus | undefined;
  grants: readonly Grant[] | undefined;
  profiles: ProfileList | undefined;
  /** Tasks of which only a person can say how they stand. */
  stuckTasks: readonly Task[] | undefined;
};

export type Feed = Observable<FeedState> & {
  /** Loads everything anew. Answers whether the daemon could be reached. */
  refresh(): Promise<boolean>;
  /** Follows the daemon until the signal aborts. */
  follow(signal: AbortSignal): Promise<void>;
};

type Client = Pick<ConsoleClient, 'confirmations' | 'status' | 'grants' | 'profiles' | 'stuckTasks' | 'events'>;
type Following = {
  client: Client;
  position: { lastEventId?: string };
  show: (connection: FeedState['connection']) => void;
  refresh: () => Promise<boolean>;
  told: (insight: ToldInsight) => void;
};

/** Loads follow one another no faster than this: a burst of events costs one, and a prompt is on the screen at once. */
const LOAD_GAP_MS = 50;
const POLL_MS = 1_000;
/** How often it asks before it looks again whether the daemon has an event stream by now. */
const POLLS_IN_A_ROW = 30;

const EMPTY: FeedState = {
  connection: 'connecting',
  confirmations: [],
  status: undefined,
  grants: undefined,
  profiles: undefined,
  stuckTasks: undefined,
};

/** Keeps up with the daemon: by its event stream, or by asking where it has none. `told` hears what the person should know. */
export function createFeed(client: Client, told: (insight: ToldInsight) => void): Feed {
  const state = createObservable<FeedState>(EMPTY);
  const show = (connection: FeedState['connection']) => state.set({ ...state.get(), connection });
  const refresh = createThrottled(async () => {
    const { isReached, ...loaded } = await load(client);
    state.set({ ...state.get(), ...loaded });
    return isReached;
  }, LOAD_GAP_MS);
  const following: Following = { client, position: {}, show, refresh, told };
  const follow = async (signal: AbortSignal) => {
    let failures = 0;
    while (!signal.aborted) {
      const end = await followStream(following, signal);
      if (end === 'no stream' && (await poll(following, signal)) === 'go on') continue;
      if (signal.aborted) return;
      show('lost');
      failures = end === 'ended' ? 1 : failures + 1;
      await pause(backoffMs(failures), signal);
    }
  };
  return { get: state.get, subscribe: state.subscribe, refresh, follow };
}

/** Opens the stream before it loads, so that nothing falls between the two. */
async function followStream(following: Following, signal: AbortSignal): Promise<'no stream' | 'unreachable' | 'ended'> {
  const { client, position, show, refresh, told } = following;
  const broken = new AbortController();
  const opened = await client.events(position.lastEventId, AbortSignal.any([signal, broken.signal]));
  if (!opened.ok) return opened.failure.code === 'unreachable' ? 'unreachable' : 'no stream';
  const load = async () => {
    if (!(await refresh())) broken.abort();
  };
  await load();
  if (!broken.signal.aborted) show('live');
  for await (const message of readEvents(opened.value)) {
    if (message.id !== undefined) position.lastEventId = message.id;
    const insight = toldInsight(message);
    if (insight !== undefined) told(insight);
    void load();
  }
  return 'ended';
}

async function poll({ show, refresh }: Following, signal: AbortSignal): Promise<'go on' | 'lost'> {
  for (let polls = 0; polls < POLLS_IN_A_ROW && !signal.aborted; polls += 1) {
    if (!(await refresh())) return 'lost';
    show('polling');
    await pause(POLL_MS, signal);
  }
  return 'go on';
}

type Loaded = { isReached: boolean } & Partial<Omit<FeedState, 'connection'>>;

/**
 * Leaves out the parts that the daemon refused for the moment, so that they stay unchanged; parts that the daemon does not
 * have become empty.
 */
async function load(client: Client): Promise<Loaded> {
  const [confirmations, status, grants, profiles, tasks] = await Promise.all([
    client.confirmations(),
    client.status(),
    client.grants(),
    client.profiles(),
    client.stuckTasks(),
  ]);
  return {
    isReached: confirmations.ok || confirmations.failure.code !== 'unreachable',
    ...(confirmations.ok && { confirmations: confirmations.value.items.filter((item) => item.status === 'pending') }),
    ...(isKnown(status) && { status: status.ok ? status.value : undefined }),
    ...(isKnown(grants) && { grants: grants.ok ? grants.value.items : undefined }),
    ...(isKnown(tasks) && { stuckTasks: tasks.ok ? tasks.value.items : undefined }),
    ...(isKnown(profiles) && { profiles: profiles.ok ? profiles.value : undefined }),
  };
}

function isKnown(answer: Reply<unknown>): boolean {
  return answer.ok || answer.failure.code === 'not_found';
}

/** An insight of which Guardian notifies the person. */
export type ToldInsight = { insightId: string; title: string };

/** The insight that a message of the event stream tells of, if it tells of one. */
function toldInsight({ event, data }: ServerEvent): ToldInsight | undefined {
  if (event !== 'insight.told') return undefined;
  const { metadata }: { metadata?: { insightId?: unknown; title?: unknown } } = JSON.parse(data);
  return { insightId: String(metadata?.insightId), title: String(metadata?.title) };
}
